package dev.petunia.hnsw;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;

/** Finds a node its parent (see {@link Graph#isTreeLink}). */
final class Tree {
  private Tree() {}

  /**
   * Gives a new node a parent: the nearest of its neighbours, or else of the beam, that has room
   * for a child. The node's own list gets the link to it when it lacks it, and the parent's the
   * link back.
   */
  static void adopt(Graph graph, int node, Scratch s, int[] neighbours) {
    for (int candidate : neighbours) {
      if (tryAdopt(graph, node, candidate, false, s.selection)) {
        return;
      }
    }
    for (int i = 0; i < s.beam.size(); i++) {
      if (tryAdopt(graph, node, Beam.node(s.beam.key(i)), true, s.selection)) {
        return;
      }
    }
    // all are full or dead. Look further out
    int[] starts = new int[s.beam.size()];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = Beam.node(s.beam.key(i));
    }
    if (!around(graph, node, starts, at -> tryAdoptAny(graph, node, at, s.selection))) {
      throw new IllegalStateException("no node has room for a child");
    }
  }

  /**
   * Gives a new node a parent, but leaves the parent's link to it to the caller, who must write it
   * before the tree counts on it. No other writer runs.
   *
   * @param first the node to ask first; −1 for none
   * @return the node's list of layer 0, which has the parent
   */
  static int[] adoptLater(Graph graph, int node, int first, int[] neighbours) {
    if (!(first >= 0 && claim(graph, node, first))
        && !claimOf(graph, node, neighbours)
        && !around(graph, node, neighbours, at -> claim(graph, node, at))) {
      throw new IllegalStateException("no node has room for a child");
    }
    int parent = graph.parent(node);
    for (int neighbour : neighbours) {
      if (neighbour == parent) {
        return neighbours;
      }
    }
    int[] more = Arrays.copyOf(neighbours, neighbours.length + 1); // at most M of 2M were filled
    more[neighbours.length] = parent;
    graph.write(node, 0, more, more.length);
    return more;
  }

  private static boolean claimOf(Graph graph, int node, int[] candidates) {
    for (int candidate : candidates) {
      if (graph.table.state(candidate) != Page.DEAD && claim(graph, node, candidate)) {
        return true;
      }
    }
    return false;
  }

  private static boolean claim(Graph graph, int node, int parent) {
    if (graph.children(parent) >= graph.m) {
      return false;
    }
    graph.addChildren(parent, 1);
    graph.parent(node, parent);
    return true;
  }

  /**
   * Offers nodes for parents, from {@code starts} outwards over layer 0, until one is taken: first
   * the living, then the dead. Some node has room, for a tree of n nodes has n − 1 children in all,
   * and places for M·n.
   */
  private static boolean around(Graph graph, int node, int[] starts, IntPredicate taken) {
    int[] queue = new int[256];
    int[] list = new int[graph.m0];
    for (int allowDead = 0; allowDead < 2; allowDead++) {
      BitSet seen = new BitSet();
      seen.set(node);
      int tail = 0;
      queue = Arrays.copyOf(queue, Math.max(queue.length, starts.length));
      for (int start : starts) {
        if (!seen.get(start)) {
          seen.set(start);
          queue[tail++] = start;
        }
      }
      for (int head = 0; head < tail; head++) {
        int at = queue[head];
        if ((allowDead == 1 || graph.table.state(at) != Page.DEAD) && taken.test(at)) {
          return true;
        }
        int n = graph.neighbours(at, 0, list);
        if (tail + n > queue.length) {
          queue = Arrays.copyOf(queue, 2 * (tail + n));
        }
        for (int i = 0; i < n; i++) {
          if (!seen.get(list[i])) {
            seen.set(list[i]);
            queue[tail++] = list[i];
          }
        }
      }
    }
    return false;
  }

  private static boolean tryAdopt(
      Graph graph, int node, int parent, boolean linkToo, Selection selection) {
    if (graph.table.state(parent) == Page.DEAD) {
      return false;
    }
    return linkToo
        ? tryAdoptAny(graph, node, parent, selection)
        : claim(graph, node, parent, selection);
  }

  private static boolean tryAdoptAny(Graph graph, int node, int parent, Selection selection) {
    if (graph.children(parent) >= graph.m) {
      return false; // a look without the lock, to save taking it
    }
    // the node is not visible yet, so its list is ours alone; it has at most M of 2M places filled
    int[] list = new int[graph.m0 + 1];
    int n = graph.neighbours(node, 0, list);
    boolean there = false;
    for (int i = 0; i < n; i++) {
      there |= list[i] == parent;
    }
    if (!there) {
      list[n] = parent;
      graph.write(node, 0, list, n + 1);
    }
    if (claim(graph, node, parent, selection)) {
      return true;
    }
    graph.write(node, 0, list, n);
    return false;
  }

  private static boolean claim(Graph graph, int node, int parent, Selection selection) {
    synchronized (graph.lock(parent)) {
      if (!claim(graph, node, parent)) {
        return false;
      }
      force(graph, parent, node, selection);
      return true;
    }
  }

  /** Adds a tree link to a list, for which pruning makes room. The lock of {@code from} is held. */
  static void force(Graph graph, int from, int to, Selection selection) {
    int[] list = new int[graph.m0 + 1];
    int n = graph.neighbours(from, 0, list);
    for (int i = 0; i < n; i++) {
      if (list[i] == to) {
        return;
      }
    }
    list[n] = to;
    if (n < graph.m0) {
      graph.write(from, 0, list, n + 1);
      return;
    }
    selection.begin();
    selection.addAll(from, list, n + 1);
    selection.sort();
    selection.select(from, graph.m0, graph);
    graph.write(from, 0, selection.chosen, selection.count);
  }
}
