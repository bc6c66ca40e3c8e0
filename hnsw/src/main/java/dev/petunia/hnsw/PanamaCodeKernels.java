package dev.petunia.hnsw;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The Vector API twin. Bits are counted in whole registers; the counts of one weight are added up
 * before they are shifted, so that a plane costs an AND, a count and an addition. Methods are
 * written out rather than composed: a call that is not inlined would put every vector on the heap.
 */
final class PanamaCodeKernels extends CodeKernels {
  private static final VectorShape SHAPE = VectorShape.forBitSize(PanamaKernels.bits());
  private static final VectorSpecies<Long> LONGS = VectorSpecies.of(long.class, SHAPE);
  private static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, SHAPE);
  private static final VectorSpecies<Short> SHORTS = VectorSpecies.of(short.class, SHAPE);

  /** As many bytes as there are shorts in a register. */
  private static final VectorSpecies<Byte> BYTES =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(PanamaKernels.bits() / 2));

  private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;

  private PanamaCodeKernels() {}

  static CodeKernels create() {
    return new PanamaCodeKernels();
  }

  @Override
  void oneBit(
      MemorySegment[] pages,
      int shift,
      int mask,
      long record,
      int[] nodes,
      int n,
      int words,
      long[] query,
      int[] out) {
    int stride = (words + WORD_BLOCK - 1) / WORD_BLOCK * WORD_BLOCK;
    for (int i = 0; i < n; i++) {
      MemorySegment page = pages[nodes[i] >> shift];
      long at = (nodes[i] & mask) * record;
      LongVector l0 = LongVector.zero(LONGS);
      LongVector l1 = LongVector.zero(LONGS);
      LongVector l2 = LongVector.zero(LONGS);
      LongVector l3 = LongVector.zero(LONGS);
      for (int w = 0; w < words; w += LONGS.length()) {
        LongVector c = LongVector.fromMemorySegment(LONGS, page, at + 8L * w, LE);
        LongVector q0 = LongVector.fromArray(LONGS, query, w);
        LongVector q1 = LongVector.fromArray(LONGS, query, stride + w);
        LongVector q2 = LongVector.fromArray(LONGS, query, 2 * stride + w);
        LongVector q3 = LongVector.fromArray(LONGS, query, 3 * stride + w);
        l0 = l0.add(c.and(q0).lanewise(VectorOperators.BIT_COUNT));
        l1 = l1.add(c.and(q1).lanewise(VectorOperators.BIT_COUNT));
        l2 = l2.add(c.and(q2).lanewise(VectorOperators.BIT_COUNT));
        l3 = l3.add(c.and(q3).lanewise(VectorOperators.BIT_COUNT));
      }
      LongVector low = l0.add(l1.lanewise(VectorOperators.LSHL, 1));
      LongVector high = l2.add(l3.lanewise(VectorOperators.LSHL, 1));
      out[i] =
          (int) low.add(high.lanewise(VectorOperators.LSHL, 2)).reduceLanes(VectorOperators.ADD);
    }
  }

  @Override
  void twoBits(
      MemorySegment[] pages,
      int shift,
      int mask,
      long record,
      int[] nodes,
      int n,
      int words,
      long[] query,
      int[] out) {
    int stride = (words + WORD_BLOCK - 1) / WORD_BLOCK * WORD_BLOCK;
    for (int i = 0; i < n; i++) {
      MemorySegment page = pages[nodes[i] >> shift];
      long at = (nodes[i] & mask) * record;
      LongVector l0 = LongVector.zero(LONGS);
      LongVector l1 = LongVector.zero(LONGS);
      LongVector l2 = LongVector.zero(LONGS);
      LongVector l3 = LongVector.zero(LONGS);
      LongVector l4 = LongVector.zero(LONGS);
      for (int w = 0; w < words; w += LONGS.length()) {
        LongVector c = LongVector.fromMemorySegment(LONGS, page, at + 8L * w, LE);
        LongVector d = LongVector.fromMemorySegment(LONGS, page, at + 8L * (words + w), LE);
        LongVector q0 = LongVector.fromArray(LONGS, query, w);
        LongVector q1 = LongVector.fromArray(LONGS, query, stride + w);
        LongVector q2 = LongVector.fromArray(LONGS, query, 2 * stride + w);
        LongVector q3 = LongVector.fromArray(LONGS, query, 3 * stride + w);
        l0 = l0.add(c.and(q0).lanewise(VectorOperators.BIT_COUNT));
        l1 =
            l1.add(
                c.and(q1)
                    .lanewise(VectorOperators.BIT_COUNT)
                    .add(d.and(q0).lanewise(VectorOperators.BIT_COUNT)));
        l2 =
            l2.add(
                c.and(q2)
                    .lanewise(VectorOperators.BIT_COUNT)
                    .add(d.and(q1).lanewise(VectorOperators.BIT_COUNT)));
        l3 =
            l3.add(
                c.and(q3)
                    .lanewise(VectorOperators.BIT_COUNT)
                    .add(d.and(q2).lanewise(VectorOperators.BIT_COUNT)));
        l4 = l4.add(d.and(q3).lanewise(VectorOperators.BIT_COUNT));
      }
      LongVector low = l0.add(l1.lanewise(VectorOperators.LSHL, 1));
      LongVector high = l2.add(l3.lanewise(VectorOperators.LSHL, 1));
      out[i] =
          (int)
              low.add(high.lanewise(VectorOperators.LSHL, 2))
                  .add(l4.lanewise(VectorOperators.LSHL, 4))
                  .reduceLanes(VectorOperators.ADD);
    }
  }

  /**
   * Products of two numbers up to 127 are at most 16,129, so two of them fit into a short: they are
   * added before the sums are widened to ints, which halves the widening.
   */
  @Override
  void bytes(
      MemorySegment[] pages,
      int shift,
      int mask,
      long record,
      int[] nodes,
      int n,
      int length,
      short[] query,
      int[] out) {
    int half = SHORTS.length();
    for (int i = 0; i < n; i++) {
      MemorySegment page = pages[nodes[i] >> shift];
      long at = (nodes[i] & mask) * record;
      IntVector sum = IntVector.zero(INTS);
      for (int k = 0; k < length; k += 2 * half) {
        ShortVector x =
            (ShortVector)
                ByteVector.fromMemorySegment(BYTES, page, at + k, LE).castShape(SHORTS, 0);
        ShortVector y =
            (ShortVector)
                ByteVector.fromMemorySegment(BYTES, page, at + k + half, LE).castShape(SHORTS, 0);
        IntVector pairs =
            x.mul(ShortVector.fromArray(SHORTS, query, k))
                .add(y.mul(ShortVector.fromArray(SHORTS, query, k + half)))
                .reinterpretAsInts();
        sum = sum.add(pairs.and(0xFFFF)).add(pairs.lanewise(VectorOperators.LSHR, 16));
      }
      out[i] = sum.reduceLanes(VectorOperators.ADD);
    }
  }
}
