package dev.petunia.benchmarks.dedup;

import dev.petunia.dedup.DedupConfig;
import dev.petunia.dedup.DedupIndex;
import dev.petunia.dedup.Edge;
import dev.petunia.dedup.RunReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an index found in a corpus, held against all pairs with J ≥ 0.8.
 *
 * @param identical pairs of equal sets
 * @param similar pairs with 0.9 ≤ J &lt; 1
 * @param counted pairs with 0.8 ≤ J &lt; 0.9: no edges, found are those that a band nominated
 * @param edges all edges, the stars of equal sets as pairs
 * @param wrongEdges of these, with J &lt; 0.9 or another overlap than counted here
 * @param histogramError difference between the run's histogram of 0.80 to 1 and the nominated pairs
 *     of distinct sets, summed over its 20 places
 */
record Found(
    Share identical,
    Share similar,
    Share counted,
    long edges,
    long wrongEdges,
    long histogramError) {

  /** How many of how many. */
  record Share(long found, long all) {
    double recall() {
      return all == 0 ? 1 : (double) found / all;
    }

    Share plus(Share other) {
      return new Share(found + other.found, all + other.all);
    }
  }

  Share edgeRecall() {
    return identical.plus(similar);
  }

  double precision() {
    return edges == 0 ? 1 : 1 - (double) wrongEdges / edges;
  }

  /** Ingests texts that have these sets, and looks. */
  static Found of(List<String> texts, ExactSets sets, List<Pair> truth) {
    try (DedupIndex index = DedupIndex.inMemory(DedupConfig.DEFAULT)) {
      RunReport run = index.ingest(Corpus.documents(texts));
      Map<Long, Edge> edges = new TreeMap<>();
      long[] wrong = {0};
      index
          .edges()
          .forEachExpanded(
              e -> {
                int a = Integer.parseInt(e.chunkA());
                int b = Integer.parseInt(e.chunkB());
                Pair exact = sets.pair(a, b);
                boolean isRight =
                    exact.isAtLeast(9)
                        && e.overlap().intersection() == exact.intersection()
                        && e.overlap().union() == exact.union()
                        && edges.put(exact.key(), e) == null;
                wrong[0] += isRight ? 0 : 1;
              });
      long[] found = new long[3];
      long[] all = new long[3];
      long[] bins = new long[20];
      List<Integer> firsts = firsts(sets);
      for (Pair p : truth) {
        int kind = p.isIdentical() ? 0 : p.isAtLeast(9) ? 1 : 2;
        boolean isNominated = kind == 0 || isNominated(index, texts, p);
        boolean isFound = kind == 2 ? isNominated : edges.containsKey(p.key());
        all[kind]++;
        found[kind] += isFound ? 1 : 0;
        // of equal sets the earliest stands for all, as in the histogram
        if (kind > 0 && isNominated && firsts.get(p.a()) == p.a() && firsts.get(p.b()) == p.b()) {
          bins[(int) (100L * p.intersection() / p.union()) - 80]++;
        }
      }
      long error = 0;
      for (int i = 0; i < bins.length; i++) {
        error += Math.abs(bins[i] - run.histogram().get(i));
      }
      return new Found(
          new Share(found[0], all[0]),
          new Share(found[1], all[1]),
          new Share(found[2], all[2]),
          edges.size() + wrong[0],
          wrong[0],
          error);
    }
  }

  private static boolean isNominated(DedupIndex index, List<String> texts, Pair p) {
    return index
        .explain(
            Integer.toString(p.a()), Integer.toString(p.b()), id -> texts.get(Integer.parseInt(id)))
        .isNominated();
  }

  /** For each text the first one with the same set. */
  private static List<Integer> firsts(ExactSets sets) {
    Map<String, Integer> seen = new HashMap<>();
    List<Integer> out = new ArrayList<>();
    for (int d = 0; d < sets.sets().length; d++) {
      Integer before = seen.putIfAbsent(Arrays.toString(sets.sets()[d]), d);
      out.add(before == null ? d : before);
    }
    return out;
  }
}
