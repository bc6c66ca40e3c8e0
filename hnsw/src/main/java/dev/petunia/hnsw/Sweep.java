package dev.petunia.hnsw;

import dev.petunia.core.internal.Checks;
import java.util.Arrays;

/**
 * Takes dead nodes out of the graph and repairs around them, all at once: each node that links to a
 * dead one keeps its living neighbours and chooses among those of its dead ones (after Singh et al.
 * 2021, FreshDiskANN, algorithm 4). Nodes whose parent died get another, so that the tree stays one
 * tree.
 *
 * <p>Runs alone among writers; searches go on. They may still walk over a dead node that they hold,
 * which is why its slot is reused only later (see {@link Reclaimer}).
 */
final class Sweep {
  private final Graph graph;
  private final VectorTable table;
  private final Walk walk;
  private final Scratch s;
  private final int limit;
  private final int[] near;
  private final int[] further;
  private final int[] lost;

  /** Union-find over the trees that the dead left behind; allocated when a parent died. */
  private int[] above = new int[0];

  private Sweep(Graph graph, Walk walk, Scratch s) {
    this.graph = graph;
    this.table = graph.table;
    this.walk = walk;
    this.s = s;
    this.limit = table.nodeLimit();
    this.near = new int[graph.m0];
    this.further = new int[graph.m0];
    this.lost = new int[graph.m0];
  }

  /** Removes all dead nodes. */
  static void run(Graph graph, Walk walk, Scratch s) {
    new Sweep(graph, walk, s).run();
  }

  private void run() {
    int[] dead = new int[table.deadNodes()];
    int n = 0;
    for (int node = 0; node < limit; node++) {
      if (table.state(node) == Page.DEAD) {
        dead[n++] = node;
      }
    }
    if (n == 0) {
      return;
    }
    if (table.liveNodes() == 0) {
      graph.entry(-1, 0);
      freeAll(dead, n);
      return;
    }
    moveEntry();
    int[] orphans = orphans(dead, n);
    for (int node = 0; node < limit; node++) {
      if (table.state(node) == Page.LIVE) {
        for (int level = 0, top = graph.level(node); level <= top; level++) {
          repair(node, level);
        }
      }
    }
    adoptAll(orphans);
    freeAll(dead, n);
  }

  private void freeAll(int[] dead, int n) {
    for (int i = 0; i < n; i++) {
      table.free(dead[i]);
    }
  }

  /** If the entry point is dead, a living node of the highest level there is takes its place. */
  private void moveEntry() {
    if (table.state(Graph.entryNode(graph.entry())) != Page.DEAD) {
      return;
    }
    int best = -1;
    for (int node = 0; node < limit; node++) {
      if (table.state(node) == Page.LIVE && (best < 0 || graph.level(node) > graph.level(best))) {
        best = node;
      }
    }
    graph.entry(best, graph.level(best));
  }

  private boolean isDead(int node) {
    return table.state(node) == Page.DEAD;
  }

  /**
   * Keeps the living neighbours of a node, and fills the places of dead ones from their neighbours.
   * To choose anew among all, as for a node that is added, would lose links that other nodes made:
   * after half of 100,000 vectors were deleted, walks found 0.967 instead of 0.978 of the nearest.
   */
  private void repair(int node, int level) {
    int n = graph.neighbours(node, level, near);
    int living = 0;
    int gone = 0;
    for (int i = 0; i < n; i++) {
      if (isDead(near[i])) {
        lost[gone++] = near[i];
      } else {
        near[living++] = near[i];
      }
    }
    if (gone == 0) {
      return;
    }
    s.newVisit(limit);
    s.visit(node);
    for (int i = 0; i < living; i++) {
      s.visit(near[i]);
    }
    s.batchRoom(graph.m0 * graph.m0);
    int found = 0;
    for (int i = 0; i < gone; i++) {
      int k = graph.neighbours(lost[i], level, further);
      for (int j = 0; j < k; j++) {
        if (!isDead(further[j])) {
          found = candidate(further[j], found);
        }
      }
    }
    Selection selection = s.selection;
    selection.begin();
    selection.addAll(node, s.batch, found);
    selection.sort();
    selection.extend(near, living, graph.places(level));
    graph.write(node, level, selection.chosen, selection.count);
  }

  private int candidate(int node, int found) {
    if (s.visit(node)) {
      s.batch[found++] = node;
    }
    return found;
  }

  // ---- the tree ------------------------------------------------------------------------------

  /**
   * The living nodes whose parent is dead, cut loose; the root of what remains is the first if it
   * died.
   */
  private int[] orphans(int[] dead, int n) {
    for (int i = 0; i < n; i++) {
      int parent = graph.parent(dead[i]);
      if (parent >= 0 && !isDead(parent)) {
        graph.addChildren(parent, -1);
      }
    }
    int[] orphans = new int[16];
    int count = 0;
    for (int node = 0; node < limit; node++) {
      if (table.state(node) == Page.LIVE) {
        int parent = graph.parent(node);
        if (parent >= 0 && isDead(parent)) {
          graph.parent(node, -1);
          if (count == orphans.length) {
            orphans = Arrays.copyOf(orphans, count * 2);
          }
          orphans[count++] = node;
        }
      }
    }
    return Arrays.copyOf(orphans, count);
  }

  /** Joins the trees of the orphans to one. */
  private void adoptAll(int[] orphans) {
    if (orphans.length == 0) {
      return;
    }
    above = new int[limit];
    int root = -1;
    for (int node = 0; node < limit; node++) {
      above[node] = table.state(node) == Page.LIVE ? graph.parent(node) : -1;
      if (table.state(node) == Page.LIVE && above[node] == -1 && !contains(orphans, node)) {
        root = node;
      }
    }
    if (root < 0) {
      root = orphans[0];
    }
    // first the cheap way: a neighbour that is in another tree
    for (int orphan : orphans) {
      if (orphan != root) {
        int n = graph.neighbours(orphan, 0, near);
        for (int i = 0; i < n; i++) {
          if (top(near[i]) != orphan && adopt(orphan, near[i])) {
            break;
          }
        }
      }
    }
    // then, for those whose neighbours all hang on themselves: the nearest node of the root's tree,
    // which is connected, so that a walk from the root finds one
    for (int orphan : orphans) {
      if (orphan != root && above[orphan] == -1) {
        adoptByWalk(orphan, root);
      }
    }
  }

  private static boolean contains(int[] sorted, int node) {
    return Arrays.binarySearch(sorted, node) >= 0; // orphans were collected in ascending order
  }

  private int top(int node) {
    int t = node;
    while (above[t] >= 0) {
      t = above[t];
    }
    for (int at = node; above[at] >= 0 && above[at] != t; ) { // path compression
      int up = above[at];
      above[at] = t;
      at = up;
    }
    return t;
  }

  private boolean adopt(int orphan, int parent) {
    if (graph.children(parent) >= graph.m) {
      return false;
    }
    graph.addChildren(parent, 1);
    graph.parent(orphan, parent);
    above[orphan] = parent;
    Tree.force(graph, parent, orphan, s.selection);
    Tree.force(graph, orphan, parent, s.selection);
    return true;
  }

  private void adoptByWalk(int orphan, int root) {
    s.scorer.node(orphan);
    for (int ef = 64; ; ef = Math.multiplyExact(ef, 4)) {
      s.beam.reset(ef);
      s.newVisit(limit);
      walk.start(s, root, 0);
      walk.plain(s, 0);
      for (int i = 0; i < s.beam.size(); i++) {
        int node = Beam.node(s.beam.key(i));
        if (!isDead(node) && top(node) == root && adopt(orphan, node)) {
          return;
        }
      }
      if (ef > limit) {
        throw new AssertionError(
            Checks.bad("orphan " + orphan, "without a parent", "a node with room for it"));
      }
    }
  }
}
