package dev.petunia.benchmarks.dedup;

import dev.petunia.dedup.DedupConfig;
import dev.petunia.dedup.DedupIndex;
import dev.petunia.dedup.Document;
import dev.petunia.dedup.RunReport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A template in 10,000 chunks: 118 of 150 shingles are common to all, J = 0.65, so that half of the
 * chunks meet in one bucket. Planted among them are copies with another last word, J ≥ 0.9.
 */
final class HotPart implements DedupPart {
  private static final int COMMON = 122; // words: 118 shingles
  private static final int OWN = 32;
  private static final int EACH_COPY = 50;

  @Override
  public String name() {
    return "hot";
  }

  @Override
  public void run(DedupContext c) throws Exception {
    int size = c.isQuick() ? 1000 : 10_000;
    SplittableRandom random = new SplittableRandom(11);
    List<String> template = MadeTexts.words(random, COMMON);
    List<Document> documents = new ArrayList<>();
    Set<String> planted = new HashSet<>();
    List<String> before = List.of();
    for (int i = 0; i < size; i++) {
      List<String> words = new ArrayList<>(template);
      if (i % EACH_COPY == EACH_COPY - 1) {
        words = new ArrayList<>(before);
        words.set(words.size() - 1, "copy" + i);
        planted.add((i - 1) + " " + i);
      } else {
        for (int w = 0; w < OWN; w++) {
          words.add("own" + random.nextInt(10_000_000));
        }
      }
      before = words;
      documents.add(new Document(Integer.toString(i), String.join(" ", words)));
    }
    RunReport run = check(documents, planted);
    double seconds = CpuTime.best(c.isQuick() ? 1 : 3, () -> check(documents, planted));
    c.print(
        "%nhot bucket: %,d chunks share %d of %d shingles; from texts to edges %.3f s of CPU; %,d"
            + " hot buckets, %,d sets in them, %,d pairs compared; all %d planted pairs found, and"
            + " no other%n",
        size,
        COMMON - 4,
        COMMON + OWN - 4,
        seconds,
        run.counts().hotBuckets(),
        run.counts().hotSets(),
        run.counts().candidates(),
        planted.size());
    c.add("hot_bucket_s", seconds, "s");
    removing(c, String.join(" ", template));
  }

  /** From many chunks with one text some are removed: the others must not be walked for each. */
  private static void removing(DedupContext c, String text) throws Exception {
    int size = c.isQuick() ? 2000 : 20_000;
    int gone = size / 20;
    List<Document> documents = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      documents.add(new Document("x" + i, text));
      if (i % 3 == 0 && ids.size() < gone) {
        ids.add("x" + i);
      }
    }
    try (DedupIndex index = DedupIndex.inMemory(DedupConfig.DEFAULT)) {
      index.ingest(documents);
      double seconds = CpuTime.seconds(() -> index.remove(ids));
      int left = index.clusterOf("x1").orElseThrow().members().size();
      if (left != size - gone) {
        throw new IllegalStateException(left + " are left of " + size);
      }
      c.print(
          "equal texts: of %,d chunks %,d removed at once in %.3f s of CPU%n", size, gone, seconds);
      c.add("remove_equal_s", seconds, "s");
    }
  }

  private static RunReport check(List<Document> documents, Set<String> planted) {
    try (DedupIndex index = DedupIndex.inMemory(DedupConfig.DEFAULT)) {
      RunReport run = index.ingest(documents);
      Set<String> found = new HashSet<>();
      index
          .edges()
          .forEachExpanded(
              e -> {
                int a = Integer.parseInt(e.chunkA());
                int b = Integer.parseInt(e.chunkB());
                found.add(Math.min(a, b) + " " + Math.max(a, b));
              });
      if (!found.equals(planted)) {
        throw new IllegalStateException(found.size() + " pairs found, planted " + planted.size());
      }
      return run;
    }
  }
}
