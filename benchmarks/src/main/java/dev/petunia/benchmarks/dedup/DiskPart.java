package dev.petunia.benchmarks.dedup;

import dev.petunia.benchmarks.ann.Folders;
import dev.petunia.benchmarks.ann.MemoryUsed;
import dev.petunia.dedup.DedupConfig;
import dev.petunia.dedup.DedupIndex;
import dev.petunia.dedup.DedupStats;
import dev.petunia.dedup.Document;
import java.nio.file.Path;
import java.util.List;

/** Bytes a text takes in a folder and on the heap. */
final class DiskPart implements DedupPart {
  @Override
  public String name() {
    return "disk";
  }

  @Override
  public void run(DedupContext c) throws Exception {
    c.print("%nbytes%n");
    double most = 0;
    for (Corpus corpus : List.of(c.corpora().longer(), c.corpora().shorter())) {
      most = Math.max(most, measure(c, corpus));
    }
    c.add("lsh_bytes_per_doc", most, "bytes");
  }

  /** Bytes of bands for each distinct set. */
  private static double measure(DedupContext c, Corpus corpus) throws Exception {
    List<Document> documents = corpus.documents();
    int n = documents.size();
    Path folder = c.scratch().resolve("disk");
    double perSet;
    try (DedupIndex index = DedupIndex.open(folder, DedupConfig.DEFAULT)) {
      index.ingest(documents);
      index.commit();
      DedupStats s = index.stats();
      perSet = (double) s.bandBytes() / s.sets();
      double all = (double) Folders.bytes(folder) / n;
      c.print(
          "  %-10s on disk: bands %.1f for each of %,d distinct sets, %.1f a text; shingles %.0f a"
              + " text; in all %.0f a text%n",
          corpus.name(),
          perSet,
          s.sets(),
          (double) s.bandBytes() / n,
          (double) s.shingleBytes() / n,
          all);
      c.add(corpus.name() + ".disk_bytes_per_doc", all, "bytes");
    }
    double opened = heap(n, () -> DedupIndex.open(folder, DedupConfig.DEFAULT));
    Folders.delete(folder);
    double memory =
        heap(
            n,
            () -> {
              DedupIndex index = DedupIndex.inMemory(DedupConfig.DEFAULT);
              index.ingest(documents);
              return index;
            });
    c.print(
        "  %-10s on the heap: opened from a folder %.0f a text, in memory %.0f a text%n",
        "", opened, memory);
    c.add(corpus.name() + ".heap_bytes_per_doc_in_folder", opened, "bytes");
    c.add(corpus.name() + ".heap_bytes_per_doc_in_memory", memory, "bytes");
    return perSet;
  }

  /** Makes an index. */
  private interface Source {
    DedupIndex get();
  }

  private static double heap(int texts, Source source) throws InterruptedException {
    long before = MemoryUsed.heap();
    try (DedupIndex index = source.get()) {
      double each = (double) (MemoryUsed.heap() - before) / texts;
      // asked after the measurement, so that it is there during it
      if (index.stats().chunks() != texts) {
        throw new IllegalStateException(index.stats() + " of " + texts + " texts");
      }
      return each;
    }
  }
}
