package dev.petunia.benchmarks.ann;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * What a system answered to all queries of a set: for query q and rank r, row and distance are at
 * {@code q * k + r}, nearest first.
 */
@SuppressWarnings("ArrayRecordComponent")
record Answers(int k, int[] rows, float[] distances) {
  /** Distances are float sums of up to some thousand products; peers give scores in [0, 1]. */
  static final double TOLERANCE = 2e-5;

  /** Rows as near as the k-th true one count as right: which of them comes first is arbitrary. */
  static final double TIE = 1e-7;

  /** Every how many queries all distances are computed again. */
  private static final int SAMPLE = 20;

  /**
   * Checks that each query has as many different rows as the truth, in order of distance, and that
   * a sample of the distances is right.
   *
   * @param truth has k rows of each query, or fewer where a filter leaves no more
   * @throws IllegalStateException naming what is wrong
   */
  void check(String system, AnnSet set, ExactTruth truth) {
    int queries = set.queries().length;
    if (rows.length != queries * k || distances.length != queries * k) {
      throw new IllegalStateException(
          system + " answered " + rows.length + " rows, expected " + queries * k);
    }
    for (int q = 0; q < queries; q++) {
      Set<Integer> seen = new HashSet<>();
      int wanted = truth.rows()[q].length;
      for (int r = 0; r < k; r++) {
        int row = rows[q * k + r];
        if (r >= wanted) {
          if (row != -1) {
            throw wrong(system, q, r, "row " + row + ", expected " + wanted + " rows");
          }
          continue;
        }
        float distance = distances[q * k + r];
        if (row < 0 || row >= set.base().length) {
          throw wrong(system, q, r, "row " + row + " of " + set.base().length);
        }
        if (!seen.add(row)) {
          throw wrong(system, q, r, "row " + row + " a second time");
        }
        if (r > 0 && !(distance >= distances[q * k + r - 1] - TOLERANCE)) {
          throw wrong(system, q, r, "distance " + distance + " after a greater one");
        }
        if (q % SAMPLE == 0) {
          double exact = ExactTruth.distance(set.queries()[q], set.base()[row]);
          if (!(Math.abs(distance - exact) <= TOLERANCE)) {
            throw wrong(system, q, r, "distance " + distance + ", which is " + exact);
          }
        }
      }
    }
  }

  private static IllegalStateException wrong(String system, int query, int rank, String what) {
    return new IllegalStateException(
        String.format(Locale.ROOT, "%s, query %d, rank %d: %s", system, query, rank, what));
  }

  /** The share of the true nearest that were found, over all queries. */
  double recall(AnnSet set, ExactTruth truth) {
    if (truth.k() != k) {
      throw new IllegalArgumentException("truth is for k " + truth.k() + ", allowed: " + k);
    }
    long found = 0;
    long wanted = 0;
    for (int q = 0; q < set.queries().length; q++) {
      int[] right = truth.rows()[q].clone();
      Arrays.sort(right);
      wanted += right.length;
      for (int r = 0; r < right.length; r++) {
        int row = rows[q * k + r];
        if (Arrays.binarySearch(right, row) >= 0
            || ExactTruth.distance(set.queries()[q], set.base()[row])
                <= truth.kthDistance()[q] + TIE) {
          found++;
        }
      }
    }
    return (double) found / wanted;
  }
}
