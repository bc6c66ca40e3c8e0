package dev.petunia.benchmarks.dedup;

/**
 * Numbers sequences of tokens exactly: a node for each different beginning, in one hash table of
 * (node, token). Nodes 0 to 5 are roots, so that sequences of different lengths never meet.
 */
final class Trie {
  private static final int ROOTS = 6;
  private long[] keys = new long[1 << 16];
  private int[] values = new int[1 << 16];
  private int nodes = ROOTS;

  int nodes() {
    return nodes;
  }

  /** The node of tokens {@code from} to {@code to}, at most 5 of them. */
  int node(int[] tokens, int from, int to) {
    int node = to - from;
    for (int i = from; i < to; i++) {
      node = child(node, tokens[i]);
    }
    return node;
  }

  private int child(int node, int token) {
    long key = ((long) node << 32 | token) + 1; // 0 marks an empty slot
    int mask = keys.length - 1;
    int at = slot(key, mask);
    while (keys[at] != 0) {
      if (keys[at] == key) {
        return values[at];
      }
      at = at + 1 & mask;
    }
    keys[at] = key;
    values[at] = nodes++;
    if (2 * nodes > keys.length) {
      grow();
    }
    return nodes - 1;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[oldKeys.length * 2];
    values = new int[keys.length];
    int mask = keys.length - 1;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        int at = slot(oldKeys[i], mask);
        while (keys[at] != 0) {
          at = at + 1 & mask;
        }
        keys[at] = oldKeys[i];
        values[at] = oldValues[i];
      }
    }
  }

  private static int slot(long key, int mask) {
    long h = key * 0xD1342543DE82EF95L;
    return (int) (h ^ h >>> 32) & mask;
  }
}
