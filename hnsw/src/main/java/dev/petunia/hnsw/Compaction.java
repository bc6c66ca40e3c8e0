package dev.petunia.hnsw;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a copy of an index without gaps, its nodes numbered anew in the order in which they are met
 * from the entry point on: neighbours then tend to lie near each other in memory and in the file.
 * No writer runs beside; the old index is only read, but for the sweep of its dead nodes.
 */
final class Compaction {
  /**
   * Bytes of vectors or codes held in memory before they are written: few, as what is allocated
   * outside the heap is bounded by the size of the heap unless the JVM is told otherwise.
   */
  private static final long CHUNK_BYTES = 1L << 23;

  private final HnswConfig config;
  private final State old;
  private final int[] order;
  private final int[] number;

  private final State fresh;

  /**
   * The copy.
   *
   * @param vectors the file of its vectors; null when they are in memory
   * @param codes the file of its codes; null when there are none, or when they are in memory
   */
  record Result(State state, @Nullable SlotFile vectors, @Nullable SlotFile codes) {}

  private Compaction(HnswConfig config, State old, State fresh) {
    this.config = config;
    this.old = old;
    this.fresh = fresh;
    number = new int[old.table.nodeLimit()];
    Arrays.fill(number, -1);
    order = order();
  }

  /**
   * Makes the copy.
   *
   * @param owner the index that it is of
   * @param store makes the files that the vectors and codes go to; null to keep them in memory
   */
  static Result of(HnswConfig config, State old, Object owner, @Nullable Store store)
      throws IOException {
    old.sweep();
    return new Compaction(config, old, new State(config, owner, store != null)).copy(store);
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

  private Result copy(@Nullable Store store) throws IOException {
    VectorTable table = fresh.table;
    SlotFile vectorFile = store == null ? null : store.newVectorFile(fresh);
    table.open(
        order.length,
        slots(vectorFile, table.form.bytes(), 0, (node, page, at) -> copy(order[node], page, at)));
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
    return new Result(fresh, vectorFile, codes == null ? null : code(codes.quantizer.kind, store));
  }

  /** Codes the copy around its own mean. */
  private @Nullable SlotFile code(Quantization kind, @Nullable Store store) throws IOException {
    VectorTable table = fresh.table;
    Quantizer quantizer =
        new Quantizer(kind, config.similarity(), Training.centre(table, List.of()));
    SlotFile file = store == null ? null : store.newCodeFile(fresh, quantizer);
    Quantizer.Work work = new Quantizer.Work(config.dimension());
    table.codes(
        quantizer,
        slots(
            file,
            quantizer.record,
            CodeKernels.OVERREAD,
            (node, page, at) ->
                quantizer.encode(table.vectors(node), table.at(node), page, at, work)));
    return file;
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

  /** Fills a slot. */
  private interface Fill {
    void fill(int node, MemorySegment page, long at);
  }

  /**
   * The pages of all slots: filled in memory; or, through a little of it, in a file.
   *
   * @param spare bytes after each page that may be read
   */
  private MemorySegment[] slots(@Nullable SlotFile file, long slot, int spare, Fill fill)
      throws IOException {
    int n = order.length;
    int perPage = fresh.table.mask + 1;
    int count = (int) ((n + (long) perPage - 1) / perPage);
    int chunk = file == null ? count : (int) Math.max(1, CHUNK_BYTES / (perPage * slot));
    MemorySegment[] pages = new MemorySegment[count];
    for (int p = 0; p < count; p++) {
      pages[p] =
          p < chunk
              ? Arena.ofAuto().allocate(perPage * slot + spare, VectorTable.ALIGNMENT)
              : pages[p - chunk]; // what it held is in the file by now
    }
    for (int p = 0; p < count; p += chunk) {
      int first = p * perPage;
      int end = (int) Math.min(n, (p + (long) chunk) * perPage);
      for (int node = first; node < end; node++) {
        fill.fill(node, pages[node / perPage], (node & fresh.table.mask) * slot);
      }
      if (file != null) {
        file.write(pages, first, end);
      }
    }
    if (file == null) {
      return pages;
    }
    if (count == 0) {
      file.write(pages, 0, 0);
    }
    return file.open(n, spare);
  }

  /** Copies a vector; checks it against its hash, so that no damage is copied. */
  private void copy(int was, MemorySegment page, long at) {
    VectorTable table = old.table;
    MemorySegment vector = table.vectors(was);
    if (table.form.hash(vector, table.at(was)) != table.hash(was)) {
      throw new IllegalStateException("the vector of node " + was + " is damaged");
    }
    MemorySegment.copy(vector, table.at(was), page, at, table.form.bytes());
  }
}
