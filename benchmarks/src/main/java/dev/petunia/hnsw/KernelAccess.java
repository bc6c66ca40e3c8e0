package dev.petunia.hnsw;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

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
  public static float dot(MemorySegment a, MemorySegment b) {
    return Kernels.BEST.dot(a, 0, b, 0, components(a));
  }

  /** The squared distance by the twin in use. */
  public static float squared(MemorySegment a, MemorySegment b) {
    return Kernels.BEST.squared(a, 0, b, 0, components(a));
  }

  /** Four dot products with one query by the twin in use, to {@code out[0..3]}. */
  public static void dot4(MemorySegment q, MemorySegment[] four, float[] out) {
    Kernels.BEST.dot4(q, 0, components(q), four[0], 0, four[1], 0, four[2], 0, four[3], 0, out, 0);
  }

  /** A vector where the index keeps vectors: outside the heap. */
  public static MemorySegment outside(float[] v) {
    MemorySegment segment = Arena.ofAuto().allocate(4L * v.length, VectorTable.ALIGNMENT);
    MemorySegment.copy(v, 0, segment, Kernels.FLOAT, 0, v.length);
    return segment;
  }

  private static int components(MemorySegment v) {
    return (int) (v.byteSize() / 4);
  }
}
