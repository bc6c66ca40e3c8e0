package dev.petunia.hnsw;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** All that an index is made of, as text, one line a node: for saying where two differ. */
final class Fingerprint {
  private Fingerprint() {}

  static List<String> of(HnswIndex index) {
    List<String> lines = new ArrayList<>();
    Graph graph = index.state().graph;
    VectorTable table = index.state().table;
    long entry = graph.entry();
    lines.add(
        "entry "
            + Graph.entryNode(entry)
            + " level "
            + Graph.entryLevel(entry)
            + " of nodes "
            + table.nodeLimit());
    int[] list = new int[graph.m0];
    for (int node = 0; node < table.nodeLimit(); node++) {
      StringBuilder line = new StringBuilder("node " + node + " state " + table.state(node));
      if (table.state(node) != Page.FREE) {
        line.append(" parent ").append(graph.parent(node));
        line.append(" children ").append(graph.children(node));
        for (int level = 0; level <= graph.level(node); level++) {
          int n = graph.neighbours(node, level, list);
          line.append(" layer ").append(level).append(Arrays.toString(Arrays.copyOf(list, n)));
        }
        Owners owners = table.owners(node);
        for (int i = 0; owners != null && i < owners.size(); i++) {
          IdRef ref = owners.get(i);
          if (ref != null) {
            line.append(" id ").append(ref.id);
            line.append(Arrays.toString(index.vector(ref.id)));
          }
        }
      }
      lines.add(line.toString());
    }
    return lines;
  }
}
