package dev.petunia.benchmarks.dedup;

/**
 * Two texts of a corpus, by their places, and what their shingle sets share.
 *
 * @param a the earlier one
 * @param b the later one
 */
record Pair(int a, int b, int intersection, int union) {
  /** The two places in one number. */
  static long key(int x, int y) {
    return (long) Math.min(x, y) << 32 | Math.max(x, y);
  }

  long key() {
    return key(a, b);
  }

  boolean isAtLeast(int tenths) {
    return union > 0 && 10L * intersection >= (long) tenths * union;
  }

  boolean isIdentical() {
    return union > 0 && intersection == union;
  }
}
