package dev.petunia.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.ProgressListener;
import dev.petunia.core.testing.Property;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading beside a writer: of a directory, while it commits, and of some chunks only. */
class ReadOnlyTest {
  private static final DedupConfig CONFIG = DedupConfig.DEFAULT;

  @TempDir Path directory;

  private static Document copy(String id, int text) {
    return new Document(id, String.join(" ", Texts.words(new SplittableRandom(text), 60, 1000)));
  }

  @Test
  void readerHasTheLastCommitWhateverTheWriterDoes() {
    try (DedupIndex writer = DedupIndex.open(directory, CONFIG)) {
      writer.ingest(List.of(copy("a", 1), copy("b", 1), copy("c", 2)));
      writer.commit(17);
      try (DedupIndex reader = DedupIndex.openReadOnly(directory, CONFIG)) {
        List<Cluster> then = reader.clusters();
        for (int i = 0; i < 40; i++) {
          writer.ingest(List.of(copy("d" + i, i), copy("e" + i, i)));
          writer.commit();
        }
        writer.remove("a");
        writer.commit(18);
        assertEquals(then, reader.clusters());
        assertEquals(Map.of("b", "a"), reader.canonicalMap().canonicalOf());
        assertEquals(17, reader.mark());
        assertEquals(Set.of("a", "b", "c"), reader.ids());
        assertEquals(writer.shingles("b"), reader.shingles("b"));
        reader.verify(ProgressListener.NONE);
        assertThrows(UnsupportedOperationException.class, () -> reader.remove("a"));
        assertThrows(UnsupportedOperationException.class, reader::commit);
        assertThrows(
            UnsupportedOperationException.class, () -> reader.ingest(List.of(copy("x", 1))));
        assertThrows(UnsupportedOperationException.class, () -> reader.judge("a", "b", true, ""));
      }
      assertEquals(18, writer.mark());
      try (DedupIndex reader = DedupIndex.openReadOnly(directory, CONFIG)) {
        assertEquals(writer.clusters(), reader.clusters());
        assertEquals(18, reader.mark());
      }
    }
    try (DedupIndex reopened = DedupIndex.open(directory, CONFIG)) {
      assertEquals(18, reopened.mark());
      reopened.commit(19); // a mark alone is something to commit
    }
    try (DedupIndex reader = DedupIndex.openReadOnly(directory, CONFIG)) {
      assertEquals(19, reader.mark());
    }
  }

  @Test
  void directoryWithoutACommitIsRefusedForReading() {
    assertFalse(DedupIndex.hasCommit(directory));
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      assertTrue(DedupIndex.hasCommit(directory)); // of nothing
      try (DedupIndex reader = DedupIndex.openReadOnly(directory, CONFIG)) {
        assertEquals(Set.of(), reader.ids());
        assertEquals(0, reader.mark());
      }
      index.ingest(List.of(copy("a", 1)));
      index.commit();
      assertTrue(DedupIndex.hasCommit(directory));
    }
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> DedupIndex.openReadOnly(directory.resolve("nothing"), CONFIG));
    assertTrue(e.getMessage().contains("nothing"), e.getMessage());
  }

  @Test
  void readersGoOnWhileAWriterCommits() throws InterruptedException {
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      AtomicBoolean done = new AtomicBoolean();
      AtomicInteger reads = new AtomicInteger();
      List<Throwable> failures = new ArrayList<>();
      Thread reader =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (!done.get()) {
                        for (Cluster c : index.clusters()) {
                          assertEquals(2, c.members().size());
                          assertTrue(index.shingles(c.canonical()).orElseThrow().size() > 0);
                        }
                        reads.incrementAndGet();
                      }
                    } catch (Throwable t) {
                      failures.add(t);
                    }
                  });
      for (int i = 0; i < 60; i++) {
        index.ingest(List.of(copy("a" + i, i), copy("b" + i, i)));
        index.commit();
      }
      done.set(true);
      reader.join();
      assertEquals(List.of(), failures);
      assertTrue(reads.get() > 0);
    }
  }

  @Test
  void decisionsAboutSomeChunksAreThoseOfTheWholeView() {
    Property.check(
        "places agree with the map and the view",
        30,
        Texts.corpus(10, 80),
        documents -> {
          Map<String, String> texts = new HashMap<>();
          documents.forEach(d -> texts.put(d.id(), d.text()));
          try (DedupIndex index = DedupIndex.inMemory(CONFIG)) {
            index.ingest(documents);
            for (PromotionPolicy policy :
                List.of(PromotionPolicy.DEFAULT, PromotionPolicy.ONE_PER_CLUSTER)) {
              SuppressionView whole = index.view(policy, texts::get);
              List<String> ids = new ArrayList<>(texts.keySet());
              ids.add("unknown");
              Places places = index.places(ids, policy, texts::get, (id, m) -> true);
              assertEquals(whole.canonicalOf(), places.view().canonicalOf());
              assertEquals(whole.kept(), places.view().kept());
              assertEquals(Set.of("unknown"), places.unknown());
              Map<String, String> canonical = new HashMap<>();
              places
                  .memberships()
                  .forEach(
                      (id, m) -> {
                        if (!m.canonical().equals(id)) {
                          canonical.put(id, m.canonical());
                        }
                      });
              assertEquals(index.canonicalMap().canonicalOf(), canonical);
              Places none = index.places(ids, policy, texts::get, (id, m) -> false);
              assertEquals(Map.of(), none.view().canonicalOf());
            }
          }
        });
  }

  @Test
  void membershipHasAnotherVersionWhenItsClusterChangesAndOnlyThen() {
    try (DedupIndex index = DedupIndex.inMemory(CONFIG)) {
      index.ingest(List.of(copy("a", 1), copy("b", 1), copy("x", 2), copy("y", 2)));
      long before = version(index, "b");
      long other = version(index, "y");
      index.ingest(List.of(copy("z", 3)));
      assertEquals(before, version(index, "b"));
      index.ingest(List.of(copy("c", 1)));
      long grown = version(index, "b");
      assertTrue(grown != before);
      index.judge("a", "b", false, "");
      long judged = version(index, "b");
      assertTrue(judged != grown);
      index.remove("c");
      assertTrue(version(index, "b") != judged);
      assertEquals(other, version(index, "y"));
    }
  }

  private static long version(DedupIndex index, String id) {
    return index
        .places(List.of(id), PromotionPolicy.DEFAULT, x -> null, (i, m) -> false)
        .memberships()
        .get(id)
        .version();
  }
}
