package dev.petunia.benchmarks.dedup;

import dev.petunia.benchmarks.ann.Folders;
import dev.petunia.dedup.DedupConfig;
import dev.petunia.dedup.DedupIndex;
import dev.petunia.dedup.Document;
import dev.petunia.dedup.ShingleSet;
import dev.petunia.dedup.Shingler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Rates of one thread, by its CPU time: texts to edges with the normalizer, and texts to sets. */
final class SpeedPart implements DedupPart {
  private static final int SHINGLES = 160;

  @Override
  public String name() {
    return "speed";
  }

  @Override
  public void run(DedupContext c) throws Exception {
    c.print("%nrates by CPU time of one thread, warm, best of rounds%n");
    signatures(c);
    for (Corpus corpus : List.of(c.corpora().longer(), c.corpora().shorter())) {
      List<Document> documents = corpus.documents();
      int n = documents.size();
      double shingles = n / CpuTime.best(c.rounds(), () -> shingle(corpus));
      double memory = n / CpuTime.best(c.rounds(), () -> inMemory(documents));
      double folder = n / CpuTime.best(c.rounds(), () -> inFolder(documents, c.scratch()));
      double mean =
          corpus.texts().stream()
              .mapToInt(t -> Shingler.v1().shingles(t).size())
              .average()
              .orElse(0);
      c.print(
          "  %-10s %,8d texts, %.0f shingles: normalized and shingled %,9.0f/s; end to end in"
              + " memory %,9.0f/s, in a folder with commit %,9.0f/s%n",
          corpus.name(), n, mean, shingles, memory, folder);
      c.add(corpus.name() + ".shingles_docs_per_s", shingles, "1/s");
      c.add(corpus.name() + ".docs_per_s", memory, "1/s");
      c.add(corpus.name() + ".folder_docs_per_s", folder, "1/s");
    }
  }

  private static void signatures(DedupContext c) throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    List<long[]> sets = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      sets.add(random.longs(SHINGLES).sorted().toArray());
    }
    Contestant own = Contestants.petunia();
    double rate = sets.size() / CpuTime.best(c.rounds(), () -> sign(own, sets));
    c.print("  signatures of 126 minima of %d shingles: %,.0f/s%n", SHINGLES, rate);
    c.add("signature_docs_per_s", rate, "1/s");
  }

  /** Signs all; the sum keeps the work from being left out. */
  static void sign(Contestant contestant, List<long[]> sets) {
    int sum = 0;
    for (long[] set : sets) {
      sum += contestant.sign(set);
    }
    sink = sum;
  }

  @SuppressWarnings("unused")
  private static volatile int sink;

  private static void shingle(Corpus corpus) {
    int sum = 0;
    for (String text : corpus.texts()) {
      ShingleSet set = Shingler.v1().shingles(text);
      sum += set.size();
    }
    sink = sum;
  }

  private static void inMemory(List<Document> documents) {
    try (DedupIndex index = DedupIndex.inMemory(DedupConfig.DEFAULT)) {
      require(index.ingest(documents).counts().documents() == documents.size());
    }
  }

  private static void inFolder(List<Document> documents, Path scratch) throws IOException {
    Path folder = scratch.resolve("speed");
    try (DedupIndex index = DedupIndex.open(folder, DedupConfig.DEFAULT)) {
      require(index.ingest(documents).counts().documents() == documents.size());
      index.commit();
    }
    Folders.delete(folder);
  }

  private static void require(boolean isTrue) {
    if (!isTrue) {
      throw new IllegalStateException("not all documents were ingested");
    }
  }
}
