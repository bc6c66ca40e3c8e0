package dev.petunia.dedup;

import java.util.Arrays;

/** A growing array of ints. */
final class IntList {
  private int[] items;
  private int size;

  IntList() {
    this(16);
  }

  IntList(int room) {
    items = new int[room];
  }

  void add(int item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, size * 2);
    }
    items[size++] = item;
  }

  int get(int i) {
    return items[i];
  }

  void set(int i, int item) {
    items[i] = item;
  }

  int size() {
    return size;
  }

  void truncate(int toSize) {
    size = toSize;
  }

  void clear() {
    size = 0;
  }

  int[] toArray() {
    return Arrays.copyOf(items, size);
  }

  void sort() {
    Arrays.sort(items, 0, size);
  }
}
