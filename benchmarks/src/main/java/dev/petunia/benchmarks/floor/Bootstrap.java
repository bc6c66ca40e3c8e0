package dev.petunia.benchmarks.floor;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The 95 % interval of the mean difference of two systems over the same questions: questions drawn
 * with replacement, 5,000 times (Sakai 2006, §3, the percentile method).
 */
record Bootstrap(double difference, double low, double high) {
  private static final int SAMPLES = 5000;

  static Bootstrap of(double[] a, double[] b) {
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

  boolean significantlyWorse() {
    return high < 0;
  }

  boolean significantlyBetter() {
    return low > 0;
  }

  @Override
  public String toString() {
    return String.format(java.util.Locale.ROOT, "%+.4f [%+.4f, %+.4f]", difference, low, high);
  }
}
