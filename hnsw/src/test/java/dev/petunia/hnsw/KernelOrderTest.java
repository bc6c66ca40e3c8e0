package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The kernels add in one order, compiled or not, one vector or four: without that, the same input
 * would not build the same graph.
 */
class KernelOrderTest {
  /** What the vector twin computes, in plain code: a lane each, then halves, then the tail. */
  private static float model(float[] a, float[] b, int n, int lanes, boolean squared) {
    float[] sum = new float[lanes];
    int bound = n - n % lanes;
    for (int i = 0; i < bound; i++) {
      float d = a[i] - b[i];
      sum[i % lanes] =
          squared ? Math.fma(d, d, sum[i % lanes]) : Math.fma(a[i], b[i], sum[i % lanes]);
    }
    for (int half = lanes / 2; half >= 1; half /= 2) {
      for (int i = 0; i < half; i++) {
        sum[i] += sum[i + half];
      }
    }
    for (int i = bound; i < n; i++) {
      float d = a[i] - b[i];
      sum[0] += squared ? d * d : a[i] * b[i];
    }
    return sum[0];
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 33, 100, 384})
  void theSumsAreTheSameBeforeAndAfterTheyAreCompiled(int n) {
    assumeTrue(Kernels.BEST.name().startsWith("panama"), "the vector module is not in this JVM");
    Kernels kernels = Kernels.BEST;
    SplittableRandom random = Given.random(n);
    float[][] v = new float[5][n];
    for (float[] x : v) {
      for (int i = 0; i < n; i++) {
        x[i] = (float) random.nextGaussian();
      }
    }
    float[] dots = new float[4];
    float[] squares = new float[4];
    for (int i = 0; i < 4; i++) {
      dots[i] = model(v[4], v[i], n, kernels.lanes(), false);
      squares[i] = model(v[4], v[i], n, kernels.lanes(), true);
    }
    MemorySegment[] m = new MemorySegment[5];
    for (int i = 0; i < 5; i++) {
      m[i] = Arena.ofAuto().allocate(4L * n, 64);
      MemorySegment.copy(v[i], 0, m[i], Kernels.FLOAT, 0, n);
    }
    float[] out = new float[4];
    for (int round = 0; round < 20_000; round++) { // compiled on the way
      kernels.dot4(m[4], 0, n, m[0], 0, m[1], 0, m[2], 0, m[3], 0, out, 0);
      for (int i = 0; i < 4; i++) {
        assertEquals(dots[i], out[i]);
        assertEquals(dots[i], kernels.dot(m[4], 0, m[i], 0, n));
      }
      kernels.squared4(m[4], 0, n, m[0], 0, m[1], 0, m[2], 0, m[3], 0, out, 0);
      for (int i = 0; i < 4; i++) {
        assertEquals(squares[i], out[i]);
        assertEquals(squares[i], kernels.squared(m[4], 0, m[i], 0, n));
      }
    }
  }
}
