package dev.petunia.benchmarks.ann;

import dev.petunia.core.internal.Checks;

/** cost = factor · n^exponent, by least squares over the logarithms. */
record PowerFit(double exponent, double factor) {
  /**
   * Fits.
   *
   * @param n sizes, at least two different ones, above 0
   * @param cost of each size, above 0
   */
  static PowerFit of(double[] n, double[] cost) {
    if (n.length != cost.length || n.length < 2) {
      throw Checks.bad("points", n.length + " and " + cost.length, "equally many, at least 2");
    }
    double meanX = 0;
    double meanY = 0;
    for (int i = 0; i < n.length; i++) {
      meanX += log("n", n[i]) / n.length;
      meanY += log("cost", cost[i]) / n.length;
    }
    double covariance = 0;
    double variance = 0;
    for (int i = 0; i < n.length; i++) {
      double x = Math.log(n[i]) - meanX;
      covariance += x * (Math.log(cost[i]) - meanY);
      variance += x * x;
    }
    if (variance == 0) {
      throw Checks.bad("n", n[0], "at least two different sizes");
    }
    double exponent = covariance / variance;
    return new PowerFit(exponent, Math.exp(meanY - exponent * meanX));
  }

  private static double log(String field, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw Checks.bad(field, value, "above 0, finite");
    }
    return Math.log(value);
  }
}
