package dev.petunia.benchmarks.dedup;

import dev.petunia.dedup.CanonicalMap;
import dev.petunia.dedup.Cluster;
import dev.petunia.dedup.DedupConfig;
import dev.petunia.dedup.DedupIndex;
import dev.petunia.dedup.Document;
import dev.petunia.dedup.Edge;
import dev.petunia.dedup.RunReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** 1, 2 and 8 threads and other orders of the list: how quick, and whether all is the same. */
final class ScalingPart implements DedupPart {
  private static final DedupConfig CONFIG =
      DedupConfig.DEFAULT.withClock(() -> Instant.EPOCH); // so that runs are equal

  @Override
  public String name() {
    return "scaling";
  }

  /** All that an index says. */
  private record Output(
      RunReport report, List<Edge> edges, List<Cluster> clusters, CanonicalMap map) {}

  /** What a run said, and its seconds on the clock. */
  private record Timed(Output output, double seconds) {}

  @Override
  public void run(DedupContext c) throws Exception {
    c.print(
        "%nthreads: seconds on the clock, %d processors; edges, clusters and map compared%n",
        Runtime.getRuntime().availableProcessors());
    for (Corpus corpus : List.of(c.corpora().longer(), c.corpora().shorter())) {
      List<Document> documents = new ArrayList<>();
      for (Document d : corpus.documents()) {
        documents.add(new Document(d.id(), d.text(), documents.size()));
      }
      Timed one = best(c, documents, 1);
      for (int threads : new int[] {2, 8}) {
        Timed more = best(c, documents, threads);
        require(one, more, threads + " threads");
        c.print(
            "  %-10s 1 thread %.2f s, %d threads %.2f s: %.2f x; output the same%n",
            corpus.name(), one.seconds(), threads, more.seconds(), one.seconds() / more.seconds());
        c.add(
            corpus.name() + ".speedup_threads" + threads, one.seconds() / more.seconds(), "ratio");
      }
      for (int seed = 0; seed < 2; seed++) {
        List<Document> shuffled = new ArrayList<>(documents);
        Collections.shuffle(shuffled, new Random(seed));
        require(one, once(shuffled, 2), "another order of the list");
      }
      c.print(
          "  %-10s 2 other orders of the list with the same sequence numbers: output the same (%,d"
              + " edges, %,d clusters)%n",
          "", one.output().edges().size(), one.output().clusters().size());
    }
    c.add("identical_outputs", 1, "ratio");
  }

  private static void require(Timed a, Timed b, String what) {
    if (!a.output().equals(b.output())) {
      throw new IllegalStateException("another output with " + what);
    }
  }

  private static Timed best(DedupContext c, List<Document> documents, int threads) {
    Timed best = once(documents, threads);
    for (int i = 0; i < c.rounds(); i++) {
      Timed t = once(documents, threads);
      require(best, t, "the same options");
      best = t.seconds() < best.seconds() ? t : best;
    }
    return best;
  }

  private static Timed once(List<Document> documents, int threads) {
    try (DedupIndex index = DedupIndex.inMemory(CONFIG.withThreads(threads))) {
      long start = System.nanoTime();
      RunReport report = index.ingest(documents);
      double seconds = (System.nanoTime() - start) / 1e9;
      List<Edge> edges = new ArrayList<>();
      index.edges().forEach(edges::add);
      return new Timed(new Output(report, edges, index.clusters(), index.canonicalMap()), seconds);
    }
  }
}
