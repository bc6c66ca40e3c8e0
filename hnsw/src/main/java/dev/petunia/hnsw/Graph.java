package dev.petunia.hnsw;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The links: layer 0 in the pages (2M places a node), upper layers (M places each) sparse, and the
 * entry point. Lists of a node change under the node's lock; readers take none.
 */
final class Graph {
  /** No level is higher: with M ≥ 2 a node gets there once in 2^30. */
  static final int MAX_LEVEL = 30;

  private static final int LOCKS = 1024;

  final VectorTable table;
  final int m;
  final int m0;
  private final Object[] locks = new Object[LOCKS];

  /** Level above, node below; −1 when the graph is empty. */
  private volatile long entry = -1;

  final Object entryLock = new Object();

  Graph(VectorTable table, int m) {
    this.table = table;
    this.m = m;
    this.m0 = 2 * m;
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new Object();
    }
  }

  Object lock(int node) {
    return locks[node & (LOCKS - 1)];
  }

  long entry() {
    return entry;
  }

  static int entryNode(long entry) {
    return (int) entry;
  }

  static int entryLevel(long entry) {
    return (int) (entry >> 32);
  }

  void entry(int node, int level) {
    entry = node < 0 ? -1 : ((long) level << 32) | node;
  }

  int places(int level) {
    return level == 0 ? m0 : m;
  }

  /** The array that holds a node's list of a layer; null when the node is not on it. */
  int @Nullable [] list(int node, int level) {
    Page p = table.page(node);
    if (level == 0) {
      return p.links;
    }
    int[] upper = p.upper(node & table.mask);
    return upper == null || upper.length < level * m ? null : upper;
  }

  /** Where a node's list begins in {@link #list}. */
  int from(int node, int level) {
    return level == 0 ? (node & table.mask) * m0 : (level - 1) * m;
  }

  /** Loads the cache lines of a node's layer-0 list, which is likely to be read next. */
  int touch(int node) {
    int[] list = table.page(node).links;
    int from = (node & table.mask) * m0;
    return list[from] ^ list[from + m];
  }

  /** Copies a node's neighbours of a layer to {@code out}; their number. */
  int neighbours(int node, int level, int[] out) {
    int[] list = list(node, level);
    if (list == null) {
      return 0;
    }
    int from = from(node, level);
    int places = places(level);
    int n = 0;
    while (n < places) {
      int id = Page.link(list, from + n);
      if (id < 0) {
        break;
      }
      out[n++] = id;
    }
    VarHandle.acquireFence();
    return n;
  }

  /** Writes a node's whole list of a layer. The node's lock is held, or nobody can see the node. */
  void write(int node, int level, int[] neighbours, int n) {
    int[] list = list(node, level);
    if (list == null) {
      throw new AssertionError("node " + node + " is not on layer " + level);
    }
    int from = from(node, level);
    touched(node);
    VarHandle.releaseFence();
    for (int i = 0; i < n; i++) {
      Page.setLink(list, from + i, neighbours[i]);
    }
    for (int i = n, places = places(level); i < places; i++) {
      Page.setLink(list, from + i, -1);
    }
  }

  /** Notes that a node is to be written by the next commit. */
  void touched(int node) {
    table.page(node).touch(node & table.mask);
  }

  // ---- the tree that makes every node reachable ----------------------------------------------

  /**
   * Each node but one, the root, has a parent on layer 0; the links parent → node and node → parent
   * are never pruned. So layer 0 is connected, in both directions and by construction, whatever the
   * pruning heuristic drops. At most M children hang on a node, so that at least M − 1 of its 2M
   * places stay free for the heuristic.
   */
  boolean isTreeLink(int a, int b) {
    return parent(a) == b || parent(b) == a;
  }

  int parent(int node) {
    return table.page(node).parent[node & table.mask];
  }

  void parent(int node, int parent) {
    table.page(node).parent[node & table.mask] = parent;
    touched(node);
  }

  int children(int node) {
    return table.page(node).children[node & table.mask];
  }

  void addChildren(int node, int delta) {
    table.page(node).children[node & table.mask] += delta;
  }

  /** Sets the level of a node that nobody can see yet, with empty lists. */
  void level(int node, int level) {
    Page page = table.page(node);
    int i = node & table.mask;
    page.level[i] = (byte) level;
    if (level > 0) {
      int[] upper = new int[level * m];
      Arrays.fill(upper, -1);
      page.upper(i, upper);
    }
  }

  int level(int node) {
    return table.page(node).level[node & table.mask];
  }
}
