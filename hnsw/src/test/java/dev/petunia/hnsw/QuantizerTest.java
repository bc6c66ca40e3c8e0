package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.petunia.core.Similarity;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Codes, the rotation, and distances estimated from codes. */
class QuantizerTest {
  private static final int NODES = 200;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 16, 31, 64, 100, 384, 1000})
  void theRotationKeepsLengthsAndInnerProducts(int dimension) {
    Rotation rotation = new Rotation(dimension);
    SplittableRandom random = Given.random(dimension);
    for (int round = 0; round < 20; round++) {
      float[] a = gaussian(random, dimension);
      float[] b = gaussian(random, dimension);
      double before = dot(a, b);
      double length = dot(a, a);
      rotation.apply(a);
      rotation.apply(b);
      assertEquals(before, dot(a, b), 1e-5 * dimension);
      assertEquals(length, dot(a, a), 1e-5 * dimension);
    }
  }

  @Test
  void theRotationSpreadsASingleComponentOverAll() {
    for (int dimension : new int[] {64, 100, 384, 768}) {
      for (int at = 0; at < dimension; at += 7) {
        float[] v = new float[dimension];
        v[at] = 1;
        new Rotation(dimension).apply(v);
        double greatest = 0;
        for (float x : v) {
          greatest = Math.max(greatest, Math.abs(x));
        }
        double even = 1 / Math.sqrt(dimension);
        assertTrue(greatest < 8 * even, dimension + ", component " + at + ": " + greatest);
      }
    }
  }

  @Test
  void aBeamOfCoarseCodesIsAtLeastFourWiderAndNeverNineTimesAsWide() {
    for (int dimension : new int[] {1, 100, 384, 4096}) {
      float[] centre = new float[dimension];
      for (int ef : new int[] {1, 10, 100, 10_000}) {
        assertEquals(ef, new Quantizer(Quantization.INT8, Similarity.COSINE, centre).width(ef));
        for (Quantization kind : List.of(Quantization.BITS2, Quantization.BIT1)) {
          int width = new Quantizer(kind, Similarity.COSINE, centre).width(ef);
          assertTrue(width >= ef + 4 && width <= 9 * ef, kind + ", ef " + ef + ": " + width);
        }
      }
    }
  }

  /** What the estimate may err by on average, in parts of |q − c|·|r| / √D. */
  private static double expected(Quantization kind) {
    return switch (kind) {
      case INT8 -> 0.05;
      case BITS2 -> 0.5;
      default -> 1.0; // √(π/2 − 1) = 0.76, and the query's four bits
    };
  }

  @ParameterizedTest
  @EnumSource(
      value = Quantization.class,
      names = {"NONE"},
      mode = EnumSource.Mode.EXCLUDE)
  void estimatesAreUnbiasedAndErrByNoMoreThanTheCodeAllows(Quantization kind) {
    for (Similarity similarity : Similarity.values()) {
      for (int dimension : new int[] {64, 100, 384}) {
        Setup s = new Setup(kind, similarity, dimension, 3 * dimension);
        double bias = 0;
        double squares = 0;
        int within = 0;
        int n = 0;
        for (int q = 0; q < 50; q++) {
          float[] query = s.vector();
          float[] estimates = s.estimate(query);
          for (int i = 0; i < NODES; i++) {
            double exact = s.distance(query, s.vectors[i]);
            double off = estimates[i] - exact;
            double unit =
                Math.sqrt(
                        squared(query, s.quantizer.centre)
                            * squared(s.vectors[i], s.quantizer.centre)
                            / dimension)
                    * (similarity == Similarity.EUCLIDEAN ? 2 : 1);
            bias += off / unit;
            squares += off * off / unit / unit;
            within += Math.abs(off) <= 4 * s.deviation(i) ? 1 : 0;
            n++;
          }
        }
        String what = kind + ", " + similarity + ", " + dimension;
        assertTrue(Math.abs(bias / n) < 0.06, what + ": bias " + bias / n);
        assertTrue(
            Math.sqrt(squares / n) < expected(kind), what + ": error " + Math.sqrt(squares / n));
        assertTrue(within > 0.999 * n, what + ": within four deviations " + within + " of " + n);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8, 31, 63, 64, 65, 100, 127, 128, 384, 520, 1000})
  void bothTwinsCountAlike(int dimension) {
    assumeTrue(
        ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent(),
        "the vector module is not in this JVM");
    SplittableRandom random = Given.random(dimension);
    int words = (dimension + 63) / 64;
    int stride = (words + 7) / 8 * 8;
    int record = Math.max(2 * 8 * words, (dimension + 7) / 8 * 8) + 16;
    MemorySegment page = Arena.ofAuto().allocate(20L * record + CodeKernels.OVERREAD, 64);
    for (long i = 0; i < page.byteSize(); i++) { // what is read beyond a code must not matter
      page.set(java.lang.foreign.ValueLayout.JAVA_BYTE, i, (byte) random.nextInt(128));
    }
    long[] planes = new long[4 * stride];
    for (int p = 0; p < 4; p++) {
      for (int w = 0; w < words; w++) {
        boolean last = w == words - 1 && dimension % 64 != 0;
        long mask = last ? (1L << (dimension % 64)) - 1 : -1L;
        planes[p * stride + w] = random.nextLong() & mask;
      }
    }
    short[] shorts = new short[(dimension + 63) / 64 * 64];
    for (int i = 0; i < dimension; i++) {
      shorts[i] = (short) random.nextInt(128);
    }
    int[] nodes = {3, 19, 0, 7, 7, 11, 1};
    MemorySegment[] pages = {page};
    int n = nodes.length;
    CodeKernels simd = PanamaCodeKernels.create();
    CodeKernels scalar = new ScalarCodeKernels();
    int[] a = new int[n];
    int[] b = new int[n];
    simd.oneBit(pages, 10, 1023, record, nodes, n, words, planes, a);
    scalar.oneBit(pages, 10, 1023, record, nodes, n, words, planes, b);
    assertArrayEquals(b, a);
    simd.twoBits(pages, 10, 1023, record, nodes, n, words, planes, a);
    scalar.twoBits(pages, 10, 1023, record, nodes, n, words, planes, b);
    assertArrayEquals(b, a);
    simd.bytes(pages, 10, 1023, record, nodes, n, dimension, shorts, a);
    scalar.bytes(pages, 10, 1023, record, nodes, n, dimension, shorts, b);
    assertArrayEquals(b, a);
  }

  @ParameterizedTest
  @EnumSource(
      value = Quantization.class,
      names = {"NONE"},
      mode = EnumSource.Mode.EXCLUDE)
  void vectorsAtTheCentreAndOfExtremeSizeGetFiniteEstimates(Quantization kind) {
    float[] centre = new float[70];
    Quantizer quantizer = new Quantizer(kind, Similarity.EUCLIDEAN, centre);
    float[][] extreme = {
      centre, filled(70, Float.MIN_VALUE), filled(70, 1e-20f), filled(70, 1e19f), filled(70, 3e38f)
    };
    MemorySegment v = Arena.ofAuto().allocate(4L * 72 * extreme.length, 64);
    MemorySegment codes =
        Arena.ofAuto().allocate((long) extreme.length * quantizer.record + 128, 64);
    for (int i = 0; i < extreme.length; i++) {
      MemorySegment.copy(extreme[i], 0, v, Kernels.FLOAT, 4L * 72 * i, 70);
      quantizer.encode(v, 4L * 72 * i, codes, (long) i * quantizer.record, new Quantizer.Work(70));
    }
    Quantizer.Query query = quantizer.new Query();
    float[] out = new float[extreme.length];
    for (int q = 0; q < extreme.length; q++) {
      query.prepare(v, 4L * 72 * q);
      query.estimate(
          new MemorySegment[] {codes}, 10, 1023, new int[] {0, 1, 2, 3, 4}, extreme.length, out);
      for (float d : out) {
        assertTrue(Float.isFinite(d), kind + " estimated " + d);
      }
    }
  }

  private static float[] filled(int n, float value) {
    float[] v = new float[n];
    java.util.Arrays.fill(v, value);
    return v;
  }

  private static float[] gaussian(SplittableRandom random, int n) {
    float[] v = new float[n];
    for (int i = 0; i < n; i++) {
      v[i] = (float) random.nextGaussian();
    }
    return v;
  }

  private static double dot(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }

  private static double squared(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += ((double) a[i] - b[i]) * ((double) a[i] - b[i]);
    }
    return sum;
  }

  /** Random vectors around a common offset, coded. */
  private static final class Setup {
    final SplittableRandom random;
    final Similarity similarity;
    final int dimension;
    final float[] offset;
    final float[][] vectors = new float[NODES][];
    final Quantizer quantizer;
    final MemorySegment[] codes;
    final Quantizer.Query query;
    final int[] nodes = new int[NODES];

    Setup(Quantization kind, Similarity similarity, int dimension, long seed) {
      this.similarity = similarity;
      this.dimension = dimension;
      random = Given.random(seed);
      offset = gaussian(random, dimension);
      float[] centre = new float[dimension];
      for (int i = 0; i < NODES; i++) {
        nodes[i] = i;
        vectors[i] = vector();
        for (int k = 0; k < dimension; k++) {
          centre[k] += vectors[i][k] / NODES;
        }
      }
      quantizer = new Quantizer(kind, similarity, centre);
      query = quantizer.new Query();
      MemorySegment page = Arena.ofAuto().allocate((long) NODES * quantizer.record + 128, 64);
      codes = new MemorySegment[] {page};
      Quantizer.Work work = new Quantizer.Work(dimension);
      for (int i = 0; i < NODES; i++) {
        quantizer.encode(segment(vectors[i]), 0, page, (long) i * quantizer.record, work);
      }
    }

    float[] vector() {
      float[] v = gaussian(random, dimension);
      double length = 0;
      for (int i = 0; i < dimension; i++) {
        v[i] += 0.5f * offset[i];
        length += (double) v[i] * v[i];
      }
      if (similarity != Similarity.EUCLIDEAN) {
        for (int i = 0; i < dimension; i++) {
          v[i] /= (float) Math.sqrt(length);
        }
      }
      return v;
    }

    static MemorySegment segment(float[] v) {
      MemorySegment s = Arena.ofAuto().allocate(4L * v.length, 64);
      MemorySegment.copy(v, 0, s, Kernels.FLOAT, 0, v.length);
      return s;
    }

    float[] estimate(float[] q) {
      query.prepare(segment(q), 0);
      float[] out = new float[NODES];
      query.estimate(codes, 10, 1023, nodes, NODES, out);
      return out;
    }

    float deviation(int node) {
      return query.deviation(codes, 10, 1023, node);
    }

    double distance(float[] a, float[] b) {
      return switch (similarity) {
        case COSINE -> 1 - dot(a, b);
        case DOT_PRODUCT -> -dot(a, b);
        case EUCLIDEAN -> squared(a, b);
      };
    }
  }
}
