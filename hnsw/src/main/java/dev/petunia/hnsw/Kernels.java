package dev.petunia.hnsw;

import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The SIMD seam: distances between float vectors outside the heap, with a scalar twin ({@link
 * ScalarKernels}) and a Vector API twin ({@link PanamaKernels}). Chosen once, when the first index
 * is made. {@link CodeKernels} is the same for quantised vectors.
 *
 * <p>Each method is one flat loop over segments with offsets in bytes: no slices, no lambdas,
 * nothing that would make a call site megamorphic or vectors escape. The bulk-of-4 forms read the
 * query once for four vectors and keep four independent loads in flight, which stands in for the
 * prefetch that Java lacks. The single and the bulk form multiply and add in the same order, so
 * that compiled code gives a pair the same distance in both. (Across a width, or interpreted, the
 * last bits may differ: the order of {@code reduceLanes} is unspecified.)
 */
abstract sealed class Kernels permits ScalarKernels, PanamaKernels {
  /**
   * {@code scalar} forces the scalar twin; {@code 128}, {@code 256}, {@code 512} a vector width.
   */
  static final String PROPERTY = "dev.petunia.kernels";

  /** Floats as they are stored, in memory and in files. */
  static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final System.Logger LOG = System.getLogger("dev.petunia.hnsw");

  /** The twin in use. A static final constant, so that calls through it are inlined. */
  static final Kernels BEST = pick();

  /** What it is, for benchmarks and logs. */
  abstract String name();

  /** Floats in a register. */
  abstract int lanes();

  /** Σ aᵢ·bᵢ over {@code n} components. */
  abstract float dot(MemorySegment a, long ao, MemorySegment b, long bo, int n);

  /** Σ (aᵢ−bᵢ)² over {@code n} components. */
  abstract float squared(MemorySegment a, long ao, MemorySegment b, long bo, int n);

  /** Four dot products with one query, to {@code out[at..at+3]}. */
  abstract void dot4(
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
      int at);

  /** Four squared distances with one query, to {@code out[at..at+3]}. */
  abstract void squared4(
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
      int at);

  private static Kernels pick() {
    String wanted = System.getProperty(PROPERTY, "");
    if (wanted.equals("scalar")) {
      return new ScalarKernels();
    }
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
      LOG.log(
          Level.WARNING,
          "The vector module is not there, so distances are computed without SIMD, several times"
              + " slower. Start java with --add-modules jdk.incubator.vector");
      return new ScalarKernels();
    }
    String vm = System.getProperty("java.vm.name", "");
    if (!vm.contains("HotSpot") && !vm.contains("OpenJDK")) {
      // on other VMs the Vector API may run as plain objects, far slower than scalar code
      LOG.log(Level.WARNING, "SIMD is used on HotSpot only; this is " + vm + ": scalar distances");
      return new ScalarKernels();
    }
    return panama(wanted);
  }

  // in a method of its own: the class is linked only when the module is there
  private static Kernels panama(String wanted) {
    return PanamaKernels.create(wanted);
  }
}
