package dev.petunia.retriever;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.testing.KilledChild;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process that commits, at random moments, and looks at what a new one opens. */
class CrashTest {
  private static final int KILLS = Integer.getInteger("petunia.crash.kills", 8);

  @TempDir Path directory;

  private static RetrieverConfig config() {
    return RetrieverConfig.builder(new WordsEmbedder()).threads(1).build();
  }

  private static int round(Retriever r) {
    return Integer.parseInt(r.get("c0").orElseThrow().text().split(" ", -1)[1]);
  }

  /** The writer: each round replaces every chunk, and says so when the commit has returned. */
  public static void main(String[] args) {
    try (Retriever r = Retriever.open(Path.of(args[0]), config())) {
      int round = r.size() == 0 ? 0 : round(r);
      System.out.println("open " + round);
      while (true) {
        round++;
        List<Chunk> chunks = new ArrayList<>();
        // the number of chunks goes up and down, so that a mix of two rounds has a wrong size
        for (int i = 0; i < 20 + round % 7; i++) {
          chunks.add(new Chunk("c" + i, "e", i, "round " + round + " chunk " + i));
        }
        for (int i = 20 + round % 7; i < 27; i++) {
          r.delete(List.of("c" + i));
        }
        r.ingest(chunks.iterator(), ProgressListener.NONE, -1);
        r.commit();
        System.out.println("done " + round);
      }
    }
  }

  @Test
  void afterAKillAtAnyMomentAllIndexesAreAtTheLastCommitOrAtTheOneThatWasBeingMade()
      throws Exception {
    SplittableRandom random = new SplittableRandom(20_26);
    int last = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      KilledChild writer =
          KilledChild.start(
              CrashTest.class,
              directory.resolve("log" + kill),
              directory.resolve("index").toString());
      List<String> said = writer.killAfter(2 + random.nextInt(5), random.nextInt(30_000));
      assertEquals("open " + last, said.getFirst());
      int seen = Integer.parseInt(said.getLast().substring(5));
      try (Retriever r = Retriever.open(directory.resolve("index"), config())) {
        r.verify();
        int round = round(r);
        assertTrue(round == seen || round == seen + 1, "acknowledged " + seen + ", found " + round);
        assertEquals(20 + round % 7, r.size());
        for (int i = 0; i < r.size(); i++) {
          assertEquals("round " + round + " chunk " + i, r.get("c" + i).orElseThrow().text());
        }
        // the vectors are of the same round as the texts
        RetrievalResult found =
            r.search(
                RetrievalRequest.of("round " + round + " chunk 3")
                    .mode(RetrievalRequest.Mode.DENSE));
        assertEquals("c3", found.passages().getFirst().chunk().id());
        assertEquals(1f, found.passages().getFirst().dense().orElseThrow().score(), 1e-6f);
        last = round;
      }
    }
  }
}
