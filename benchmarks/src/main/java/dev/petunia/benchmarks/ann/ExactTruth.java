package dev.petunia.benchmarks.ann;

import dev.petunia.core.internal.Checks;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The true nearest rows of each query, by comparing it with every row.
 *
 * <p>Each query is compared in float precision, four queries to one pass over a row so that a row
 * is loaded once for the four; the best {@code k + SPARE} are then ordered by their distance in
 * double precision. The spare ones make room for float rounding (about 1e-7) at the edge.
 *
 * @param k rows wanted of each query
 * @param rows of each query, nearest first
 * @param kthDistance of each query, the distance of its last row
 */
@SuppressWarnings("ArrayRecordComponent")
record ExactTruth(int k, int[][] rows, double[] kthDistance) {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int SPARE = 16;
  private static final int BLOCK = 4;

  /** Of the first queries only. */
  ExactTruth first(int count) {
    return new ExactTruth(k, Arrays.copyOf(rows, count), Arrays.copyOf(kthDistance, count));
  }

  /** With other numbers for the rows: row i becomes {@code numbers[i]}. */
  ExactTruth renumbered(int[] numbers) {
    int[][] renamed = new int[rows.length][];
    for (int q = 0; q < rows.length; q++) {
      renamed[q] = IntStream.of(rows[q]).map(row -> numbers[row]).toArray();
    }
    return new ExactTruth(k, renamed, kthDistance);
  }

  /** Computes the truth with {@code threads} threads. */
  static ExactTruth of(AnnSet set, int k, int threads) throws InterruptedException {
    Checks.range("k", k, 1, set.base().length);
    float[][] queries = set.queries();
    int[][] rows = new int[queries.length][];
    double[] kth = new double[queries.length];
    AtomicInteger next = new AtomicInteger();
    Thread[] workers = new Thread[threads];
    Throwable[] failure = new Throwable[1];
    for (int t = 0; t < threads; t++) {
      workers[t] =
          new Thread(
              () -> {
                try {
                  for (int q = next.getAndAdd(BLOCK);
                      q < queries.length;
                      q = next.getAndAdd(BLOCK)) {
                    block(set, q, Math.min(q + BLOCK, queries.length), k, rows, kth);
                  }
                } catch (RuntimeException | Error e) {
                  failure[0] = e;
                }
              },
              "truth-" + t);
      workers[t].start();
    }
    for (Thread w : workers) {
      w.join();
    }
    if (failure[0] != null) {
      throw new IllegalStateException("exact search failed", failure[0]);
    }
    return new ExactTruth(k, rows, kth);
  }

  /**
   * The true nearest among the rows that pass a filter; fewer than k where no more pass.
   *
   * @param passing the filters
   * @param ofQuery of each query, its filter
   */
  static ExactTruth among(AnnSet set, List<BitSet> passing, int[] ofQuery, int k, int threads)
      throws InterruptedException {
    int[][] rows = new int[ofQuery.length][];
    double[] kth = new double[ofQuery.length];
    for (int f = 0; f < passing.size(); f++) {
      int filter = f;
      int[] some = IntStream.range(0, ofQuery.length).filter(q -> ofQuery[q] == filter).toArray();
      int[] matches = passing.get(f).stream().toArray();
      if (some.length == 0 || matches.length == 0) {
        for (int q : some) {
          rows[q] = matches;
        }
        continue;
      }
      AnnSet part = set.part(matches, some);
      ExactTruth truth = of(part, Math.min(k, matches.length), threads);
      for (int i = 0; i < some.length; i++) {
        rows[some[i]] = IntStream.of(truth.rows[i]).map(row -> matches[row]).toArray();
        kth[some[i]] = truth.kthDistance[i];
      }
    }
    return new ExactTruth(k, rows, kth);
  }

  private static void block(AnnSet set, int from, int to, int k, int[][] rows, double[] kth) {
    float[][] base = set.base();
    int keep = Math.min(k + SPARE, base.length);
    Best[] best = new Best[to - from];
    for (int i = 0; i < best.length; i++) {
      best[i] = new Best(keep);
    }
    float[] dots = new float[BLOCK];
    float[][] q = new float[BLOCK][];
    for (int i = 0; i < BLOCK; i++) {
      q[i] = set.queries()[Math.min(from + i, to - 1)]; // a short last block repeats its last query
    }
    for (int row = 0; row < base.length; row++) {
      dots(base[row], q, dots);
      for (int i = 0; i < best.length; i++) {
        best[i].offer(dots[i], row);
      }
    }
    for (int i = 0; i < best.length; i++) {
      long[] order = new long[keep];
      double[] distance = new double[keep];
      Integer[] index = new Integer[keep];
      for (int j = 0; j < keep; j++) {
        order[j] = best[i].rows[j];
        distance[j] = distance(set.queries()[from + i], base[best[i].rows[j]]);
        index[j] = j;
      }
      Arrays.sort(
          index,
          (a, b) -> {
            int byDistance = Double.compare(distance[a], distance[b]);
            return byDistance != 0 ? byDistance : Long.compare(order[a], order[b]);
          });
      rows[from + i] = new int[k];
      for (int j = 0; j < k; j++) {
        rows[from + i][j] = (int) order[index[j]];
      }
      kth[from + i] = distance[index[k - 1]];
    }
  }

  /** Cosine distance of two unit vectors, in double precision. */
  static double distance(float[] a, float[] b) {
    double dot = 0;
    for (int i = 0; i < a.length; i++) {
      dot += (double) a[i] * b[i];
    }
    return 1 - dot;
  }

  private static void dots(float[] row, float[][] q, float[] out) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    float[] q0 = q[0];
    float[] q1 = q[1];
    float[] q2 = q[2];
    float[] q3 = q[3];
    int bound = SPECIES.loopBound(row.length);
    int i = 0;
    for (; i < bound; i += SPECIES.length()) {
      FloatVector r = FloatVector.fromArray(SPECIES, row, i);
      s0 = r.fma(FloatVector.fromArray(SPECIES, q0, i), s0);
      s1 = r.fma(FloatVector.fromArray(SPECIES, q1, i), s1);
      s2 = r.fma(FloatVector.fromArray(SPECIES, q2, i), s2);
      s3 = r.fma(FloatVector.fromArray(SPECIES, q3, i), s3);
    }
    float d0 = s0.reduceLanes(VectorOperators.ADD);
    float d1 = s1.reduceLanes(VectorOperators.ADD);
    float d2 = s2.reduceLanes(VectorOperators.ADD);
    float d3 = s3.reduceLanes(VectorOperators.ADD);
    for (; i < row.length; i++) {
      d0 += row[i] * q0[i];
      d1 += row[i] * q1[i];
      d2 += row[i] * q2[i];
      d3 += row[i] * q3[i];
    }
    out[0] = d0;
    out[1] = d1;
    out[2] = d2;
    out[3] = d3;
  }

  /** The highest dot products seen, unordered; the lowest of them is at {@link #lowest}. */
  private static final class Best {
    private final float[] dots;
    private final int[] rows;
    private int size;
    private int lowest;

    Best(int capacity) {
      dots = new float[capacity];
      rows = new int[capacity];
    }

    void offer(float dot, int row) {
      if (size < dots.length) {
        dots[size] = dot;
        rows[size] = row;
        lowest = size == 0 || dot < dots[lowest] ? size : lowest;
        size++;
      } else if (dot > dots[lowest]) {
        dots[lowest] = dot;
        rows[lowest] = row;
        for (int i = 0; i < dots.length; i++) {
          lowest = dots[i] < dots[lowest] ? i : lowest;
        }
      }
    }
  }
}
