package dev.petunia.hnsw;

import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** The Vector API twin. One accumulator a vector: in bulk, four chains of additions overlap. */
final class PanamaKernels extends Kernels {
  private static final VectorSpecies<Float> SPECIES = species(System.getProperty(PROPERTY, ""));

  private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;

  // each lane's partner in the steps of a sum: half the lanes away, then a quarter, ...
  private static final VectorShuffle<Float> HALF = partners(2);
  private static final VectorShuffle<Float> QUARTER = partners(4);
  private static final VectorShuffle<Float> EIGHTH = partners(8);
  private static final VectorShuffle<Float> SIXTEENTH = partners(16);

  private PanamaKernels() {}

  static Kernels create(String wanted) {
    if (!wanted.isEmpty() && SPECIES.vectorBitSize() != Integer.parseInt(wanted)) {
      System.getLogger("dev.petunia.hnsw")
          .log(Level.WARNING, PROPERTY + "=" + wanted + " is not a width of this machine");
    }
    // below 4 lanes a vector register is no better than scalar code
    return SPECIES.length() < 4 ? new ScalarKernels() : new PanamaKernels();
  }

  private static VectorSpecies<Float> species(String wanted) {
    return switch (wanted) {
      case "128" -> FloatVector.SPECIES_128;
      case "256" -> FloatVector.SPECIES_256;
      case "512" -> FloatVector.SPECIES_512;
      case "" -> FloatVector.SPECIES_PREFERRED;
      default ->
          throw new IllegalArgumentException(
              PROPERTY + " is \"" + wanted + "\", allowed: scalar, 128, 256, 512");
    };
  }

  private static VectorShuffle<Float> partners(int parts) {
    int away = Math.max(1, SPECIES.length() / parts);
    return VectorShuffle.fromOp(SPECIES, lane -> lane ^ away);
  }

  /**
   * The sum of the lanes, added in one order always. {@code reduceLanes} leaves the order open, and
   * does add in another one before it is compiled than after: the same two vectors would have two
   * distances, by when they were compared, and the same input two graphs.
   */
  private static float sum(FloatVector v) {
    FloatVector s = v.add(v.rearrange(HALF));
    s = s.add(s.rearrange(QUARTER));
    if (SPECIES.length() >= 8) {
      s = s.add(s.rearrange(EIGHTH));
    }
    if (SPECIES.length() >= 16) {
      s = s.add(s.rearrange(SIXTEENTH));
    }
    return s.lane(0);
  }

  /** Bits of a register in use. */
  static int bits() {
    return SPECIES.vectorBitSize();
  }

  @Override
  String name() {
    return "panama-" + SPECIES.vectorBitSize();
  }

  @Override
  int lanes() {
    return SPECIES.length();
  }

  @Override
  float dot(MemorySegment a, long ao, MemorySegment b, long bo, int n) {
    int bound = SPECIES.loopBound(n);
    float sum = dotBody(a, ao, b, bo, bound);
    for (int i = bound; i < n; i++) {
      sum += a.get(FLOAT, ao + 4L * i) * b.get(FLOAT, bo + 4L * i);
    }
    return sum;
  }

  private static float dotBody(MemorySegment a, long ao, MemorySegment b, long bo, int bound) {
    FloatVector acc = FloatVector.zero(SPECIES);
    for (int i = 0; i < bound; i += SPECIES.length()) {
      acc =
          FloatVector.fromMemorySegment(SPECIES, a, ao + 4L * i, LE)
              .fma(FloatVector.fromMemorySegment(SPECIES, b, bo + 4L * i, LE), acc);
    }
    return sum(acc);
  }

  @Override
  float squared(MemorySegment a, long ao, MemorySegment b, long bo, int n) {
    int bound = SPECIES.loopBound(n);
    float sum = squaredBody(a, ao, b, bo, bound);
    for (int i = bound; i < n; i++) {
      float d = a.get(FLOAT, ao + 4L * i) - b.get(FLOAT, bo + 4L * i);
      sum += d * d;
    }
    return sum;
  }

  private static float squaredBody(MemorySegment a, long ao, MemorySegment b, long bo, int bound) {
    FloatVector acc = FloatVector.zero(SPECIES);
    for (int i = 0; i < bound; i += SPECIES.length()) {
      FloatVector d =
          FloatVector.fromMemorySegment(SPECIES, a, ao + 4L * i, LE)
              .sub(FloatVector.fromMemorySegment(SPECIES, b, bo + 4L * i, LE));
      acc = d.fma(d, acc);
    }
    return sum(acc);
  }

  @Override
  void dot4(
      MemorySegment q,
      long qo,
      int n,
      MemorySegment a,
      long ao,
      MemorySegment b,
      long bo,
      MemorySegment c,
      long co,
      MemorySegment d,
      long d0,
      float[] out,
      int at) {
    int bound = SPECIES.loopBound(n);
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = FloatVector.zero(SPECIES);
    FloatVector s2 = FloatVector.zero(SPECIES);
    FloatVector s3 = FloatVector.zero(SPECIES);
    for (int i = 0; i < bound; i += SPECIES.length()) {
      FloatVector v = FloatVector.fromMemorySegment(SPECIES, q, qo + 4L * i, LE);
      // the operands stand as in dot, so that both round alike
      s0 = v.fma(FloatVector.fromMemorySegment(SPECIES, a, ao + 4L * i, LE), s0);
      s1 = v.fma(FloatVector.fromMemorySegment(SPECIES, b, bo + 4L * i, LE), s1);
      s2 = v.fma(FloatVector.fromMemorySegment(SPECIES, c, co + 4L * i, LE), s2);
      s3 = v.fma(FloatVector.fromMemorySegment(SPECIES, d, d0 + 4L * i, LE), s3);
    }
    float r0 = sum(s0);
    float r1 = sum(s1);
    float r2 = sum(s2);
    float r3 = sum(s3);
    for (int i = bound; i < n; i++) {
      float v = q.get(FLOAT, qo + 4L * i);
      r0 += v * a.get(FLOAT, ao + 4L * i);
      r1 += v * b.get(FLOAT, bo + 4L * i);
      r2 += v * c.get(FLOAT, co + 4L * i);
      r3 += v * d.get(FLOAT, d0 + 4L * i);
    }
    out[at] = r0;
    out[at + 1] = r1;
    out[at + 2] = r2;
    out[at + 3] = r3;
  }

  @Override
  void squared4(
      MemorySegment q,
      long qo,
      int n,
      MemorySegment a,
      long ao,
      MemorySegment b,
      long bo,
      MemorySegment c,
      long co,
      MemorySegment d,
      long d0,
      float[] out,
      int at) {
    int bound = SPECIES.loopBound(n);
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = FloatVector.zero(SPECIES);
    FloatVector s2 = FloatVector.zero(SPECIES);
    FloatVector s3 = FloatVector.zero(SPECIES);
    for (int i = 0; i < bound; i += SPECIES.length()) {
      FloatVector v = FloatVector.fromMemorySegment(SPECIES, q, qo + 4L * i, LE);
      FloatVector e0 = v.sub(FloatVector.fromMemorySegment(SPECIES, a, ao + 4L * i, LE));
      FloatVector e1 = v.sub(FloatVector.fromMemorySegment(SPECIES, b, bo + 4L * i, LE));
      FloatVector e2 = v.sub(FloatVector.fromMemorySegment(SPECIES, c, co + 4L * i, LE));
      FloatVector e3 = v.sub(FloatVector.fromMemorySegment(SPECIES, d, d0 + 4L * i, LE));
      s0 = e0.fma(e0, s0);
      s1 = e1.fma(e1, s1);
      s2 = e2.fma(e2, s2);
      s3 = e3.fma(e3, s3);
    }
    float r0 = sum(s0);
    float r1 = sum(s1);
    float r2 = sum(s2);
    float r3 = sum(s3);
    for (int i = bound; i < n; i++) {
      float v = q.get(FLOAT, qo + 4L * i);
      float e0 = v - a.get(FLOAT, ao + 4L * i);
      float e1 = v - b.get(FLOAT, bo + 4L * i);
      float e2 = v - c.get(FLOAT, co + 4L * i);
      float e3 = v - d.get(FLOAT, d0 + 4L * i);
      r0 += e0 * e0;
      r1 += e1 * e1;
      r2 += e2 * e2;
      r3 += e3 * e3;
    }
    out[at] = r0;
    out[at + 1] = r1;
    out[at + 2] = r2;
    out[at + 3] = r3;
  }
}
