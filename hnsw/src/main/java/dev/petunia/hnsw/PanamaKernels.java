package dev.petunia.hnsw;

import java.lang.System.Logger.Level;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The Vector API twin. One accumulator a vector: in bulk, four chains of additions overlap. */
final class PanamaKernels extends Kernels {
  private static final VectorSpecies<Float> SPECIES = species(System.getProperty(PROPERTY, ""));

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

  @Override
  String name() {
    return "panama-" + SPECIES.vectorBitSize();
  }

  @Override
  int lanes() {
    return SPECIES.length();
  }

  @Override
  float dot(float[] a, int ao, float[] b, int bo, int n) {
    int bound = SPECIES.loopBound(n);
    float sum = dotBody(a, ao, b, bo, bound);
    for (int i = bound; i < n; i++) {
      sum += a[ao + i] * b[bo + i];
    }
    return sum;
  }

  private static float dotBody(float[] a, int ao, float[] b, int bo, int bound) {
    FloatVector acc = FloatVector.zero(SPECIES);
    for (int i = 0; i < bound; i += SPECIES.length()) {
      acc =
          FloatVector.fromArray(SPECIES, a, ao + i)
              .fma(FloatVector.fromArray(SPECIES, b, bo + i), acc);
    }
    return acc.reduceLanes(VectorOperators.ADD);
  }

  @Override
  float squared(float[] a, int ao, float[] b, int bo, int n) {
    int bound = SPECIES.loopBound(n);
    float sum = squaredBody(a, ao, b, bo, bound);
    for (int i = bound; i < n; i++) {
      float d = a[ao + i] - b[bo + i];
      sum += d * d;
    }
    return sum;
  }

  private static float squaredBody(float[] a, int ao, float[] b, int bo, int bound) {
    FloatVector acc = FloatVector.zero(SPECIES);
    for (int i = 0; i < bound; i += SPECIES.length()) {
      FloatVector d =
          FloatVector.fromArray(SPECIES, a, ao + i).sub(FloatVector.fromArray(SPECIES, b, bo + i));
      acc = d.fma(d, acc);
    }
    return acc.reduceLanes(VectorOperators.ADD);
  }

  @Override
  void dot4(
      float[] q,
      int qo,
      int n,
      float[] a,
      int ao,
      float[] b,
      int bo,
      float[] c,
      int co,
      float[] d,
      int d0,
      float[] out,
      int at) {
    int bound = SPECIES.loopBound(n);
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = FloatVector.zero(SPECIES);
    FloatVector s2 = FloatVector.zero(SPECIES);
    FloatVector s3 = FloatVector.zero(SPECIES);
    for (int i = 0; i < bound; i += SPECIES.length()) {
      FloatVector v = FloatVector.fromArray(SPECIES, q, qo + i);
      // the operands stand as in dot, so that both round alike
      s0 = v.fma(FloatVector.fromArray(SPECIES, a, ao + i), s0);
      s1 = v.fma(FloatVector.fromArray(SPECIES, b, bo + i), s1);
      s2 = v.fma(FloatVector.fromArray(SPECIES, c, co + i), s2);
      s3 = v.fma(FloatVector.fromArray(SPECIES, d, d0 + i), s3);
    }
    float r0 = s0.reduceLanes(VectorOperators.ADD);
    float r1 = s1.reduceLanes(VectorOperators.ADD);
    float r2 = s2.reduceLanes(VectorOperators.ADD);
    float r3 = s3.reduceLanes(VectorOperators.ADD);
    for (int i = bound; i < n; i++) {
      float v = q[qo + i];
      r0 += v * a[ao + i];
      r1 += v * b[bo + i];
      r2 += v * c[co + i];
      r3 += v * d[d0 + i];
    }
    out[at] = r0;
    out[at + 1] = r1;
    out[at + 2] = r2;
    out[at + 3] = r3;
  }

  @Override
  void squared4(
      float[] q,
      int qo,
      int n,
      float[] a,
      int ao,
      float[] b,
      int bo,
      float[] c,
      int co,
      float[] d,
      int d0,
      float[] out,
      int at) {
    int bound = SPECIES.loopBound(n);
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = FloatVector.zero(SPECIES);
    FloatVector s2 = FloatVector.zero(SPECIES);
    FloatVector s3 = FloatVector.zero(SPECIES);
    for (int i = 0; i < bound; i += SPECIES.length()) {
      FloatVector v = FloatVector.fromArray(SPECIES, q, qo + i);
      FloatVector e0 = v.sub(FloatVector.fromArray(SPECIES, a, ao + i));
      FloatVector e1 = v.sub(FloatVector.fromArray(SPECIES, b, bo + i));
      FloatVector e2 = v.sub(FloatVector.fromArray(SPECIES, c, co + i));
      FloatVector e3 = v.sub(FloatVector.fromArray(SPECIES, d, d0 + i));
      s0 = e0.fma(e0, s0);
      s1 = e1.fma(e1, s1);
      s2 = e2.fma(e2, s2);
      s3 = e3.fma(e3, s3);
    }
    float r0 = s0.reduceLanes(VectorOperators.ADD);
    float r1 = s1.reduceLanes(VectorOperators.ADD);
    float r2 = s2.reduceLanes(VectorOperators.ADD);
    float r3 = s3.reduceLanes(VectorOperators.ADD);
    for (int i = bound; i < n; i++) {
      float v = q[qo + i];
      float e0 = v - a[ao + i];
      float e1 = v - b[bo + i];
      float e2 = v - c[co + i];
      float e3 = v - d[d0 + i];
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
