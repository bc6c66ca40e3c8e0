package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;
import java.util.Locale;

/**
 * How signatures are cut into bands: two sets are candidates when all {@code rows} minima of one of
 * {@code bands} bands are equal, which happens with probability 1 − (1 − J^rows)^bands (Leskovec,
 * Rajaraman, Ullman, Mining of Massive Datasets, §3.4).
 *
 * @param bands 1 to 64
 * @param rows 1 to 32
 */
public record LshParameters(int bands, int rows) {
  /** 18 × 7: expected recall 0.99999 at J = 0.9 and 0.9855 at 0.8. */
  public static final LshParameters DEFAULT = new LshParameters(18, 7);

  private static final double FLOOR_AT_90 = 0.999;
  private static final double FLOOR_AT_80 = 0.95;

  /**
   * Checks.
   *
   * @throws IllegalArgumentException also when the expected recall is below 0.999 at J = 0.9 or
   *     below 0.95 at J = 0.8
   */
  public LshParameters {
    Checks.range("bands", bands, 1, 64);
    Checks.range("rows", rows, 1, 32);
    double at90 = recall(bands, rows, 0.9);
    double at80 = recall(bands, rows, 0.8);
    if (at90 < FLOOR_AT_90 || at80 < FLOOR_AT_80) {
      throw Checks.bad(
          "bands x rows",
          String.format(
              Locale.ROOT,
              "%d x %d with expected recall %.5f at J = 0.9 and %.5f at J = 0.8",
              bands,
              rows,
              at90,
              at80),
          "recall of at least 0.999 and 0.95, as 18 x 7 has");
    }
  }

  /** The expected recall for pairs with exactly this similarity, 0 to 1. */
  public double recall(double jaccard) {
    return recall(bands, rows, Checks.range("jaccard", jaccard, 0, 1));
  }

  private static double recall(int bands, int rows, double jaccard) {
    return 1 - Math.pow(1 - Math.pow(jaccard, rows), bands);
  }
}
