package dev.petunia.dedup;

/**
 * The shingles of a query, loaded once and met by many sets.
 *
 * <p>Of 100 candidates nearly all shingles are not the query's, and which one is can't be
 * predicted. So a set first passes a bitmap of the leading bits of the query's hashes, without a
 * branch, and only the few that pass (1 in 64 to 1 in 128 by chance, and those shared) are looked
 * up. Not safe for several threads.
 */
final class QueryTable {
  private final long[] bits;
  private final int wordShift;
  private final int bitShift;

  private final long[] slots;
  private final int slotShift;
  private boolean hasZero;

  private long[] passed = new long[256];

  QueryTable(long[] set) {
    // 64 to 128 bits for each hash: as many words as hashes, rounded up to a power of two
    int wordBits = Math.max(6, 32 - Integer.numberOfLeadingZeros(set.length));
    bits = new long[1 << wordBits];
    wordShift = 64 - wordBits;
    bitShift = wordShift - 6;
    slots = new long[2 << wordBits];
    slotShift = wordShift - 1;
    for (long x : set) {
      bits[(int) (x >>> wordShift)] |= 1L << (x >>> bitShift);
      if (x == 0) {
        hasZero = true; // marks an empty slot otherwise
        continue;
      }
      int i = slot(x);
      while (slots[i] != 0) {
        i = i + 1 & slots.length - 1;
      }
      slots[i] = x;
    }
  }

  private int slot(long x) {
    // multiplied, so that hashes which share their leading bits don't pile up
    return (int) ((x * 0x9E3779B97F4A7C15L) >>> slotShift);
  }

  /** How many of a set's shingles the query has. */
  int shared(long[] set) {
    if (passed.length < set.length) {
      passed = new long[Math.max(set.length, 2 * passed.length)];
    }
    long[] out = passed;
    int n = 0;
    for (long x : set) {
      out[n] = x;
      n += (int) (bits[(int) (x >>> wordShift)] >>> (x >>> bitShift)) & 1;
    }
    int shared = 0;
    for (int k = 0; k < n; k++) {
      shared += has(out[k]) ? 1 : 0;
    }
    return shared;
  }

  private boolean has(long x) {
    if (x == 0) {
      return hasZero;
    }
    int i = slot(x);
    while (slots[i] != 0 && slots[i] != x) {
      i = i + 1 & slots.length - 1;
    }
    return slots[i] == x;
  }
}
