package dev.petunia.benchmarks.floor;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The 95 % interval of the mean difference of two systems over the same questions: questions drawn
 * with replacement, 5,000 times (Sakai 2006, §3, the percentile method).
 *
 * @param difference the mean difference
 * @param low 2.5 % of the resampled means are below
 * @param high 2.5 % of the resampled means are above
 */
public record Bootstrap(double difference, double low, double high) {
  private static final int SAMPLES = 5000;

  /** Of {@code a} minus {@code b}, question by question; at least one. */
  public static Bootstrap of(double[] a, double[] b) {
    int n = a.length;
    double[] d = new double[n];
    double sum = 0;
    for (int i = 0; i < n; i++) {
      d[i] = a[i] - b[i];
      sum += d[i];
    }
    SplittableRandom random = new SplittableRandom(42);
    double[] means = new double[SAMPLES];
    for (int s = 0; s < SAMPLES; s++) {
      double total = 0;
      for (int i = 0; i < n; i++) {
        total += d[random.nextInt(n)];
      }
      means[s] = total / n;
    }
    Arrays.sort(means);
    return new Bootstrap(sum / n, means[SAMPLES / 40], means[SAMPLES - 1 - SAMPLES / 40]);
  }

  /** Whether the whole interval is below 0. */
  public boolean significantlyWorse() {
    return high < 0;
  }

  /** Whether the whole interval is above 0. */
  public boolean significantlyBetter() {
    return low > 0;
  }

  @Override
  public String toString() {
    return String.format(java.util.Locale.ROOT, "%+.4f [%+.4f, %+.4f]", difference, low, high);
  }
}
