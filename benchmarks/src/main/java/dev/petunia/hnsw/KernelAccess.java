package dev.petunia.hnsw;

/**
 * Lets the benchmarks at the distance kernels. They are no part of the API, so the class that
 * measures them has to stand in their package; the benchmarks run on the class path, where that is
 * allowed.
 */
public final class KernelAccess {
  private KernelAccess() {}

  /** The name of the twin in use, such as "panama-512" or "scalar". */
  public static String name() {
    return Kernels.BEST.name();
  }

  /** The dot product by the twin in use. */
  public static float dot(float[] a, float[] b) {
    return Kernels.BEST.dot(a, 0, b, 0, a.length);
  }

  /** The squared distance by the twin in use. */
  public static float squared(float[] a, float[] b) {
    return Kernels.BEST.squared(a, 0, b, 0, a.length);
  }

  /** Four dot products with one query by the twin in use, to {@code out[0..3]}. */
  public static void dot4(float[] q, float[][] four, float[] out) {
    Kernels.BEST.dot4(q, 0, q.length, four[0], 0, four[1], 0, four[2], 0, four[3], 0, out, 0);
  }
}
