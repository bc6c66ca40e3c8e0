package dev.petunia.hnsw;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes a copy of an index without gaps, its nodes numbered anew in the order in which they are met
 * from the entry point on: neighbours then tend to lie near each other in memory and in the file.
 * No writer runs beside; the old index is only read, but for the sweep of its dead nodes.
 */
final class Compaction {
  /** Bytes of vectors held in memory before they are written and mapped. */
  private static final long CHUNK_BYTES = 1L << 26;

  private final HnswConfig config;
  private final State old;
  private final int[] order;
  private final int[] number;

  private Compaction(HnswConfig config, State old) {
    this.config = config;
    this.old = old;
    number = new int[old.table.nodeLimit()];
    Arrays.fill(number, -1);
    order = order();
  }

  /**
   * The copy.
   *
   * @param owner the index that it is of
   * @param file where the vectors go; null to keep them in memory
   */
  static State of(HnswConfig config, State old, Object owner, @Nullable SlotFile file)
      throws IOException {
    old.sweep();
    return new Compaction(config, old).copy(owner, file);
  }

  /** The living nodes, breadth first over layer 0, which reaches them all. */
  private int[] order() {
    Graph graph = old.graph;
    int[] queue = new int[old.table.liveNodes()];
    if (queue.length == 0) {
      return queue;
    }
    int tail = 0;
    int first = Graph.entryNode(graph.entry());
    number[first] = 0;
    queue[tail++] = first;
    int[] list = new int[graph.m0];
    for (int head = 0; head < tail; head++) {
      int n = graph.neighbours(queue[head], 0, list);
      for (int i = 0; i < n; i++) {
        if (number[list[i]] < 0) {
          number[list[i]] = tail;
          queue[tail++] = list[i];
        }
      }
    }
    if (tail != queue.length) {
      throw new IllegalStateException(
          (queue.length - tail) + " of " + queue.length + " vectors can't be reached");
    }
    return queue;
  }

  private State copy(Object owner, @Nullable SlotFile file) throws IOException {
    State fresh = new State(config, owner, file != null);
    VectorTable table = fresh.table;
    table.open(order.length, vectors(table, file));
    int[] list = new int[fresh.graph.m0];
    for (int node = 0; node < order.length; node++) {
      node(fresh.graph, node, list);
    }
    for (IdRef ref : old.table.ids.values()) {
      table.restoreId(ref.id, number[ref.node]);
    }
    table.restored(IllegalStateException::new);
    for (int node = 0; node < order.length; node++) {
      int parent = fresh.graph.parent(node);
      if (parent >= 0) {
        fresh.graph.addChildren(parent, 1);
      }
    }
    long entry = old.graph.entry();
    if (entry != -1) {
      fresh.graph.entry(number[Graph.entryNode(entry)], Graph.entryLevel(entry));
    }
    fresh.insertions.set(old.insertions.get());
    Codes codes = old.table.codes();
    if (codes != null) {
      table.codes(
          new Quantizer(
              codes.quantizer.kind,
              config.similarity(),
              Training.centre(table, java.util.List.of())));
    }
    return fresh;
  }

  private void node(Graph graph, int node, int[] list) {
    Graph from = old.graph;
    int was = order[node];
    graph.table.page(node).state(node & graph.table.mask, Page.LIVE);
    graph.table.hash(node, old.table.hash(was));
    graph.level(node, from.level(was));
    int parent = from.parent(was);
    graph.parent(node, parent < 0 ? -1 : number[parent]);
    for (int l = 0; l <= from.level(was); l++) {
      int n = from.neighbours(was, l, list);
      for (int i = 0; i < n; i++) {
        list[i] = number[list[i]];
      }
      graph.write(node, l, list, n);
    }
  }

  /** The vectors in their new order; checked against their hashes, so that no damage is copied. */
  private MemorySegment[] vectors(VectorTable table, @Nullable SlotFile file) throws IOException {
    int perPage = table.mask + 1;
    long bytes = table.form.bytes();
    int count = (int) ((order.length + (long) perPage - 1) / perPage);
    int full = order.length / perPage;
    int chunk = (int) Math.max(1, CHUNK_BYTES / (perPage * bytes));
    MemorySegment[] pages = new MemorySegment[count];
    for (int p = 0; p < count; p += chunk) {
      int end = Math.min(count, p + chunk);
      for (int i = p; i < end; i++) {
        pages[i] = Arena.ofAuto().allocate(perPage * bytes, VectorTable.ALIGNMENT);
      }
      int last = Math.min(order.length, end * perPage);
      for (int node = p * perPage; node < last; node++) {
        copy(order[node], pages[node / perPage], (node & table.mask) * bytes);
      }
      if (file != null) {
        file.write(pages, p * perPage, last);
        file.map(pages, p, Math.min(end, full), 0);
      }
    }
    if (file != null && count == 0) {
      file.write(pages, 0, 0);
    }
    return pages;
  }

  private void copy(int was, MemorySegment page, long at) {
    VectorTable table = old.table;
    MemorySegment vector = table.vectors(was);
    if (table.form.hash(vector, table.at(was)) != table.hash(was)) {
      throw new IllegalStateException("the vector of node " + was + " is damaged");
    }
    MemorySegment.copy(vector, table.at(was), page, at, table.form.bytes());
  }
}
