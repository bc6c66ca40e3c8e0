package dev.petunia.benchmarks.rerank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class AgreementTest {
  private static final double[] SCORES = {1, 2, 3, 4, 5};

  @Test
  void equalScoresAgreeWholly() {
    Agreement a = Agreement.of(SCORES, SCORES.clone());
    assertEquals(new Agreement(0, 0, Math.sqrt(2), 1), a);
    a.require(Precision.FP32, 0);
    a.require(Precision.INT8, 0);
  }

  @Test
  void differencesAreMeasured() {
    Agreement a = Agreement.of(SCORES, new double[] {2, 1, 3, 4, 5});
    assertEquals(1, a.largest());
    assertEquals(Math.sqrt(0.4), a.drift(), 1e-12);
    assertEquals(0.9, a.ranks(), 1e-12); // 1 - 6 * 2 / (5 * 24)
    assertEquals(-1, Agreement.of(SCORES, new double[] {5, 4, 3, 2, 1}).ranks(), 1e-12);
  }

  @Test
  void scoresOfAnotherModelAreRefused() {
    double[] shifted = {1.01, 2, 3, 4, 5};
    assertRefused(Precision.FP32, 0, shifted);
    double[] reversed = {5, 4, 3, 2, 1};
    assertRefused(Precision.INT8, 10, reversed);
    double[] drifted = {1.5, 2.5, 3.5, 4.5, 5.5};
    assertRefused(Precision.INT8, 0.2, drifted);
    Agreement.of(SCORES, drifted).require(Precision.INT8, 0.3);
    for (Precision p : Precision.values()) {
      assertRefused(p, 10, new double[] {1, 2, Double.NaN, 4, 5});
    }
  }

  private static void assertRefused(Precision precision, double own, double[] other) {
    Agreement a = Agreement.of(SCORES, other);
    assertThrows(IllegalStateException.class, () -> a.require(precision, own), a.describe());
  }

  @Test
  void listsOfOtherLengthAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> Agreement.of(SCORES, new double[] {1, 2, 3}));
  }
}
