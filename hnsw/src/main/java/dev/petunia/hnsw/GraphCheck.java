package dev.petunia.hnsw;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that an index is what it should be: links, tree, reachability, degrees, ids, the table of
 * equal vectors. Tests call it at their end; applications may through {@link HnswIndex#verify}. No
 * writer may run beside it.
 */
final class GraphCheck {
  private final Graph graph;
  private final VectorTable table;

  private GraphCheck(Graph graph) {
    this.graph = graph;
    this.table = graph.table;
  }

  /** Throws {@link IllegalStateException} that says what is wrong. */
  static void check(Graph graph) {
    GraphCheck c = new GraphCheck(graph);
    c.nodes();
    c.tree();
    c.reachable();
    c.ids();
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  private static void require(boolean ok, String message, @Nullable Object... values) {
    if (!ok) {
      throw new IllegalStateException(String.format(message, values));
    }
  }

  private boolean used(int node) {
    return node >= 0
        && node < table.nodeLimit()
        && (table.state(node) == Page.LIVE || table.state(node) == Page.DEAD);
  }

  private void nodes() {
    int live = 0;
    int dead = 0;
    int[] list = new int[graph.m0];
    for (int node = 0; node < table.nodeLimit(); node++) {
      byte state = table.state(node);
      require(state != Page.LINKING, "node %d is still being linked", node);
      if (state == Page.FREE) {
        continue;
      }
      live += state == Page.LIVE ? 1 : 0;
      dead += state == Page.DEAD ? 1 : 0;
      Owners owners = table.owners(node);
      require(
          (owners == null) == (state == Page.DEAD),
          "node %d in state %d has owners %s",
          node,
          state,
          owners);
      for (int level = 0; level <= graph.level(node); level++) {
        int n = graph.neighbours(node, level, list);
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < n; i++) {
          require(list[i] != node, "node %d links to itself on layer %d", node, level);
          require(seen.add(list[i]), "node %d links twice to %d on layer %d", node, list[i], level);
          require(used(list[i]), "node %d links to unused %d on layer %d", node, list[i], level);
          require(
              graph.level(list[i]) >= level,
              "node %d links on layer %d to %d of level %d",
              node,
              level,
              list[i],
              graph.level(list[i]));
        }
      }
    }
    require(live == table.liveNodes(), "%d live nodes, counted %d", live, table.liveNodes());
    require(dead == table.deadNodes(), "%d dead nodes, counted %d", dead, table.deadNodes());
    long entry = graph.entry();
    require((entry == -1) == (live + dead == 0), "%d nodes and entry %d", live + dead, entry);
    if (entry != -1) {
      int node = Graph.entryNode(entry);
      require(used(node), "the entry point %d is unused", node);
      require(graph.level(node) == Graph.entryLevel(entry), "entry level of %d", node);
    }
  }

  private void tree() {
    int roots = 0;
    int[] children = new int[table.nodeLimit()];
    int nodes = 0;
    for (int node = 0; node < table.nodeLimit(); node++) {
      if (!used(node)) {
        continue;
      }
      nodes++;
      int parent = graph.parent(node);
      if (parent < 0) {
        roots++;
        continue;
      }
      require(used(parent), "the parent %d of node %d is unused", parent, node);
      children[parent]++;
      require(links(parent, node), "parent %d has no link to %d", parent, node);
      require(links(node, parent), "node %d has no link to its parent %d", node, parent);
      int steps = 0;
      for (int at = node; at >= 0; at = graph.parent(at)) {
        require(steps++ <= table.nodeLimit(), "the ancestors of node %d form a ring", node);
      }
    }
    require(roots == (nodes == 0 ? 0 : 1), "%d roots among %d nodes", roots, nodes);
    for (int node = 0; node < table.nodeLimit(); node++) {
      if (used(node)) {
        require(
            children[node] == graph.children(node),
            "node %d has %d children, counted %d",
            node,
            children[node],
            graph.children(node));
        require(children[node] <= graph.m, "node %d has %d children", node, children[node]);
      }
    }
  }

  private boolean links(int from, int to) {
    int[] list = new int[graph.m0];
    int n = graph.neighbours(from, 0, list);
    for (int i = 0; i < n; i++) {
      if (list[i] == to) {
        return true;
      }
    }
    return false;
  }

  /** Every node is found on layer 0 from the entry point, by links alone. */
  private void reachable() {
    if (graph.entry() == -1) {
      return;
    }
    boolean[] seen = new boolean[table.nodeLimit()];
    int[] queue = new int[table.nodeLimit()];
    int tail = 0;
    queue[tail++] = Graph.entryNode(graph.entry());
    seen[queue[0]] = true;
    int[] list = new int[graph.m0];
    for (int head = 0; head < tail; head++) {
      int n = graph.neighbours(queue[head], 0, list);
      for (int i = 0; i < n; i++) {
        if (!seen[list[i]]) {
          seen[list[i]] = true;
          queue[tail++] = list[i];
        }
      }
    }
    for (int node = 0; node < table.nodeLimit(); node++) {
      require(!used(node) || seen[node], "node %d can't be reached", node);
    }
  }

  private void ids() {
    int owned = 0;
    for (int node = 0; node < table.nodeLimit(); node++) {
      Owners owners = table.owners(node);
      for (int i = 0; owners != null && i < owners.size(); i++) {
        IdRef ref = owners.get(i);
        if (ref == null) {
          continue;
        }
        owned++;
        require(ref.node == node, "id \"%s\" is owned by %d and names %d", ref.id, node, ref.node);
        require(
            table.ids.get(ref.id) == ref, "id \"%s\" of node %d is not in the table", ref.id, node);
      }
      if (used(node)) {
        require(table.isFoundByVector(node), "node %d is not in the table of vectors", node);
      }
    }
    require(
        owned == table.ids.size(),
        "%d ids have nodes, %d are in the table",
        owned,
        table.ids.size());
  }
}
