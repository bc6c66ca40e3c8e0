package dev.petunia.dedup;

import java.util.Arrays;

/** Numbers the distinct longs it is given from 0; open addressing, linear probing. */
final class LongTable {
  private long[] keys = new long[64];
  private int[] slots = new int[128];
  private int size;

  int size() {
    return size;
  }

  long key(int number) {
    return keys[number];
  }

  /** The key's number, or −1. */
  int find(long key) {
    int mask = slots.length - 1;
    for (int i = spread(key) & mask; ; i = i + 1 & mask) {
      int n = slots[i] - 1;
      if (n < 0 || keys[n] == key) {
        return n;
      }
    }
  }

  /** The key's number; a new key has the number that {@link #size} was before. */
  int add(long key) {
    int mask = slots.length - 1;
    int i = spread(key) & mask;
    while (slots[i] != 0) {
      if (keys[slots[i] - 1] == key) {
        return slots[i] - 1;
      }
      i = i + 1 & mask;
    }
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, size * 2);
    }
    keys[size] = key;
    slots[i] = ++size;
    if (size * 2 > slots.length) {
      grow();
    }
    return size - 1;
  }

  private void grow() {
    int[] bigger = new int[slots.length * 2];
    int mask = bigger.length - 1;
    for (int n = 0; n < size; n++) {
      int i = spread(keys[n]) & mask;
      while (bigger[i] != 0) {
        i = i + 1 & mask;
      }
      bigger[i] = n + 1;
    }
    slots = bigger;
  }

  private static int spread(long key) {
    long h = key * 0x9E3779B97F4A7C15L;
    return (int) (h >>> 32);
  }
}
