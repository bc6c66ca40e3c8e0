package dev.petunia.hnsw;

import dev.petunia.core.Similarity;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Codes of vectors, and distances estimated from them. Immutable once trained; any number of
 * threads.
 *
 * <p>With c the centre and P the rotation, r = P(x − c) is coded as whole numbers u, 0 to top,
 * which stand for the grid vector v = 2u − top. The estimate of an inner product is
 *
 * <pre>
 *   ⟨q, x⟩ ≈ ⟨q, c⟩ + ⟨c, x − c⟩ + f·⟨v, P(q − c)⟩     f = |r|² / ⟨v, r⟩
 * </pre>
 *
 * which errs by about |q − c|·e, e = |r|·√((1/cos²(v, r) − 1) / (D − 1)). The query's rotated
 * difference is coded too, as lo + step·w, so that ⟨v, ·⟩ needs Σ uᵢwᵢ and Σ uᵢ only.
 *
 * <p>A record, little-endian: the code (1 or 2 bits: planes of 64-bit words, the low bits first;
 * INT8: bytes), rounded up to 8 bytes; then
 *
 * <pre>
 *   0  4  f (float)
 *   4  4  COSINE, DOT_PRODUCT: −⟨c, x − c⟩; EUCLIDEAN: |r|² (float)
 *   8  4  Σ uᵢ (int)
 *  12  4  e (float)
 * </pre>
 *
 * and zeros, to a multiple of 64 bytes, a cache line, or of 16 where that would add more than a
 * quarter.
 */
final class Quantizer {
  private static final ValueLayout.OfFloat FLOAT = Kernels.FLOAT;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG = ScalarCodeKernels.LONG;

  /** Refinements of a vector's scale; more change nothing that matters. */
  private static final int SCALE_STEPS = 4;

  /** How far a float may be from the next one, relative to itself. */
  private static final double FLOAT_STEP = 0x1p-23;

  /**
   * How many standard deviations of the error a beam has to reach beyond the nearest. At 1.5, of
   * 30,000 word vectors of 100 components walks by BIT1 found 0.98 of the nearest ten instead of
   * 0.90, at the price of a second walk for most queries; of passages of 384 components 1 in 200
   * queries walks twice.
   */
  private static final double REACH = 1.5;

  final Quantization kind;
  final int dimension;
  final Similarity similarity;
  final float[] centre;
  final Rotation rotation;
  final int top;
  final int words;

  /** Bytes of the code alone. */
  final int codeBytes;

  /** Bytes of a record. */
  final int record;

  final double centreSquared;

  Quantizer(Quantization kind, Similarity similarity, float[] centre) {
    this.kind = kind;
    this.similarity = similarity;
    this.centre = centre;
    dimension = centre.length;
    rotation = new Rotation(dimension);
    top = (1 << kind.bits) - 1;
    words = (dimension + 63) / 64;
    codeBytes = codeBytes(kind, dimension);
    record = recordBytes(kind, dimension);
    double sum = 0;
    for (float x : centre) {
      sum += (double) x * x;
    }
    centreSquared = sum;
  }

  private static int codeBytes(Quantization kind, int dimension) {
    return kind == Quantization.INT8
        ? (dimension + 7) / 8 * 8
        : 8 * kind.bits * ((dimension + 63) / 64);
  }

  static int recordBytes(Quantization kind, int dimension) {
    int bytes = codeBytes(kind, dimension) + 16;
    int lines = (bytes + 63) / 64 * 64;
    return lines - bytes <= bytes / 4 ? lines : (bytes + 15) / 16 * 16;
  }

  /**
   * How wide a beam of estimates has to be to find what one of exact distances finds at {@code ef}.
   * The error of an estimate falls with the root of the dimension; the widening that makes up for
   * it was measured to fall with the dimension, and to be relatively more for narrow beams: with
   * fewer than 4 more an ef of 10 found 0.98 of what exact distances find.
   */
  int width(int ef) {
    long more = kind.widening == 0 ? 0 : Math.max(4, (ef + 16L) * kind.widening / dimension);
    return (int) Math.min(Integer.MAX_VALUE - 8, ef + Math.min(more, 8L * ef));
  }

  /**
   * Whether a beam of estimates was wide enough for its data. Each node outside has an estimate
   * above the beam's last one. Where even that one's, less its error, is not above the distance of
   * the nearest that are wanted, the error decides what is in the beam: vectors of a tight cluster
   * far from the centre, say. Then the walk has to go on by exact distances.
   *
   * @param last greatest estimate in a full beam
   * @param deviation of it
   * @param near exact distance of one of the nearest
   */
  static boolean sufficient(float last, float deviation, float near) {
    return last - REACH * deviation >= near;
  }

  /** Which of the nearest decides, 1 for the nearest: of those wanted, one well within ef. */
  static int decisive(int wanted, int ef) {
    return Math.clamp(ef / 4, 1, wanted);
  }

  /** Room for one thread to encode in. */
  static final class Work {
    private final float[] r;
    private final int[] u;

    Work(int dimension) {
      r = new float[dimension];
      u = new int[dimension];
    }
  }

  /** Writes the record of a stored vector. */
  void encode(MemorySegment vector, long at, MemorySegment to, long toAt, Work work) {
    float[] r = work.r;
    int[] u = work.u;
    double inner = 0;
    for (int i = 0; i < dimension; i++) {
      r[i] = vector.get(FLOAT, at + 4L * i) - centre[i];
      inner += (double) r[i] * centre[i];
    }
    rotation.apply(r);
    double squared = 0;
    double greatest = 0;
    for (int i = 0; i < dimension; i++) {
      squared += (double) r[i] * r[i];
      greatest = Math.max(greatest, Math.abs(r[i]));
    }
    quantise(r, u, squared, greatest);
    double vr = 0;
    double vv = 0;
    int sum = 0;
    for (int i = 0; i < dimension; i++) {
      int v = 2 * u[i] - top;
      vr += (double) v * r[i];
      vv += (double) v * v;
      sum += u[i];
    }
    for (long i = 0; i < record; i += 8) {
      to.set(LONG, toAt + i, 0);
    }
    if (kind == Quantization.INT8) {
      for (int i = 0; i < dimension; i++) {
        to.set(ValueLayout.JAVA_BYTE, toAt + i, (byte) u[i]);
      }
    } else {
      putPlanes(u, to, toAt);
    }
    double f = vr > 0 ? squared / vr : 0;
    double cos2 = vr > 0 ? vr * vr / (vv * squared) : 1;
    double e = Math.sqrt(squared * Math.max(0, 1 / cos2 - 1) / Math.max(1, dimension - 1));
    long after = toAt + codeBytes;
    to.set(FLOAT, after, finite(f));
    to.set(FLOAT, after + 4, similarity == Similarity.EUCLIDEAN ? finite(squared) : finite(-inner));
    to.set(INT, after + 8, sum);
    to.set(FLOAT, after + 12, finite(e));
  }

  private static float finite(double x) {
    return (float) Math.clamp(x, -Float.MAX_VALUE, Float.MAX_VALUE);
  }

  /** Chooses u for the rotated r: the scale is refined so that the grid vector points along r. */
  private void quantise(float[] r, int[] u, double squared, double greatest) {
    if (greatest == 0) {
      java.util.Arrays.fill(u, top / 2);
      return;
    }
    // the value of the grid's step; for two bits the best one for a normal distribution
    double step =
        switch (kind) {
          case INT8 -> greatest / top;
          case BITS2 -> 0.498 * Math.sqrt(squared / dimension);
          default -> 1;
        };
    for (int i = 0; ; i++) {
      float inverse = (float) (1 / (2 * step));
      double vr = 0;
      double vv = 0;
      for (int k = 0; k < dimension; k++) {
        int x =
            kind == Quantization.BIT1
                ? (r[k] > 0 ? 1 : 0)
                : Math.clamp((int) Math.floor(r[k] * inverse + (top + 1) * 0.5f), 0, top);
        u[k] = x;
        int v = 2 * x - top;
        vr += (double) v * r[k];
        vv += (double) v * v;
      }
      if (kind != Quantization.BITS2 || i == SCALE_STEPS || !(vr > 0)) {
        return;
      }
      step = vr / vv;
    }
  }

  private void putPlanes(int[] u, MemorySegment to, long at) {
    for (int w = 0; w < words; w++) {
      long low = 0;
      long high = 0;
      for (int i = 64 * w, end = Math.min(dimension, i + 64); i < end; i++) {
        low |= (u[i] & 1L) << i;
        high |= (u[i] >> 1 & 1L) << i;
      }
      to.set(LONG, at + 8L * w, low);
      if (kind == Quantization.BITS2) {
        to.set(LONG, at + 8L * (words + w), high);
      }
    }
  }

  /** A query brought to the form that codes are compared with; one for each thread. */
  final class Query {
    private static final int QUERY_BITS = 4;
    private static final int QUERY_TOP = (1 << QUERY_BITS) - 1;

    private final float[] q = new float[dimension];
    private final int stride =
        (words + CodeKernels.WORD_BLOCK - 1) / CodeKernels.WORD_BLOCK * CodeKernels.WORD_BLOCK;
    private final long[] planes = new long[kind == Quantization.INT8 ? 0 : QUERY_BITS * stride];
    private final short[] shorts =
        new short
            [kind == Quantization.INT8
                ? (dimension + CodeKernels.SHORT_BLOCK - 1)
                    / CodeKernels.SHORT_BLOCK
                    * CodeKernels.SHORT_BLOCK
                : 0];
    private int[] raw = new int[256];

    // estimate = base + second field + f · (perSum · Σu + perRaw · Σuw − constant)
    private float base;
    private float perSum;
    private float perRaw;
    private float constant;
    private double length;
    private double rounding;

    /** Keeps what is loaded ahead of its use from being left out. */
    long touched;

    /** From now on estimates are distances to this vector. */
    void prepare(MemorySegment vector, long at) {
      double inner = 0;
      for (int i = 0; i < dimension; i++) {
        float x = vector.get(FLOAT, at + 4L * i);
        inner += (double) x * centre[i];
        q[i] = x - centre[i];
      }
      rotation.apply(q);
      double squared = 0;
      float lo = q[0];
      float hi = q[0];
      for (int i = 0; i < dimension; i++) {
        squared += (double) q[i] * q[i];
        lo = Math.min(lo, q[i]);
        hi = Math.max(hi, q[i]);
      }
      int most = kind == Quantization.INT8 ? 127 : QUERY_TOP;
      float step = (hi - lo) / most;
      float inverse = step > 0 && step <= Float.MAX_VALUE ? 1 / step : 0;
      long sum = kind == Quantization.INT8 ? shorts(lo, inverse) : planes(lo, inverse);
      float k = similarity == Similarity.EUCLIDEAN ? -2 : -1;
      base =
          switch (similarity) {
            case COSINE -> (float) (1 - inner);
            case DOT_PRODUCT -> (float) -inner;
            case EUCLIDEAN -> (float) squared;
          };
      perSum = 2 * k * lo;
      perRaw = 2 * k * step;
      constant = k * top * (dimension * lo + step * sum);
      length = Math.sqrt(squared) * -k;
      rounding = step * -k / Math.sqrt(12);
    }

    private long shorts(float lo, float inverse) {
      long sum = 0;
      for (int i = 0; i < dimension; i++) {
        int w = (int) ((q[i] - lo) * inverse + 0.5f);
        shorts[i] = (short) w;
        sum += w;
      }
      return sum;
    }

    private long planes(float lo, float inverse) {
      long sum = 0;
      for (int word = 0; word < words; word++) {
        long p0 = 0;
        long p1 = 0;
        long p2 = 0;
        long p3 = 0;
        for (int i = 64 * word, end = Math.min(dimension, i + 64); i < end; i++) {
          long w = (long) ((q[i] - lo) * inverse + 0.5f);
          sum += w;
          p0 |= (w & 1) << i;
          p1 |= (w >> 1 & 1) << i;
          p2 |= (w >> 2 & 1) << i;
          p3 |= (w >> 3 & 1) << i;
        }
        planes[word] = p0;
        planes[stride + word] = p1;
        planes[2 * stride + word] = p2;
        planes[3 * stride + word] = p3;
      }
      return sum;
    }

    /** Estimates the distances of nodes to {@code out}. */
    void estimate(MemorySegment[] pages, int shift, int mask, int[] nodes, int n, float[] out) {
      if (raw.length < n) {
        raw = new int[Math.max(n, 2 * raw.length)];
      }
      touch(pages, shift, mask, nodes, n);
      switch (kind) {
        case BIT1 ->
            CodeKernels.BEST.oneBit(pages, shift, mask, record, nodes, n, words, planes, raw);
        case BITS2 ->
            CodeKernels.BEST.twoBits(pages, shift, mask, record, nodes, n, words, planes, raw);
        default ->
            CodeKernels.BEST.bytes(pages, shift, mask, record, nodes, n, dimension, shorts, raw);
      }
      for (int i = 0; i < n; i++) {
        MemorySegment page = pages[nodes[i] >> shift];
        long at = (long) (nodes[i] & mask) * record + codeBytes;
        float grid = perSum * page.get(INT, at + 8) + perRaw * raw[i] - constant;
        float d = base + page.get(FLOAT, at + 4) + page.get(FLOAT, at) * grid;
        // vectors whose squares overflow have no estimate: far, but not lost
        out[i] = d <= Float.MAX_VALUE ? d : Float.MAX_VALUE;
      }
    }

    /**
     * Loads a word of each cache line of all codes before any is used. Java has no prefetch; loads
     * that depend on nothing are in flight together, where the kernel's would wait one after the
     * other. A random access then costs a third.
     */
    private void touch(MemorySegment[] pages, int shift, int mask, int[] nodes, int n) {
      long t = 0;
      for (int i = 0; i < n; i++) {
        MemorySegment page = pages[nodes[i] >> shift];
        long at = (long) (nodes[i] & mask) * record;
        for (int line = 0; line < record; line += 64) {
          t ^= page.get(LONG, at + line);
        }
      }
      touched = t;
    }

    /** How far a node's estimate is likely to be off: one standard deviation. */
    float deviation(MemorySegment[] pages, int shift, int mask, int node) {
      MemorySegment page = pages[node >> shift];
      long at = (long) (node & mask) * record + codeBytes;
      double second = page.get(FLOAT, at + 4);
      double squared =
          similarity == Similarity.EUCLIDEAN
              ? second
              : Math.max(0, 1 - centreSquared + 2 * second); // |r|² of a unit vector
      double a = length * page.get(FLOAT, at + 12);
      double b = rounding * 1.3 * Math.sqrt(squared); // 1.3: above 1/cos of the coarsest code
      double c = FLOAT_STEP * (Math.abs(base) + Math.abs(second)); // what the float sum rounds off
      return (float) Math.sqrt(a * a + b * b + c * c);
    }
  }
}
