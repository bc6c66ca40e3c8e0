package dev.petunia.hnsw;

import java.util.Arrays;

/** A binary min-heap of longs: the nodes that only lead on (see {@link Walk#admitting}). */
final class Heap {
  private long[] keys = new long[64];
  private int size;

  void clear() {
    size = 0;
  }

  boolean isEmpty() {
    return size == 0;
  }

  long peek() {
    return keys[0];
  }

  void push(long key) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, size * 2);
    }
    int i = size++;
    while (i > 0) {
      int up = (i - 1) >>> 1;
      if (keys[up] <= key) {
        break;
      }
      keys[i] = keys[up];
      i = up;
    }
    keys[i] = key;
  }

  long pop() {
    long top = keys[0];
    long key = keys[--size];
    int i = 0;
    while (true) {
      int child = 2 * i + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && keys[child + 1] < keys[child]) {
        child++;
      }
      if (key <= keys[child]) {
        break;
      }
      keys[i] = keys[child];
      i = child;
    }
    keys[i] = key;
    return top;
  }
}
