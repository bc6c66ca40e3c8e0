package dev.petunia.benchmarks.dedup;

import dev.petunia.benchmarks.ann.Folders;
import dev.petunia.benchmarks.ann.MemoryUsed;
import dev.petunia.dedup.DedupConfig;
import dev.petunia.dedup.DedupIndex;
import dev.petunia.dedup.DedupStats;
import dev.petunia.dedup.Document;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A million made texts that come in twenty ingests, each committed. Of the 33rd of every 33 the
 * words are those of an earlier text but for one or two, so that near-duplicates reach across
 * batches; whether such a pair has J ≥ 0.9 is counted on the words.
 */
final class StreamPart implements DedupPart {
  private static final int WORDS = 104; // 100 shingles
  private static final int EACH_COPY = 33;

  @Override
  public String name() {
    return "stream";
  }

  private static boolean isCopy(int number) {
    return number > EACH_COPY && number % EACH_COPY == 0;
  }

  /** A text by its number alone, so that none need be kept. */
  private static List<String> words(int number) {
    SplittableRandom random = new SplittableRandom(number * 0x9E3779B97F4A7C15L);
    if (!isCopy(number)) {
      return MadeTexts.words(random, WORDS);
    }
    List<String> words = words(original(number));
    for (int edits = 1 + random.nextInt(2); edits > 0; edits--) {
      words.set(random.nextInt(WORDS), "other" + random.nextInt(1_000_000));
    }
    return words;
  }

  private static int original(int copy) {
    int o = new SplittableRandom(~copy).nextInt(copy);
    return isCopy(o) ? o + 1 : o; // the next one is none
  }

  @Override
  public void run(DedupContext c) throws Exception {
    int batches = c.isQuick() ? 4 : 20;
    int size = c.isQuick() ? 1000 : 50_000;
    Path folder = c.scratch().resolve("stream");
    List<Double> rates = new ArrayList<>();
    List<Double> commits = new ArrayList<>();
    DedupStats stats;
    long candidates = 0;
    double heap;
    c.print(
        "%nstream: %,d made texts of %d words, %d ingests of %,d into a folder, each committed; CPU"
            + " time of its thread%n",
        batches * size, WORDS, batches, size);
    long before = MemoryUsed.heap();
    try (DedupIndex index = DedupIndex.open(folder, DedupConfig.DEFAULT)) {
      for (int b = 0; b < batches; b++) {
        List<Document> documents = new ArrayList<>();
        for (int i = b * size; i < (b + 1) * size; i++) {
          documents.add(new Document("s" + i, String.join(" ", words(i))));
        }
        long[] compared = {0};
        double ingest =
            CpuTime.seconds(() -> compared[0] = index.ingest(documents).counts().candidates());
        double commit = CpuTime.seconds(index::commit);
        candidates += compared[0];
        rates.add(size / (ingest + commit));
        commits.add(commit);
        if (b % 5 == 4 || b == 0 || b == batches - 1) {
          c.print(
              "  ingest %2d: %,8.0f texts/s, its commit %.2f s, %d runs of bands%n",
              b + 1, size / (ingest + commit), commit, index.stats().bandRuns());
        }
      }
      stats = index.stats();
      heap = (double) (MemoryUsed.heap() - before) / (batches * size);
      checkPlanted(c, index, batches * size);
    }
    long bytes = Folders.bytes(folder);
    long start = System.nanoTime();
    try (DedupIndex index = DedupIndex.open(folder, DedupConfig.DEFAULT)) {
      double seconds = (System.nanoTime() - start) / 1e9;
      if (!index.stats().equals(stats)) {
        throw new IllegalStateException(index.stats() + " after opening, was " + stats);
      }
      c.print(
          "  opened again in %.2f s; %,d bytes in the folder, %.0f a text, bands %.1f; heap %.0f a"
              + " text; %,d pairs compared%n",
          seconds,
          bytes,
          (double) bytes / (batches * size),
          (double) stats.bandBytes() / stats.sets(),
          heap,
          candidates);
      c.add("stream.open_s", seconds, "s");
    }
    Folders.delete(folder);
    c.add("stream.first_docs_per_s", rates.get(1), "1/s"); // the very first one warms up
    c.add("stream.last_docs_per_s", rates.getLast(), "1/s");
    c.add("stream.last_commit_s", commits.getLast(), "s");
    c.add("stream.disk_bytes_per_doc", (double) bytes / (batches * size), "bytes");
    c.add("stream.lsh_bytes_per_doc", (double) stats.bandBytes() / stats.sets(), "bytes");
    c.add("stream.heap_bytes_per_doc", heap, "bytes");
  }

  /** Every planted pair must be there if its words say J ≥ 0.9, and no other edge. */
  private static void checkPlanted(DedupContext c, DedupIndex index, int size) {
    Map<String, Integer> edges = new HashMap<>();
    index
        .edges()
        .forEachExpanded(
            e -> {
              int a = Integer.parseInt(e.chunkA().substring(1));
              int b = Integer.parseInt(e.chunkB().substring(1));
              edges.put(Math.min(a, b) + " " + Math.max(a, b), e.overlap().intersection());
            });
    Map<String, Integer> numbers = new HashMap<>();
    int planted = 0;
    int found = 0;
    for (int copy = 0; copy < size; copy++) {
      if (!isCopy(copy)) {
        continue;
      }
      int[][] tokens = {numbers(words(original(copy)), numbers), numbers(words(copy), numbers)};
      numbers.clear();
      Pair exact = ExactSets.of(tokens).pair(0, 1);
      Integer inter = edges.remove(original(copy) + " " + copy);
      if (exact.isAtLeast(9)) {
        planted++;
        found += inter != null && inter == exact.intersection() ? 1 : 0;
      } else if (inter != null) {
        throw new IllegalStateException("an edge with J < 0.9: " + copy);
      }
    }
    // copies of one text may be near each other too; these are checked like the rest
    int amongCopies = 0;
    for (String key : edges.keySet()) {
      int space = key.indexOf(' ');
      int a = Integer.parseInt(key.substring(0, space));
      int b = Integer.parseInt(key.substring(space + 1));
      numbers.clear();
      int[][] tokens = {numbers(words(a), numbers), numbers(words(b), numbers)};
      if (!ExactSets.of(tokens).pair(0, 1).isAtLeast(9)) {
        throw new IllegalStateException("an edge with J < 0.9: " + key);
      }
      amongCopies++;
    }
    c.print(
        "  planted pairs with J >= .90: %,d, found %,d; other edges, among copies of one text: %d%n",
        planted, found, amongCopies);
    c.add("stream.planted_recall", planted == 0 ? 1 : (double) found / planted, "ratio");
  }

  private static int[] numbers(List<String> words, Map<String, Integer> numbers) {
    return words.stream().mapToInt(w -> numbers.computeIfAbsent(w, k -> numbers.size())).toArray();
  }
}
