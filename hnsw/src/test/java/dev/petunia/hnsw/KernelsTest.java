package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Vector API twin and the scalar twin, against a sum in double and against each other. */
class KernelsTest {
  private static final Kernels SCALAR = new ScalarKernels();

  /** The most that rounding may do to a float sum of n products, relative to their sizes. */
  private static double tolerance(int n, double sizes) {
    return (n + 8) * 0x1p-24 * sizes + Float.MIN_NORMAL;
  }

  private static Kernels panama() {
    assumeTrue(
        ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent(),
        "the vector module is not in this JVM");
    return PanamaKernels.create("");
  }

  /** Both; without the module the scalar one, and {@link #panama} makes one test say so. */
  private static List<Kernels> twins() {
    return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
        ? List.of(SCALAR, panama())
        : List.of(SCALAR);
  }

  @BeforeEach
  void theTwinInUseIsTheOneThatThisJvmAllows() {
    boolean module = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
    boolean scalar = System.getProperty(Kernels.PROPERTY, "").equals("scalar");
    assertEquals(module && !scalar, Kernels.BEST.name().startsWith("panama"), Kernels.BEST.name());
  }

  private static MemorySegment segment(float[] v) {
    MemorySegment segment = Arena.ofAuto().allocate(Math.max(4L, 4L * v.length), 64);
    MemorySegment.copy(v, 0, segment, Kernels.FLOAT, 0, v.length);
    return segment;
  }

  private static float[] random(SplittableRandom random, int n) {
    float[] out = new float[n];
    for (int i = 0; i < n; i++) {
      out[i] = (float) random.nextGaussian() * (i % 7 == 0 ? 100 : 1);
    }
    return out;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 7, 8, 13, 15, 16, 17, 31, 32, 100, 207, 384, 702, 4098})
  void bothTwinsEqualASumInDouble(int n) {
    for (Kernels kernels : twins()) {
      for (int seed = 0; seed < 20; seed++) {
        SplittableRandom random = Given.random(seed);
        int ao = random.nextInt(9);
        int bo = random.nextInt(9);
        float[] a = random(random, n + ao + random.nextInt(3));
        float[] b = random(random, n + bo + random.nextInt(3));
        double dot = 0;
        double squared = 0;
        double sizes = 0;
        for (int i = 0; i < n; i++) {
          double x = a[ao + i];
          double y = b[bo + i];
          dot += x * y;
          squared += (x - y) * (x - y);
          sizes += Math.abs(x * y);
        }
        String which = kernels.name() + ", n " + n + ", seed " + seed;
        assertEquals(
            dot,
            kernels.dot(segment(a), 4L * ao, segment(b), 4L * bo, n),
            tolerance(n, sizes),
            which);
        assertEquals(
            squared,
            kernels.squared(segment(a), 4L * ao, segment(b), 4L * bo, n),
            tolerance(n, 4 * squared),
            which);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 13, 15, 16, 17, 31, 100, 207, 384, 702, 4098})
  void fourAtOnceEqualFourTimesOne(int n) {
    for (Kernels kernels : twins()) {
      SplittableRandom random = Given.random(n);
      float[][] v = new float[5][];
      int[] at = new int[5];
      for (int i = 0; i < 5; i++) {
        at[i] = random.nextInt(6);
        v[i] = random(random, n + at[i]);
      }
      float[] out = new float[9];
      for (int round = 0; round < 50; round++) {
        MemorySegment[] m = new MemorySegment[5];
        long[] o = new long[5];
        for (int i = 0; i < 5; i++) {
          m[i] = segment(v[i]);
          o[i] = 4L * at[i];
        }
        kernels.dot4(m[0], o[0], n, m[1], o[1], m[2], o[2], m[3], o[3], m[4], o[4], out, 3);
        for (int i = 1; i < 5; i++) {
          double sizes = 0;
          for (int k = 0; k < n; k++) {
            sizes += Math.abs((double) v[0][at[0] + k] * v[i][at[i] + k]);
          }
          assertEquals(kernels.dot(m[0], o[0], m[i], o[i], n), out[2 + i], tolerance(n, sizes));
        }
        kernels.squared4(m[0], o[0], n, m[1], o[1], m[2], o[2], m[3], o[3], m[4], o[4], out, 3);
        for (int i = 1; i < 5; i++) {
          float one = kernels.squared(m[0], o[0], m[i], o[i], n);
          assertEquals(one, out[2 + i], tolerance(n, 4 * one));
        }
        assertEquals(0, out[2] + out[7]); // nothing written beside the four places
      }
    }
  }

  @Test
  void boundaryValuesComeOutAlike() {
    float max = Float.MAX_VALUE;
    float tiny = Float.MIN_VALUE;
    float[][] values = {
      {0f, -0f}, {max, max}, {max, -max}, {tiny, tiny}, {tiny, -tiny}, {1e-40f, 1e-20f}, {1f, max}
    };
    for (int n : new int[] {1, 4, 8, 15, 16, 17, 64}) {
      for (float[] pair : values) {
        float[] a = new float[n];
        float[] b = new float[n];
        for (int i = 0; i < n; i++) {
          a[i] = pair[0];
          b[i] = pair[1];
        }
        float dot = SCALAR.dot(segment(a), 0, segment(b), 0, n);
        float squared = SCALAR.squared(segment(a), 0, segment(b), 0, n);
        assertTrue(!Float.isNaN(dot) && squared >= 0, () -> dot + " and " + squared);
        alike(dot, panama().dot(segment(a), 0, segment(b), 0, n));
        alike(squared, panama().squared(segment(a), 0, segment(b), 0, n));
      }
    }
  }

  private static void alike(float scalar, float simd) {
    if (Float.isInfinite(scalar)) {
      assertEquals(scalar, simd);
    } else {
      // a fused multiply-add keeps what a subnormal product loses
      assertEquals(scalar, simd, Math.abs(scalar) * 1e-5f + 64 * Float.MIN_VALUE);
    }
  }

  @Test
  void aVectorsDistanceToItselfIsZeroUnderEuclidean() {
    for (Kernels kernels : twins()) {
      for (int n : new int[] {1, 7, 16, 33, 384}) {
        float[] a = random(Given.random(n), n);
        assertEquals(0, kernels.squared(segment(a), 0, segment(a), 0, n));
      }
    }
  }

  @Test
  void paddingWithZerosChangesNothing() {
    for (int dimension : new int[] {1, 5, 8, 15, 16, 17, 31, 33, 100, 384}) {
      for (dev.petunia.core.Similarity similarity : dev.petunia.core.Similarity.values()) {
        VectorForm form = VectorForm.of(dimension, similarity);
        assertTrue(form.stride() >= dimension && form.stride() < dimension + 64);
        float[] a = new float[form.stride()];
        float[] b = new float[form.stride()];
        java.util.Arrays.fill(a, 99); // what a used slot may hold
        SplittableRandom random = Given.random(dimension);
        form.prepare("a", unit(random, dimension), dimension, a);
        form.prepare("b", unit(random, dimension), dimension, b);
        float padded = form.distance(segment(a), 0, segment(b), 0);
        float plain =
            new VectorForm(dimension, dimension, similarity).distance(segment(a), 0, segment(b), 0);
        assertEquals(plain, padded, 1e-5);
      }
    }
  }

  private static float[] unit(SplittableRandom random, int dimension) {
    return dev.petunia.core.testing.Vectors.unit(dimension).generate(random);
  }
}
