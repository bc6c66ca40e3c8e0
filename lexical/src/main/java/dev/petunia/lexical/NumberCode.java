package dev.petunia.lexical;

import org.apache.lucene.util.NumericUtils;

/**
 * Numbers as bytes that sort as the numbers do, exactly, across Long and Double.
 *
 * <p>A number v is written as the largest double d that is not above it, and the rest {@code r = v
 * - d}: 8 bytes of d (sign flipped so that they sort unsigned), 2 bytes of r, big-endian. A double
 * has r = 0. A long has {@code 0 <= r < ulp(d) <= 1024}. If d(v) is below d(w), then v is below w,
 * since v is below the double that follows d(v); so the pairs sort as the numbers do, and equal
 * numbers have equal bytes: 1 and 1.0, 0.0 and -0.0, but not 2^53 + 1 and the double nearest to it.
 */
final class NumberCode {
  /** Bytes of a number. */
  static final int LENGTH = 10;

  /** Bytes in the point index, where the last ones make room for open ends of ranges. */
  static final int POINT_LENGTH = 16;

  private NumberCode() {}

  static byte[] encode(Object number) {
    return encode(number, LENGTH);
  }

  /** The number padded with zeros. */
  static byte[] encodePoint(Object number) {
    return encode(number, POINT_LENGTH);
  }

  /** The least point above a number's own, and below the next number's. */
  static byte[] justAbove(Object number) {
    byte[] point = encodePoint(number);
    point[POINT_LENGTH - 1] = 1;
    return point;
  }

  /** The greatest point below a number's own. */
  static byte[] justBelow(Object number) {
    byte[] point = encodePoint(number);
    for (int i = POINT_LENGTH - 1; point[i]-- == 0; i--) {
      // borrows; a finite number's code is never all zero, so this ends
    }
    return point;
  }

  private static byte[] encode(Object number, int length) {
    double floor;
    long rest = 0;
    if (number instanceof Long l) {
      floor = (double) l.longValue();
      if (isAbove(floor, l)) {
        floor = Math.nextDown(floor);
      }
      rest = l - (long) floor;
    } else {
      floor = (Double) number + 0.0; // -0.0 becomes 0.0
    }
    byte[] bytes = new byte[length];
    NumericUtils.longToSortableBytes(NumericUtils.doubleToSortableLong(floor), bytes, 0);
    bytes[Long.BYTES] = (byte) (rest >>> 8);
    bytes[Long.BYTES + 1] = (byte) rest;
    return bytes;
  }

  private static boolean isAbove(double d, long l) {
    // 2^63 is a double but no long; the cast back would saturate
    return d == 0x1p63 || (long) d > l;
  }
}
