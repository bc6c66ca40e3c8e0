package dev.petunia.hnsw;

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
    // all are full or dead. Look further out: some node has room, for a tree of n nodes has n − 1
    // children in all, and places for M·n
    for (int allowDead = 0; allowDead < 2; allowDead++) {
      s.newVisit(graph.table.nodeLimit());
      int[] queue = new int[graph.table.nodeLimit() + 1];
      int head = 0;
      int tail = 0;
      for (int i = 0; i < s.beam.size(); i++) {
        queue[tail++] = Beam.node(s.beam.key(i));
        s.visit(queue[i]);
      }
      int[] list = new int[graph.m0];
      while (head < tail) {
        int at = queue[head++];
        if (at != node
            && (allowDead == 1 || graph.table.state(at) != Page.DEAD)
            && tryAdoptAny(graph, node, at, s.selection)) {
          return;
        }
        int n = graph.neighbours(at, 0, list);
        for (int i = 0; i < n && tail < queue.length; i++) {
          if (s.visit(list[i])) {
            queue[tail++] = list[i];
          }
        }
      }
    }
    throw new IllegalStateException("no node has room for a child");
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
      if (graph.children(parent) >= graph.m) {
        return false;
      }
      graph.addChildren(parent, 1);
      graph.parent(node, parent);
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
