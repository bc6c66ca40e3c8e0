package dev.petunia.hnsw;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Plain loops. */
final class ScalarCodeKernels extends CodeKernels {
  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

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
    for (int i = 0; i < n; i++) {
      out[i] = plane(pages[nodes[i] >> shift], (nodes[i] & mask) * record, words, query);
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
    for (int i = 0; i < n; i++) {
      MemorySegment page = pages[nodes[i] >> shift];
      long at = (nodes[i] & mask) * record;
      out[i] = plane(page, at, words, query) + 2 * plane(page, at + 8L * words, words, query);
    }
  }

  private static int plane(MemorySegment page, long at, int words, long[] query) {
    int stride = (words + WORD_BLOCK - 1) / WORD_BLOCK * WORD_BLOCK;
    int s0 = 0;
    int s1 = 0;
    int s2 = 0;
    int s3 = 0;
    for (int w = 0; w < words; w++) {
      long code = page.get(LONG, at + 8L * w);
      s0 += Long.bitCount(code & query[w]);
      s1 += Long.bitCount(code & query[stride + w]);
      s2 += Long.bitCount(code & query[2 * stride + w]);
      s3 += Long.bitCount(code & query[3 * stride + w]);
    }
    return s0 + 2 * s1 + 4 * s2 + 8 * s3;
  }

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
    for (int i = 0; i < n; i++) {
      MemorySegment page = pages[nodes[i] >> shift];
      long at = (nodes[i] & mask) * record;
      int sum = 0;
      for (int k = 0; k < length; k++) {
        sum += page.get(ValueLayout.JAVA_BYTE, at + k) * query[k];
      }
      out[i] = sum;
    }
  }
}
