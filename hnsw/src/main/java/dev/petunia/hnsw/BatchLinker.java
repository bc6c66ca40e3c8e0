package dev.petunia.hnsw;

import java.util.Arrays;

/**
 * Links many new nodes at once, on several threads, to the same graph whatever their number: each
 * step either reads only what the steps before it have written, or goes in one order (after Manohar
 * et al. 2024, ParlayANN, §3.1, whose batches are searched in a graph that stands still, and whose
 * reverse links are grouped by the node they start from).
 *
 * <p>Protocol. No other writer runs; searches do.
 *
 * <ol>
 *   <li>The nodes' vectors are written and their levels set; nobody can see them.
 *   <li>In parallel: each is coded, if there are codes, and searched in the graph as it stands,
 *       without the batch. The nodes of the batch before it are compared one by one, so that the
 *       chunks of a document that come together find each other as if they had come one after the
 *       other. Its own lists of all layers are written (forward links).
 *   <li>In the batch's order: each gets its parent (see {@link Tree}), if it can the nearest node
 *       that its search has found. A neighbour from the batch may be nearer, and be one that no
 *       search finds: behind many near copies of another vector, say. The link from the parent
 *       stays, so later searches find the node where its own search ended.
 *   <li>In parallel, each existing node by one thread: the links back, those of one node together
 *       and in the batch's order, so that its list is pruned once at most. From here on searches
 *       find the new nodes; all their own lists are there.
 *   <li>The entry point moves up if one of them has the highest level.
 * </ol>
 *
 * <p>A batch must not be larger than the graph: the exact comparison within it costs half its size
 * in distances for each node, and the parents need room.
 */
final class BatchLinker {
  /** Groups of links back that a thread takes at a time: enough to be worth the taking. */
  private static final int GROUPS_AT_ONCE = 16;

  private static final int POSITION_BITS = 16;

  /** No batch is larger: a node's place in it must fit into a link's key. */
  static final int MOST = 1 << POSITION_BITS;

  /** What a new node chose. */
  private static final class Choice {
    /** Its neighbours, by layer. */
    final int[][] lists;

    /**
     * The nearest living node of layer 0 that the search found; −1 when it found dead ones only.
     */
    int found = -1;

    Choice(int[][] lists) {
      this.lists = lists;
    }
  }

  private final Graph graph;
  private final VectorTable table;
  private final Walk walk;
  private final Inserter inserter;
  private final Reclaimer reclaimer;

  BatchLinker(Graph graph, Walk walk, Inserter inserter, Reclaimer reclaimer) {
    this.graph = graph;
    this.table = graph.table;
    this.walk = walk;
    this.inserter = inserter;
    this.reclaimer = reclaimer;
  }

  /**
   * Links nodes {@code nodes[0..count-1]}.
   *
   * @param count 1, or at most {@link #MOST} and at most the nodes in the graph
   * @param first which insertion of the index the first one is; decides the levels
   */
  void link(int[] nodes, int count, long first, Crew crew) {
    if (count == 1) {
      Scratch s = reclaimer.enter(table);
      try {
        inserter.insert(nodes[0], inserter.level(first), s);
      } finally {
        s.clear();
        reclaimer.exit(s);
      }
      return;
    }
    int[] levels = new int[count];
    for (int i = 0; i < count; i++) {
      levels[i] = inserter.level(first + i);
      graph.level(nodes[i], levels[i]);
    }
    Choice[] chosen = new Choice[count];
    long entry = graph.entry();
    crew.run(count, items -> chooseAll(items, nodes, levels, entry, chosen));
    for (int i = 0; i < count; i++) {
      Choice c = chosen[i];
      c.lists[0] = Tree.adoptLater(graph, nodes[i], c.found, c.lists[0]);
    }
    long[] back = linksBack(chosen);
    int[] groups = groups(back);
    int parts = (groups.length - 1 + GROUPS_AT_ONCE - 1) / GROUPS_AT_ONCE;
    crew.run(parts, items -> linkBack(items, nodes, back, groups));
    for (int i = 0; i < count; i++) {
      if (levels[i] > Graph.entryLevel(graph.entry())) {
        graph.entry(nodes[i], levels[i]);
      }
    }
  }

  // ---- step 2: forward links -----------------------------------------------------------------

  private void chooseAll(Crew.Items items, int[] nodes, int[] levels, long entry, Choice[] chosen) {
    Scratch s = reclaimer.enter(table);
    try {
      float[] near = new float[nodes.length];
      for (int i = items.next(); i >= 0; i = items.next()) {
        chosen[i] = choose(i, nodes, levels, entry, near, s);
      }
    } finally {
      s.clear();
      reclaimer.exit(s);
    }
  }

  /** Chooses and writes the lists of the batch's i-th node. */
  private Choice choose(int i, int[] nodes, int[] levels, long entry, float[] near, Scratch s) {
    int node = nodes[i];
    int level = levels[i];
    s.scorer.node(node);
    s.scorer.batch(nodes, i, near); // before walks estimate
    Codes codes = table.codes();
    if (codes != null) {
      codes.encode(table, node, s.work());
      s.scorer.estimate();
    }
    int top = Math.min(level, Graph.entryLevel(entry));
    int start = walk.descend(s, entry, top);
    Choice choice = new Choice(new int[level + 1][]);
    for (int l = level; l >= 0; l--) {
      if (l <= top) {
        start = inserter.search(l, start, node, s);
      } else {
        inserter.noneFound(s);
      }
      choice.found = firstLiving(s.beam);
      for (int j = 0; j < i; j++) {
        if (levels[j] >= l && s.beam.accepts(near[j])) {
          s.beam.offer(near[j], nodes[j]);
        }
      }
      inserter.choose(node, s);
      int[] list = Arrays.copyOf(s.selection.chosen, s.selection.count);
      graph.write(node, l, list, list.length); // nobody can see it yet
      choice.lists[l] = list;
    }
    return choice;
  }

  private int firstLiving(Beam beam) {
    for (int i = 0; i < beam.size(); i++) {
      int node = Beam.node(beam.key(i));
      if (table.state(node) != Page.DEAD) {
        return node;
      }
    }
    return -1;
  }

  // ---- step 4: links back --------------------------------------------------------------------

  /**
   * The links to add, as sorted keys: layer, the node that gets the link, the place of the new node
   * in the batch. So those of one list stand together, in the batch's order.
   */
  private static long[] linksBack(Choice[] chosen) {
    int n = 0;
    for (Choice c : chosen) {
      for (int[] list : c.lists) {
        n += list.length;
      }
    }
    long[] back = new long[n];
    n = 0;
    for (int i = 0; i < chosen.length; i++) {
      for (int l = 0; l < chosen[i].lists.length; l++) {
        for (int to : chosen[i].lists[l]) {
          back[n++] = ((long) l << 31 | to) << POSITION_BITS | i;
        }
      }
    }
    Arrays.sort(back);
    return back;
  }

  /** Where in the keys each list's part begins, and last where the last one ends. */
  private static int[] groups(long[] back) {
    int[] starts = new int[back.length + 1];
    int n = 0;
    for (int i = 0; i < back.length; i++) {
      if (i == 0 || back[i] >> POSITION_BITS != back[i - 1] >> POSITION_BITS) {
        starts[n++] = i;
      }
    }
    starts[n++] = back.length;
    return Arrays.copyOf(starts, n);
  }

  private void linkBack(Crew.Items items, int[] nodes, long[] back, int[] groups) {
    Scratch s = reclaimer.enter(table);
    try {
      int[] sources = new int[32];
      for (int part = items.next(); part >= 0; part = items.next()) {
        int end = Math.min((part + 1) * GROUPS_AT_ONCE, groups.length - 1);
        for (int g = part * GROUPS_AT_ONCE; g < end; g++) {
          int from = groups[g];
          int n = groups[g + 1] - from;
          if (sources.length < n) {
            sources = new int[2 * n];
          }
          for (int i = 0; i < n; i++) {
            sources[i] = nodes[(int) back[from + i] & (MOST - 1)];
          }
          long list = back[from] >> POSITION_BITS;
          inserter.addLinks(
              (int) list & Integer.MAX_VALUE, sources, n, (int) (list >> 31), s.selection);
        }
      }
    } finally {
      s.clear();
      reclaimer.exit(s);
    }
  }
}
