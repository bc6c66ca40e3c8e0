package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.COSINE;
import static dev.petunia.hnsw.Given.id;
import static dev.petunia.hnsw.Given.ids;
import static dev.petunia.hnsw.Given.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Generators;
import dev.petunia.core.testing.Vectors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a commit brings back, and at which generation. */
class StoreTest {
  @TempDir Path folder;

  private Path directory() {
    return folder.resolve("index");
  }

  private static HnswConfig config(Similarity similarity) {
    return Given.config(16, similarity).m(4).efConstruction(40).build();
  }

  // ---- round trips ---------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource(Similarity.class)
  void everythingComesBackAsItWasCommitted(Similarity similarity) {
    SplittableRandom random = Given.random(1);
    List<String> names = Generators.distinctIds(500).generate(random);
    List<float[]> vectors = Vectors.withDuplicates(500, 16).generate(random);
    try (HnswIndex index = HnswIndex.open(directory(), config(similarity))) {
      List<VectorEntry> entries = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        entries.add(new VectorEntry(names.get(i), vectors.get(i)));
      }
      index.upsertAll(entries, ProgressListener.NONE);
      for (int i = 0; i < 500; i += 9) {
        index.delete(names.get(i));
      }
      assertEquals(1, index.commit());
      try (HnswIndex again = HnswIndex.openReadOnly(directory(), config(similarity))) {
        again.verify();
        assertEquals(index.size(), again.size());
        assertEquals(1, again.generation());
        for (int i = 0; i < 500; i++) {
          assertEquals(i % 9 != 0, again.contains(names.get(i)));
          assertArrayEquals(index.vector(names.get(i)), again.vector(names.get(i)));
        }
        for (int q = 0; q < 50; q++) {
          VectorQuery query = VectorQuery.builder(vectors.get(q)).ef(20).limit(20).build();
          assertEquals(index.search(query).hits(), again.search(query).hits());
        }
      }
    }
  }

  @Test
  void anEmptyIndexAndOneThatBecameEmptyComeBack() {
    for (int round = 0; round < 3; round++) {
      try (HnswIndex index = HnswIndex.open(directory(), config(COSINE))) {
        assertEquals(0, index.size());
        assertEquals(2 * round, index.generation());
        index.commit();
        index.verify();
        index.add("a", Vectors.unit(16).generate(Given.random(round)));
        index.delete("a");
        index.commit();
      }
    }
    try (HnswIndex index = HnswIndex.open(directory(), config(COSINE))) {
      index.add("a", Vectors.unit(16).generate(Given.random(9)));
      index.verify();
      assertEquals(1, index.size());
      assertEquals(6, index.generation());
    }
  }

  @Test
  void whatWasNotCommittedIsGone() {
    float[] v = Vectors.unit(16).generate(Given.random(1));
    try (HnswIndex index = HnswIndex.open(directory(), config(COSINE))) {
      index.add("a", v);
      index.commit();
      index.add("b", v);
      index.delete("a");
    }
    try (HnswIndex index = HnswIndex.open(directory(), config(COSINE))) {
      assertTrue(index.contains("a"));
      assertFalse(index.contains("b"));
      index.verify();
    }
  }

  @Test
  void reopeningBuildsNothing() {
    List<float[]> vectors = Vectors.units(300, 16).generate(Given.random(2));
    int[] links = new int[2];
    for (int round = 0; round < 2; round++) {
      try (HnswIndex index = HnswIndex.open(directory(), config(COSINE))) {
        if (round == 0) {
          Given.fill(index, vectors);
          index.commit();
        }
        int[] out = new int[8];
        for (int node = 0; node < 300; node++) {
          int n = index.state().graph.neighbours(node, 0, out);
          for (int i = 0; i < n; i++) {
            links[round] = links[round] * 31 + out[i];
          }
        }
      }
    }
    assertEquals(links[0], links[1]);
  }

  @Test
  void manySmallCommitsLoseNothing() {
    for (int run = 0; run < 30; run++) {
      Path directory = folder.resolve("run-" + run);
      List<float[]> arc = new ArrayList<>();
      for (int i = 0; i < 30; i++) { // unit vectors, 0.01 rad from one to the next
        float[] v = new float[16];
        v[0] = (float) Math.cos(0.01 * i);
        v[1] = (float) Math.sin(0.01 * i);
        arc.add(v);
      }
      for (int commit = 0; commit < 3; commit++) {
        try (HnswIndex index =
            HnswIndex.open(directory, Given.config(16, COSINE).threads(4).build())) {
          List<VectorEntry> ten = Given.entries(arc).subList(10 * commit, 10 * commit + 10);
          index.upsertAll(ten, ProgressListener.NONE);
          index.commit();
        }
      }
      try (HnswIndex index = HnswIndex.openReadOnly(directory, Given.config(16, COSINE).build())) {
        index.verify();
        for (int i = 0; i < 30; i++) {
          assertEquals(id(i), Given.top(index, arc.get(i)));
        }
        assertEquals(
            30, ids(index.search(VectorQuery.builder(arc.get(7)).limit(50).build())).size());
      }
    }
  }

  // ---- generations ---------------------------------------------------------------------------

  @Test
  void theLastTwoCommitsAreKeptAndCanBothBeOpened() throws IOException {
    List<Long> prints = Contents.commits(directory(), 5);
    assertEquals(
        List.of("commit", "graph-0000000002.pv", "vectors-0000000001.pv", "write.lock"),
        Contents.files(directory()));
    for (int g = 4; g <= 5; g++) {
      try (HnswIndex index = HnswIndex.openReadOnly(directory(), Contents.config(), g)) {
        assertEquals(prints.get(g), Contents.fingerprint(index));
        assertEquals(g, index.generation());
        index.verify();
      }
    }
    try (HnswIndex index = HnswIndex.open(directory(), Contents.config(), 5)) {
      assertEquals(prints.get(5), Contents.fingerprint(index));
    }
    assertEquals(4, Contents.files(directory()).size());
  }

  @Test
  void openingAtTheCommitBeforeRollsBackExactly() throws IOException {
    List<Long> prints = Contents.commits(directory(), 5);
    try (HnswIndex index = HnswIndex.open(directory(), Contents.config(), 4)) {
      assertEquals(prints.get(4), Contents.fingerprint(index));
      assertEquals(4, index.generation());
      assertEquals(
          List.of("commit", "graph-0000000002.pv", "vectors-0000000001.pv", "write.lock"),
          Contents.files(directory()));
    }
    try (HnswIndex index = HnswIndex.open(directory(), Contents.config())) {
      assertEquals(prints.get(4), Contents.fingerprint(index));
      Contents.change(index, 99);
      assertEquals(5, index.commit());
      index.verify();
    }
  }

  @Test
  void openingAtNoCommitStartsEmpty() throws IOException {
    Contents.commits(directory(), 3);
    try (HnswIndex index = HnswIndex.open(directory(), Contents.config(), 0)) {
      assertEquals(0, index.size());
      assertEquals(List.of("commit", "write.lock"), Contents.files(directory()));
    }
    refused(
        () -> HnswIndex.openReadOnly(directory(), Contents.config()),
        "directory",
        "a committed index");
    try (HnswIndex index = HnswIndex.open(directory(), Contents.config())) {
      assertEquals(0, index.size());
      assertEquals(0, index.generation());
      Contents.change(index, 1);
      assertEquals(1, index.commit());
    }
  }

  @Test
  void aCommitThatIsNotThereIsNamedAndNothingIsDiscarded() throws IOException {
    Contents.commits(directory(), 5);
    List<String> before = Contents.files(directory());
    for (long g : new long[] {1, 3, 6, 1_000_000}) {
      CorruptIndexException e =
          assertThrows(
              CorruptIndexException.class, () -> HnswIndex.open(directory(), Contents.config(), g));
      assertTrue(String.valueOf(e.getMessage()).contains("the last one is 5"), e::toString);
      assertThrows(
          CorruptIndexException.class,
          () -> HnswIndex.openReadOnly(directory(), Contents.config(), g));
    }
    refused(() -> HnswIndex.open(directory(), Contents.config(), -1), "generation", "-1");
    refused(() -> HnswIndex.openReadOnly(directory(), Contents.config(), 0), "generation", "0");
    assertEquals(before, Contents.files(directory()));
  }

  // ---- commits that fail -----------------------------------------------------------------------

  @Test
  void anIndexInMemoryHasNothingToCommitTo() {
    HnswIndex index = HnswIndex.inMemory(Contents.config());
    assertThrows(IllegalStateException.class, index::commit);
    assertEquals(0, index.generation());
    index.verify();
  }

  @Test
  void aFirstCommitThatWasCutShortLeavesAnEmptyIndex() throws IOException {
    try (HnswIndex index = HnswIndex.open(directory(), Contents.config())) {
      Contents.change(index, 1);
      Files.createDirectory(directory().resolve("commit.tmp")); // so that it can't be written
      Files.writeString(directory().resolve("commit.tmp").resolve("x"), "x");
      assertThrows(UncheckedIOException.class, index::commit);
      Files.delete(directory().resolve("commit.tmp").resolve("x"));
      Files.delete(directory().resolve("commit.tmp"));
    }
    try (HnswIndex index = HnswIndex.open(directory(), Contents.config())) {
      assertEquals(0, index.size());
      assertEquals(List.of("write.lock"), Contents.files(directory()));
    }
  }

  @Test
  void aCommitFromAProgressListenerIsRefusedInsteadOfWaitingForItself() {
    try (HnswIndex index = HnswIndex.open(directory(), Contents.config())) {
      List<VectorEntry> one = List.of(new VectorEntry(id(1), new float[8]));
      for (Runnable call : List.<Runnable>of(index::commit, index::verify, index::close)) {
        assertThrows(
            IllegalStateException.class,
            () ->
                index.upsertAll(
                    one,
                    (stage, done, total) -> {
                      call.run();
                      return true;
                    }));
      }
      assertEquals(1, index.commit());
    }
  }

  @Test
  void anInterruptedCommitFailsAndCanBeTriedAgain() {
    try (HnswIndex index = HnswIndex.open(directory(), Contents.config())) {
      Contents.change(index, 1);
      Thread.currentThread().interrupt();
      assertThrows(UncheckedIOException.class, index::commit);
      assertTrue(Thread.interrupted());
      long print = Contents.fingerprint(index);
      assertEquals(1, index.commit());
      index.verify();
      try (HnswIndex again = HnswIndex.openReadOnly(directory(), Contents.config())) {
        assertEquals(print, Contents.fingerprint(again));
      }
    }
  }
}
