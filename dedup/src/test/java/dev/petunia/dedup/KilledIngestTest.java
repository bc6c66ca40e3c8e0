package dev.petunia.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.ProgressListener;
import dev.petunia.core.testing.KilledChild;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledIngestTest {
  private static final int KILLS = 8;
  private static final int BATCH = 40;
  private static final DedupConfig CONFIG =
      DedupConfig.DEFAULT.withClock(InstantSource.fixed(Instant.ofEpochSecond(1_700_000_000)));

  @TempDir Path directory;

  /** The same documents for a batch in every process; near-duplicates of earlier batches too. */
  private static List<Document> batch(int number) {
    List<Document> out = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      int n = number * BATCH + i;
      SplittableRandom random = new SplittableRandom(n);
      int base = random.nextInt(3) > 0 ? random.nextInt(Math.max(1, n)) : n;
      List<String> words = Texts.words(new SplittableRandom(base % 97), 80, 3000);
      out.add(
          new Document("d" + n, String.join(" ", Texts.edited(random, words, random.nextInt(3)))));
    }
    return out;
  }

  /** The writer: a batch, a commit, and it says so when the commit has returned. */
  public static void main(String[] args) {
    try (DedupIndex index = DedupIndex.open(Path.of(args[0]), CONFIG)) {
      int number = index.stats().chunks() / BATCH;
      System.out.println("open " + number);
      while (true) {
        index.ingest(batch(number++));
        index.commit(number);
        System.out.println("done " + number);
      }
    }
  }

  private static List<String> edges(DedupIndex index) {
    List<String> out = new ArrayList<>();
    index.edges().forEach(e -> out.add(e.chunkA() + " " + e.chunkB() + " " + e.overlap()));
    return out;
  }

  @Test
  void killedIngestLosesNoCommittedEdgeAndRepeatsNone() throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    int last = 0;
    try (DedupIndex expected = DedupIndex.inMemory(CONFIG)) {
      for (int kill = 0; kill < KILLS; kill++) {
        KilledChild writer =
            KilledChild.start(
                KilledIngestTest.class,
                directory.resolve("log" + kill),
                directory.resolve("index").toString());
        List<String> said = writer.killAfter(2 + random.nextInt(4), random.nextInt(20_000));
        assertEquals("open " + last, said.getFirst());
        int seen = Integer.parseInt(said.getLast().substring(5));
        try (DedupIndex index = DedupIndex.open(directory.resolve("index"), CONFIG)) {
          index.verify(ProgressListener.NONE);
          int found = index.stats().chunks() / BATCH;
          assertTrue(found == seen || found == seen + 1, seen + " were done, found " + found);
          assertEquals(found, index.mark());
          while (last < found) {
            expected.ingest(batch(last++));
          }
          List<String> edges = edges(index);
          assertEquals(edges(expected), edges);
          Set<String> distinct = new HashSet<>(edges);
          assertEquals(distinct.size(), edges.size());
          assertEquals(expected.clusters(), index.clusters());
          assertEquals(
              expected.runs().stream().map(RunReport::runId).toList(),
              index.runs().stream().map(RunReport::runId).toList());
        }
      }
      assertTrue(edges(expected).size() > 100, "there are edges to lose");
    }
  }
}
