package dev.petunia.retriever;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.testing.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Near-duplicates when commits fail, folders don't fit together, or chunks are being replaced. */
class NearDuplicatesFaultsTest {
  @TempDir Path directory;

  private static RetrieverConfig config(UnaryOperator<RetrieverConfig.Builder> options) {
    return options.apply(RetrieverConfig.builder(new WordsEmbedder()).threads(1)).build();
  }

  private Retriever open(UnaryOperator<RetrieverConfig.Builder> options) {
    return Retriever.open(directory, config(options));
  }

  private static void put(Retriever r, String id, String text) {
    r.ingest(List.of(new Chunk(id, id, 0, text)).iterator(), ProgressListener.NONE, 1);
  }

  private static String text(int number) {
    SplittableRandom random = new SplittableRandom(number);
    StringBuilder text = new StringBuilder("harbour");
    for (int i = 0; i < 40; i++) {
      text.append(" w").append(random.nextInt(500));
    }
    return text.toString();
  }

  @Test
  void commitThatFailsHalfWayIsNotTriedAgainAndTheLastOneStays() throws IOException {
    try (Retriever r = open(b -> b)) {
      put(r, "a", text(1));
      r.commit();
      put(r, "b", text(1));
      Path inTheWay = directory.resolve("duplicates").resolve("commit.tmp");
      Files.createDirectories(inTheWay.resolve("full"));
      assertThrows(UncheckedIOException.class, r::commit);
      Files.delete(inTheWay.resolve("full"));
      Files.delete(inTheWay);
      for (int i = 0; i < 3; i++) {
        String message = assertThrows(IllegalStateException.class, r::commit).getMessage();
        assertTrue(message.contains("reopen the last commit"), message);
      }
    }
    try (Retriever r = open(b -> b)) {
      assertEquals(1, r.size());
      assertTrue(r.get("a").isPresent());
      r.verify();
      put(r, "c", text(1));
      r.commit();
    }
    try (Retriever r = open(b -> b)) {
      assertEquals(2, r.size());
      r.verify();
    }
  }

  @Test
  void readerOfAnIndexThatWasChangedWithoutNearDuplicatesSaysSoAndLeavesNoneOut() {
    try (Retriever r = open(b -> b)) {
      put(r, "a", text(1));
      put(r, "b", text(1));
      r.commit();
    }
    try (Retriever r = open(RetrieverConfig.Builder::noNearDuplicates)) {
      put(r, "b", text(2)); // no near-duplicate of a any more
      r.commit();
    }
    try (Retriever r = Retriever.openReadOnly(directory, config(b -> b))) {
      assertTrue(r.nearDuplicates().isEmpty());
      Floor floor = r.ask(FloorRequest.of("harbour"));
      assertEquals(2, floor.passages().size());
      assertTrue(floor.notes().contains(Duplicates.NOT_OF_THIS), floor.notes()::toString);
      assertEquals(List.of(), r.ask(FloorRequest.of("harbour").collapse(false)).notes());
    }
    try (Retriever r =
        Retriever.openReadOnly(directory, config(RetrieverConfig.Builder::noNearDuplicates))) {
      assertEquals(List.of(), r.ask(FloorRequest.of("harbour")).notes());
    }
    try (Retriever r = open(b -> b)) { // a writer brings them up to the texts
      r.verify();
    }
    try (Retriever r = Retriever.openReadOnly(directory, config(b -> b))) {
      assertTrue(r.nearDuplicates().isPresent());
      assertEquals(List.of(), r.ask(FloorRequest.of("harbour")).notes());
    }
  }

  @Test
  void searchesWhileChunksAreReplacedNeverShowOneTextTwice() throws InterruptedException {
    try (Retriever r = open(b -> b)) {
      for (int i = 0; i < 8; i++) {
        put(r, "c" + i, text(i));
      }
      Threads.run(
          3,
          thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int i = 0; i < 300; i++) {
              if (thread == 0) {
                put(r, "c" + random.nextInt(8), text(random.nextInt(4)));
              } else {
                Set<String> texts = new HashSet<>();
                for (Passage p : r.search(RetrievalRequest.of("harbour")).passages()) {
                  assertTrue(texts.add(p.chunk().text()), p.chunk().id());
                }
                texts.clear();
                for (FloorPassage p : r.ask(FloorRequest.of("harbour")).passages()) {
                  assertTrue(texts.add(p.chunk().text()), p.chunk().id());
                }
              }
            }
          });
      r.verify();
    }
  }
}
