package dev.petunia.hnsw;

import java.lang.foreign.MemorySegment;

/**
 * Which node has exactly this vector: open addressing by the hash of the components. Changes under
 * the table's registry lock; {@link #to} takes none.
 */
final class EqualVectors {
  private final VectorTable table;

  /** A node + 1 at its vector's hash; 0 = empty. */
  private volatile int[] slots = new int[64];

  private int count;

  EqualVectors(VectorTable table) {
    this.table = table;
  }

  /** Under the lock: the node of a prepared vector; −1 when there is none. */
  int find(float[] prepared, long hash) {
    int[] slots = this.slots;
    int m = slots.length - 1;
    for (int slot = home(hash, m); slots[slot] != 0; slot = (slot + 1) & m) {
      int node = slots[slot] - 1;
      if (table.hash(node) == hash && equal(node, MemorySegment.ofArray(prepared), 0)) {
        return node;
      }
    }
    return -1;
  }

  /**
   * The node whose vector is exactly this one, −1 when there is none; without a lock, so that a
   * node that comes or goes meanwhile may be missed.
   */
  int to(MemorySegment vector, long at) {
    long hash = table.form.hash(vector, at);
    int[] slots = this.slots;
    int m = slots.length - 1;
    for (int slot = home(hash, m), i = 0; slots[slot] != 0 && i <= m; i++) {
      int node = slots[slot] - 1;
      slot = (slot + 1) & m;
      if (node >= 0
          && node < table.nodeLimit()
          && table.hash(node) == hash
          && table.state(node) == Page.LIVE
          && equal(node, vector, at)) {
        return node;
      }
    }
    return -1;
  }

  private boolean equal(int node, MemorySegment vector, long at) {
    long bytes = 4L * table.form.dimension();
    long mine = table.at(node);
    return MemorySegment.mismatch(table.vectors(node), mine, mine + bytes, vector, at, at + bytes)
        == -1;
  }

  /** Makes room for one more; the only step that may run out of memory. */
  void room() {
    int[] old = slots;
    if ((count + 1) * 3L > old.length * 2L) {
      int[] more = new int[Math.multiplyExact(old.length, 2)];
      for (int entry : old) {
        if (entry != 0) {
          put(more, entry, table.hash(entry - 1));
        }
      }
      slots = more;
    }
  }

  /** Adds a node, once there is room. */
  void insert(int node, long hash) {
    put(slots, node + 1, hash);
    count++;
  }

  private static int home(long hash, int m) {
    return (int) (hash >>> 32) & m;
  }

  private static void put(int[] slots, int entry, long hash) {
    int m = slots.length - 1;
    int slot = home(hash, m);
    while (slots[slot] != 0) {
      slot = (slot + 1) & m;
    }
    slots[slot] = entry;
  }

  /** Takes a node out. */
  void remove(int node) {
    int[] slots = this.slots;
    int m = slots.length - 1;
    int slot = home(table.hash(node), m);
    while (slots[slot] != node + 1) {
      if (slots[slot] == 0) {
        throw new AssertionError("node " + node + " is not found by its vector");
      }
      slot = (slot + 1) & m;
    }
    count--;
    // close the gap: move back entries that the gap would cut off from their place
    int gap = slot;
    for (int next = (slot + 1) & m; slots[next] != 0; next = (next + 1) & m) {
      int home = home(table.hash(slots[next] - 1), m);
      if (((next - home) & m) >= ((next - gap) & m)) {
        slots[gap] = slots[next];
        gap = next;
      }
    }
    slots[gap] = 0;
  }

  /** Bytes on the heap. */
  long heapBytes() {
    return 4L * slots.length;
  }
}
