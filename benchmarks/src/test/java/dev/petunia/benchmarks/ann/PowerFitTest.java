package dev.petunia.benchmarks.ann;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PowerFitTest {
  @Test
  void aPowerLawIsFoundAgain() {
    double[] n = {10, 30, 100, 1000};
    double[] cost = new double[n.length];
    for (int i = 0; i < n.length; i++) {
      cost[i] = 7 * Math.pow(n[i], 0.23);
    }
    PowerFit fit = PowerFit.of(n, cost);
    assertEquals(0.23, fit.exponent(), 1e-12);
    assertEquals(7, fit.factor(), 1e-9);
  }

  @Test
  void aConstantCostHasExponentZeroAndALinearOneHasOne() {
    assertEquals(0, PowerFit.of(new double[] {1, 2, 9}, new double[] {5, 5, 5}).exponent(), 1e-12);
    assertEquals(1, PowerFit.of(new double[] {1, 2, 9}, new double[] {3, 6, 27}).exponent(), 1e-12);
  }

  @Test
  void betweenScatteredPointsTheSquaresOfTheLogarithmsAreLeast() {
    // by symmetry: one point a factor above the line in the middle does not turn it
    PowerFit fit = PowerFit.of(new double[] {1, 10, 100}, new double[] {1, 20, 100});
    assertEquals(1, fit.exponent(), 1e-12);
    assertEquals(Math.cbrt(2), fit.factor(), 1e-12);
  }

  @Test
  void pointsThatHaveNoFitAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> PowerFit.of(new double[] {1}, new double[] {1}));
    assertThrows(
        IllegalArgumentException.class,
        () -> PowerFit.of(new double[] {5, 5}, new double[] {1, 2}));
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> PowerFit.of(new double[] {1, 2}, new double[] {1, 0}))
            .getMessage();
    assertTrue(message.contains("cost is 0"), message);
  }

  @Test
  void sizesGoUpToTheMostThatIsWanted() {
    assertEquals(2, ScalingPart.sizes(30_000).length);
    assertEquals(3, ScalingPart.sizes(299_999).length);
    assertEquals(1_000_000, ScalingPart.sizes(1_000_000)[4]);
  }
}
