package dev.petunia.benchmarks.rerank;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * How far two lists of scores of the same pairs agree.
 *
 * @param largest difference
 * @param drift root of the mean square of differences
 * @param spread standard deviation of the first list
 * @param ranks Spearman's correlation of ranks
 */
record Agreement(double largest, double drift, double spread, double ranks) {
  /** fp32 sums differ in their order only. */
  private static final double FP32_TOLERANCE = 1e-3;

  /**
   * int8 quantises the activations of a run by one scale for all its tokens, so a pair has other
   * scores in other company. Ours may drift from the naive ones by so many times what the naive
   * ones drift by themselves.
   */
  private static final double INT8_TIMES = 2;

  private static final double INT8_RANKS = 0.7;

  static Agreement of(double[] a, double[] b) {
    if (a.length != b.length || a.length < 2) {
      throw new IllegalArgumentException(a.length + " and " + b.length + " scores");
    }
    double largest = 0;
    double squares = 0;
    for (int i = 0; i < a.length; i++) {
      double d = Math.abs(a[i] - b[i]);
      largest = Math.max(largest, d); // NaN stays
      squares += d * d;
    }
    double mean = Arrays.stream(a).average().orElseThrow();
    double variance = Arrays.stream(a).map(x -> (x - mean) * (x - mean)).sum() / a.length;
    return new Agreement(
        largest, Math.sqrt(squares / a.length), Math.sqrt(variance), spearman(a, b));
  }

  private static double spearman(double[] a, double[] b) {
    int[] ra = ranks(a);
    int[] rb = ranks(b);
    double n = a.length;
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      double d = ra[i] - rb[i];
      sum += d * d;
    }
    return 1 - 6 * sum / (n * (n * n - 1));
  }

  private static int[] ranks(double[] x) {
    int[] order =
        IntStream.range(0, x.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> x[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] ranks = new int[x.length];
    for (int r = 0; r < order.length; r++) {
      ranks[order[r]] = r;
    }
    return ranks;
  }

  /**
   * That these are scores of the same model.
   *
   * @param own drift of the first side's scores when it runs in other batches; of INT8 only
   * @throws IllegalStateException when they aren't: no ratio of wrong answers is printed
   */
  void require(Precision precision, double own) {
    boolean good =
        switch (precision) {
          case FP32 -> largest <= FP32_TOLERANCE;
          case INT8 -> drift <= INT8_TIMES * own && drift < spread && ranks >= INT8_RANKS;
        };
    if (!good) {
      throw new IllegalStateException("the scores of both sides don't agree: " + describe());
    }
  }

  String describe() {
    return String.format(
        Locale.ROOT,
        "largest difference %.2g, drift %.2g of a spread of %.2g, ranks %.3f",
        largest,
        drift,
        spread,
        ranks);
  }
}
