package dev.petunia.benchmarks.ann;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Filters over a set, and the right answers under them.
 *
 * @param name in the metrics' names
 * @param note in a few words
 * @param filters the filters, and which of them each query has
 * @param truth the nearest rows that pass
 */
record FilterCase(String name, String note, RowFiles.Filters filters, ExactTruth truth) {
  /** Shares of rows that pass a random filter, and how its case is named. */
  private static final double[] SHARES = {0.5, 0.1, 0.01, 0.001};

  private static final String[] NAMES = {"filter50pct", "filter10pct", "filter1pct", "filter01pct"};

  /** Centres of the cells of the correlated filters: each cell holds 1 % of the rows on average. */
  private static final int CELLS = 100;

  private static final long SEED = 11;

  /** All cases of a set. */
  static List<FilterCase> of(AnnSet set, int threads) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(SEED);
    List<FilterCase> cases = new ArrayList<>();
    int n = set.base().length;
    for (int i = 0; i < SHARES.length; i++) {
      BitSet passing = sample(n, Math.max(1, (int) Math.round(n * SHARES[i])), random);
      cases.add(
          of(
              NAMES[i],
              "passed by " + passing.cardinality() + " rows at random",
              new RowFiles.Filters(List.of(passing), new int[set.queries().length]),
              set,
              threads));
    }
    cases.addAll(correlated(set, threads, random));
    return cases;
  }

  /**
   * Rows fall to the nearest of some rows chosen at random; a filter passes one such cell. The
   * nearest cell to the query, and the farthest.
   */
  private static List<FilterCase> correlated(AnnSet set, int threads, SplittableRandom random)
      throws InterruptedException {
    int[] chosen = sample(set.base().length, CELLS, random).stream().toArray();
    float[][] centres = new float[chosen.length][];
    for (int c = 0; c < chosen.length; c++) {
      centres[c] = set.base()[chosen[c]];
    }
    List<BitSet> cells = new ArrayList<>();
    for (int c = 0; c < centres.length; c++) {
      cells.add(new BitSet());
    }
    for (int row = 0; row < set.base().length; row++) {
      cells.get(extreme(set.base()[row], centres, 1)).set(row);
    }
    int queries = set.queries().length;
    int[] near = new int[queries];
    int[] far = new int[queries];
    for (int q = 0; q < queries; q++) {
      near[q] = extreme(set.queries()[q], centres, 1);
      far[q] = extreme(set.queries()[q], centres, -1);
    }
    RowFiles.Filters nearest = new RowFiles.Filters(cells, near);
    RowFiles.Filters farthest = new RowFiles.Filters(cells, far);
    return List.of(
        of("filter_near", "the query's own cell of " + cells.size(), nearest, set, threads),
        of("filter_far", "the cell farthest from the query", farthest, set, threads));
  }

  private static FilterCase of(
      String name, String note, RowFiles.Filters filters, AnnSet set, int threads)
      throws InterruptedException {
    ExactTruth truth =
        ExactTruth.among(set, filters.passing(), filters.ofQuery(), AnnPlan.K, threads);
    return new FilterCase(name, note, filters, truth);
  }

  /** With the first queries only. */
  FilterCase first(int count) {
    int[] ofQuery = Arrays.copyOf(filters.ofQuery(), count);
    return new FilterCase(
        name, note, new RowFiles.Filters(filters.passing(), ofQuery), truth.first(count));
  }

  /** The centre with the greatest dot product, or the least when {@code sign} is −1. */
  private static int extreme(float[] v, float[][] centres, int sign) {
    int best = 0;
    double most = Double.NEGATIVE_INFINITY;
    for (int c = 0; c < centres.length; c++) {
      double dot = sign * (1 - ExactTruth.distance(v, centres[c]));
      if (dot > most) {
        most = dot;
        best = c;
      }
    }
    return best;
  }

  /** So many different numbers below n. */
  static BitSet sample(int n, int count, SplittableRandom random) {
    BitSet out = new BitSet(n);
    for (int left = Math.min(n, count); left > 0; ) {
      int row = random.nextInt(n);
      if (!out.get(row)) {
        out.set(row);
        left--;
      }
    }
    return out;
  }

  /** Checks answers as always, and that every row passes. */
  void check(String system, AnnSet set, Answers answers) {
    answers.check(system, set, truth);
    int k = answers.k();
    for (int i = 0; i < answers.rows().length; i++) {
      int row = answers.rows()[i];
      if (row >= 0 && !filters.passing().get(filters.ofQuery()[i / k]).get(row)) {
        throw new IllegalStateException(
            system + ", " + name + ", query " + i / k + ": row " + row + " does not pass");
      }
    }
  }
}
