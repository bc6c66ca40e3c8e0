package dev.petunia.hnsw;

import java.lang.invoke.VarHandle;

/**
 * Links a new node into the graph. Several threads may insert at once.
 *
 * <p>Protocol:
 *
 * <ol>
 *   <li>The node's vector is written; nobody can see the node.
 *   <li>Its neighbours are searched and its own lists of all layers written (forward links).
 *   <li>Its parent is chosen and gets the first link to it: from here on searches find the node,
 *       and it is reachable for good.
 *   <li>Its other neighbours get their links to it, layer 0 first: a search that meets the node on
 *       an upper layer finds its lower ones complete.
 *   <li>If its level is the highest, it becomes the entry point.
 * </ol>
 */
final class Inserter {
  private final Graph graph;
  private final VectorTable table;
  private final Walk walk;
  private final int efConstruction;
  private final long seed;
  private final double levelScale;

  Inserter(Graph graph, Walk walk, int efConstruction, long seed) {
    this.graph = graph;
    this.table = graph.table;
    this.walk = walk;
    this.efConstruction = efConstruction;
    this.seed = seed;
    this.levelScale = 1 / Math.log(graph.m);
  }

  /** The level of the {@code count}-th insertion: geometric, a function of seed and count alone. */
  int level(long count) {
    long z = seed + count * 0x9E3779B97F4A7C15L; // SplitMix64 (Steele et al. 2014)
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    z ^= z >>> 31;
    double u = ((z >>> 11) + 1) * 0x1p-53; // (0, 1]
    return (int) Math.min(Graph.MAX_LEVEL, -Math.log(u) * levelScale);
  }

  void insert(int node, int level, Scratch s) {
    Codes codes = table.codes();
    if (codes != null) {
      codes.encode(table, node, s.work());
    }
    graph.level(node, level);
    long entry = graph.entry();
    if (entry == -1) {
      synchronized (graph.entryLock) {
        entry = graph.entry();
        if (entry == -1) {
          graph.parent(node, -1);
          VarHandle.releaseFence();
          graph.entry(node, level);
          return;
        }
      }
    }
    s.scorer.node(node);
    s.scorer.estimate();
    int top = Math.min(level, Graph.entryLevel(entry));
    int start = walk.descend(s, entry, top);
    int[][] chosen = new int[top + 1][];
    for (int l = top; l >= 0; l--) {
      start = search(l, start, node, s);
      choose(node, s);
      chosen[l] = java.util.Arrays.copyOf(s.selection.chosen, s.selection.count);
      graph.write(node, l, chosen[l], chosen[l].length);
    }
    Tree.adopt(graph, node, s, chosen[0]);
    int[] one = {node};
    for (int l = 0; l <= top; l++) {
      for (int neighbour : chosen[l]) {
        synchronized (graph.lock(neighbour)) {
          addLinks(neighbour, one, 1, l, s.selection);
        }
      }
    }
    if (level > Graph.entryLevel(entry)) {
      synchronized (graph.entryLock) {
        if (level > Graph.entryLevel(graph.entry())) {
          graph.entry(node, level);
        }
      }
    }
  }

  /** Searches a layer for the vector of a node; the nearest node, to go on from. */
  int search(int level, int start, int node, Scratch s) {
    s.beam.reset(efConstruction);
    s.newVisit(table.nodeLimit());
    s.visit(node); // not its own neighbour
    walk.start(s, start, 0);
    walk.plain(s, level);
    walk.exact(s, level, node, graph.m, efConstruction);
    return Beam.node(s.beam.key(0));
  }

  /** What {@link #search} leaves where there is nothing to search. */
  void noneFound(Scratch s) {
    s.beam.reset(efConstruction);
  }

  /** Selects neighbours for a node from the beam. */
  void choose(int node, Scratch s) {
    Selection selection = s.selection;
    selection.begin();
    for (int i = 0; i < s.beam.size(); i++) {
      int found = Beam.node(s.beam.key(i));
      if (table.state(found) != Page.DEAD) {
        selection.add(s.beam.key(i));
      }
    }
    if (selection.size() == 0) { // all around are dead: they still lead to the living
      for (int i = 0; i < s.beam.size(); i++) {
        selection.add(s.beam.key(i));
      }
    }
    selection.select(node, graph.m, null);
  }

  /**
   * Adds nodes {@code from[0..count-1]} to the list of {@code to}, pruning it once when they don't
   * all fit. The lock of {@code to} is held, or no other writer runs.
   */
  void addLinks(int to, int[] from, int count, int level, Selection selection) {
    int[] array = graph.list(to, level);
    if (array == null) {
      throw new AssertionError("node " + to + " is not on layer " + level);
    }
    int places = graph.places(level);
    if (selection.list.length < places + count) {
      selection.list = new int[places + count];
    }
    int[] list = selection.list;
    int there = graph.neighbours(to, level, list);
    int n = there;
    for (int i = 0; i < count; i++) {
      if (!contains(list, there, from[i])) {
        list[n++] = from[i];
      }
    }
    if (n <= places) {
      int at = graph.from(to, level);
      graph.touched(to);
      VarHandle.releaseFence();
      for (int i = there; i < n; i++) {
        Page.setLink(array, at + i, list[i]);
      }
      return;
    }
    selection.begin();
    selection.addAll(to, list, n);
    selection.sort();
    selection.select(to, places, level == 0 ? graph : null);
    graph.write(to, level, selection.chosen, selection.count);
  }

  private static boolean contains(int[] list, int n, int node) {
    for (int i = 0; i < n; i++) {
      if (list[i] == node) {
        return true;
      }
    }
    return false;
  }
}
