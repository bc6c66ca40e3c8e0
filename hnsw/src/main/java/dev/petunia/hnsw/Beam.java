package dev.petunia.hnsw;

import java.util.Arrays;

/**
 * The nearest nodes seen so far, sorted, each marked when its neighbours have been looked at.
 *
 * <p>An entry is one long: the distance's bits (made comparable as an int) above, then 31 bits of
 * node, then the mark. So one array serves as candidate queue and as result list, and comparing
 * longs orders by distance and then by node. Insertion moves a few hundred bytes, which is cheaper
 * than two heaps at the beam widths that matter.
 */
final class Beam {
  private long[] keys = new long[128];
  private int size;
  private int capacity;
  private int next;

  void reset(int newCapacity) {
    capacity = newCapacity;
    if (keys.length <= newCapacity) {
      keys = new long[Integer.highestOneBit(newCapacity) * 2];
    }
    size = 0;
    next = 0;
  }

  static int sortable(float distance) {
    int bits = Float.floatToRawIntBits(distance + 0f); // + 0f: -0.0 is not below 0.0
    return bits ^ ((bits >> 31) & 0x7FFFFFFF);
  }

  static float distance(long key) {
    int s = (int) (key >> 32);
    return Float.intBitsToFloat(s ^ ((s >> 31) & 0x7FFFFFFF));
  }

  static int node(long key) {
    return (int) key >>> 1;
  }

  static long key(float distance, int node) {
    return ((long) sortable(distance) << 32) | ((long) node << 1);
  }

  int size() {
    return size;
  }

  long key(int i) {
    return keys[i];
  }

  boolean full() {
    return size == capacity;
  }

  /** Whether a node at this distance could come in. */
  boolean accepts(float distance) {
    return size < capacity || distance < distance(keys[size - 1]);
  }

  /** The distance a node must be below to come in; infinite while there is room. */
  float bound() {
    return size < capacity ? Float.POSITIVE_INFINITY : distance(keys[size - 1]);
  }

  /** Adds a node that is not here; the farthest one leaves when the beam is full. */
  void offer(float distance, int node) {
    long key = key(distance, node);
    int last = size;
    if (size == capacity) {
      if (key >= keys[size - 1]) {
        return;
      }
      last = size - 1;
    } else {
      size++;
    }
    // a binary search of fixed length: its steps are moves, where branches would be guessed wrong
    // every second time
    int lo = 0;
    for (int n = last; n > 0; ) {
      int half = (n + 1) >>> 1;
      lo = keys[lo + half - 1] < key ? lo + half : lo;
      n -= half;
    }
    System.arraycopy(keys, lo, keys, lo + 1, last - lo);
    keys[lo] = key;
    if (lo < next) {
      next = lo;
    }
  }

  /**
   * Keeps the {@code least} nearest nodes, and with them all that are as far as the last of these:
   * which of the equally far ones have the lowest ids is decided by the caller.
   */
  void offerWithTies(float distance, int node, int least) {
    if (size >= least && distance > distance(keys[least - 1])) {
      return;
    }
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
    }
    capacity = Math.max(capacity, size + 1);
    offer(distance, node);
    while (size > least && distance(keys[size - 1]) > distance(keys[least - 1])) {
      size--;
    }
  }

  /** The nearest entry whose neighbours have not been looked at, marked; −1 when there is none. */
  long expandNext() {
    long key = peekUnexpanded();
    if (key != -1) {
      keys[next++] |= 1;
    }
    return key;
  }

  /** The nearest entry whose neighbours have not been looked at; −1 when there is none. */
  long peekUnexpanded() {
    while (next < size && (keys[next] & 1) != 0) {
      next++;
    }
    return next < size ? keys[next] : -1;
  }

  /** Keeps the nearest entries, {@code newCapacity} at most, each to be expanded anew. */
  void restart(int newCapacity) {
    capacity = newCapacity;
    if (keys.length <= newCapacity) {
      keys = Arrays.copyOf(keys, Integer.highestOneBit(newCapacity) * 2);
    }
    size = Math.min(size, newCapacity);
    next = 0;
    for (int i = 0; i < size; i++) {
      keys[i] &= ~1L;
    }
  }

  /** Gives entry i another distance; {@link #sort} when all are done. */
  void replace(int i, float distance) {
    keys[i] = key(distance, node(keys[i]));
  }

  /** Sorts after {@link #replace}. */
  void sort() {
    Arrays.sort(keys, 0, size);
  }
}
