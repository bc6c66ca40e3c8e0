package dev.petunia.benchmarks.ann;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GeneratedTest {
  @Test
  void aSeedStandsForOneSet() {
    AnnSet a = Generated.set(200, 10, 32, 7);
    AnnSet b = Generated.set(200, 10, 32, 7);
    AnnSet c = Generated.set(200, 10, 32, 8);
    for (int i = 0; i < 200; i++) {
      assertArrayEquals(a.base()[i], b.base()[i]);
    }
    assertArrayEquals(a.queries()[9], b.queries()[9]);
    assertFalse(Arrays.equals(a.base()[0], c.base()[0]));
  }

  @Test
  void vectorsHaveUnitLength() {
    for (float[] v : Generated.set(100, 10, 48, 3).base()) {
      assertEquals(1, 1 - ExactTruth.distance(v, v), 1e-6);
    }
  }

  @Test
  void neighboursAreMuchNearerThanInNoise() throws InterruptedException {
    AnnSet set = Generated.set(2000, 50, 64, 5);
    Random random = new Random(5);
    float[][] noise = new float[2000][64];
    for (float[] v : noise) {
      for (int j = 0; j < v.length; j++) {
        v[j] = (float) random.nextGaussian();
      }
      VectorFiles.normalise(v);
    }
    AnnSet plain =
        new AnnSet("noise", "noise", noise, Arrays.copyOf(noise, 50), java.util.Optional.empty());
    double clustered = mean(ExactTruth.of(set, 10, 1));
    double independent = mean(ExactTruth.of(plain, 10, 1));
    assertTrue(clustered < 0.5 * independent, clustered + " against " + independent);
  }

  private static double mean(ExactTruth truth) {
    return Arrays.stream(truth.kthDistance()).average().orElseThrow();
  }
}
