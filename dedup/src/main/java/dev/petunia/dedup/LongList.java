package dev.petunia.dedup;

import java.util.Arrays;

/** A growing array of longs. */
final class LongList {
  private long[] items = new long[16];
  private int size;

  void add(long item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, size * 2);
    }
    items[size++] = item;
  }

  long get(int i) {
    return items[i];
  }

  void set(int i, long value) {
    items[i] = value;
  }

  int size() {
    return size;
  }
}
