package dev.petunia.dedup;

import java.util.Arrays;

/**
 * The band keys of the groups that are in no sorted run yet: for each band a hash table of chains,
 * 8 bytes a group and 4 to 8 for the heads.
 */
final class BandTable {
  private final int[][] heads;
  private final int[][] next;
  private final int[][] keys;
  private int first;
  private int size;

  BandTable(int bands) {
    heads = new int[bands][256];
    next = new int[bands][128];
    keys = new int[bands][128];
  }

  int size() {
    return size;
  }

  /** The number of its first group; the others follow. */
  int first() {
    return first;
  }

  /** Empties it; the next group that comes has this number. */
  void restart(int firstGroup) {
    first = firstGroup;
    size = 0;
    for (int[] h : heads) {
      Arrays.fill(h, 0);
    }
  }

  /** Makes room for {@code count} more groups; their keys follow, band by band. */
  void reserve(int count) {
    size += count;
  }

  /** Adds the keys of one band; bands are independent, so threads may share them out. */
  void addBand(int band, int from, int[][] keysOfGroups) {
    int[] n = next[band];
    int[] k = keys[band];
    if (k.length < size) {
      n = next[band] = Arrays.copyOf(n, Math.max(size, n.length * 2));
      k = keys[band] = Arrays.copyOf(k, n.length);
    }
    int[] h = heads[band];
    int end = from + keysOfGroups.length;
    for (int i = from; i < end; i++) {
      k[i] = keysOfGroups[i - from][band];
    }
    if (h.length < 2 * end) {
      h = heads[band] = new int[Integer.highestOneBit(2 * end) * 2];
      from = 0; // all chains anew
    }
    for (int i = from; i < end; i++) {
      int slot = k[i] & h.length - 1;
      n[i] = h[slot];
      h[slot] = i + 1;
    }
  }

  /**
   * Puts the groups with this key into {@code out}, from {@code at} on, as far as it has room.
   *
   * @return where the next would go; out.length may mean that there are more
   */
  int collect(int band, int key, int[] out, int at) {
    if (size == 0) {
      return at;
    }
    int[] h = heads[band];
    int[] n = next[band];
    int[] k = keys[band];
    for (int i = h[key & h.length - 1]; i != 0 && at < out.length; i = n[i - 1]) {
      if (k[i - 1] == key) {
        out[at++] = first + i - 1;
      }
    }
    return at;
  }

  /** Entries {@code key << 32 | group} of a band in unsigned order. */
  long[] sorted(int band) {
    long[] out = new long[size];
    for (int i = 0; i < size; i++) {
      out[i] = ((long) keys[band][i] << 32 | first + i) ^ Long.MIN_VALUE;
    }
    Arrays.sort(out);
    for (int i = 0; i < size; i++) {
      out[i] ^= Long.MIN_VALUE;
    }
    return out;
  }
}
