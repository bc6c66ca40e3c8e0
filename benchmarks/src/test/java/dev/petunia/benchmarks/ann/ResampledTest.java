package dev.petunia.benchmarks.ann;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ResampledTest {
  private static final AnnSet REAL = Generated.set(4000, 60, 48, 2);

  @Test
  void aSeedStandsForOneSequenceAndMoreOfItBeginsTheSame() {
    float[][] some = Resampled.vectors(REAL.base(), 100, 7);
    float[][] more = Resampled.vectors(REAL.base(), 300, 7);
    for (int i = 0; i < 100; i++) {
      assertArrayEquals(some[i], more[i]);
    }
    assertFalse(Arrays.equals(some[0], Resampled.vectors(REAL.base(), 1, 8)[0]));
  }

  @Test
  void vectorsAreNewAndOfUnitLength() {
    for (float[] v : Resampled.vectors(REAL.base(), 200, 7)) {
      assertEquals(1, 1 - ExactTruth.distance(v, v), 1e-6);
      assertTrue(Arrays.stream(REAL.base()).noneMatch(r -> ExactTruth.distance(r, v) < 1e-4));
    }
  }

  @Test
  void questionsFindThemAboutAsNearAsTheRealOnes() throws InterruptedException {
    float[][] drawn = Resampled.vectors(REAL.base(), 4000, 7);
    AnnSet set = new AnnSet("t", "test", drawn, REAL.queries(), java.util.Optional.empty());
    double real = mean(ExactTruth.of(REAL, 10, 2));
    double resampled = mean(ExactTruth.of(set, 10, 2));
    assertEquals(1, resampled / real, 0.25, resampled + " against " + real);
  }

  private static double mean(ExactTruth truth) {
    return Arrays.stream(truth.kthDistance()).average().orElseThrow();
  }

  @Test
  void evenOneVectorCanBeResampled() {
    assertEquals(5, Resampled.vectors(new float[][] {{1, 0}}, 5, 1).length);
  }
}
