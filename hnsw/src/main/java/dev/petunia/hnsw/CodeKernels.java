package dev.petunia.hnsw;

import java.lang.foreign.MemorySegment;

/**
 * The SIMD seam for quantised vectors: inner products of whole numbers between one query and the
 * codes of many nodes, with a scalar twin and a Vector API twin that give the same numbers.
 *
 * <p>Node i's code begins at {@code (i & mask) * record} bytes of {@code pages[i >> shift]}. The
 * kernels may read up to {@link #OVERREAD} bytes beyond it, where the query is zero.
 */
abstract sealed class CodeKernels permits ScalarCodeKernels, PanamaCodeKernels {
  /** How far beyond the last record of a page the kernels may read. */
  static final int OVERREAD = 128;

  /** Longs that the planes of a query are padded to. */
  static final int WORD_BLOCK = 8;

  /** Shorts that a query is padded to. */
  static final int SHORT_BLOCK = 64;

  /** The twin in use. */
  static final CodeKernels BEST = pick();

  /**
   * Σ uᵢ·wᵢ where u has 1 bit and w has 4.
   *
   * @param words longs of a code's plane
   * @param query four planes of w, the lowest bit first, each of {@code words} longs rounded up to
   *     {@link #WORD_BLOCK}
   * @param out gets n sums
   */
  abstract void oneBit(
      MemorySegment[] pages,
      int shift,
      int mask,
      long record,
      int[] nodes,
      int n,
      int words,
      long[] query,
      int[] out);

  /** Σ uᵢ·wᵢ where u has 2 bits, in two planes one after the other, and w has 4. */
  abstract void twoBits(
      MemorySegment[] pages,
      int shift,
      int mask,
      long record,
      int[] nodes,
      int n,
      int words,
      long[] query,
      int[] out);

  /**
   * Σ uᵢ·wᵢ where both are bytes from 0 to 127.
   *
   * @param length components
   * @param query w, padded with zeros to a multiple of {@link #SHORT_BLOCK}
   */
  abstract void bytes(
      MemorySegment[] pages,
      int shift,
      int mask,
      long record,
      int[] nodes,
      int n,
      int length,
      short[] query,
      int[] out);

  private static CodeKernels pick() {
    return Kernels.BEST instanceof PanamaKernels
        ? PanamaCodeKernels.create()
        : new ScalarCodeKernels();
  }
}
