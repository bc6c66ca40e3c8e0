package dev.petunia.hnsw;

import dev.petunia.core.Similarity;
import dev.petunia.core.internal.Checks;
import dev.petunia.core.internal.Utf8Order;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything of an index but vectors and codes, as a log of commits: a file begins with a frame
 * that has all, and each later commit adds a frame with what has changed. Little-endian; each
 * section is followed by the CRC-32C of its bytes (4).
 *
 * <pre>
 * header section, 40 bytes and the centre
 *    0  8  magic "PETUNIAG"
 *    8  4  version, 2
 *   12  4  similarity: 0 COSINE, 1 DOT_PRODUCT, 2 EUCLIDEAN
 *   16  4  dimension, 1 to 65,536
 *   20  4  M, 2 to 128
 *   24  4  codes: 0 none, 1 INT8, 2 BITS2, 3 BIT1
 *   28  4  0
 *   32  8  seed of the level draw
 *   40     with codes: the centre, dimension floats
 * frame head section, 48 bytes
 *    0  8  magic "PETUNIAF"
 *    8  8  generation: rising from frame to frame, and the last one the commit's
 *   16  4  nodes: numbers in use are below this
 *   20  4  entry node, −1 for none
 *   24  4  entry level
 *   28  4  changed nodes
 *   32  4  ids put
 *   36  4  ids removed
 *   40  8  insertions so far (the level draw goes on from here)
 * nodes section: each changed node
 *   node (int), state (byte: 0 free, 2 live, 3 dead); and unless it is free
 *   level (byte), parent (int, −1 for the root), hash of the vector (long),
 *   for each layer from 0 to level: number of neighbours (short), neighbours (int)
 * ids section
 *   each id put: node (int), length in bytes (int), UTF-8
 *   each id removed: length in bytes (int), UTF-8
 * </pre>
 *
 * <p>What lies beyond the length that the commit names was not committed, and is written over.
 */
final class GraphFile {
  static final int VERSION = 2;
  private static final long MAGIC = CommitDirectory.magic("PETUNIAG");
  private static final long FRAME = CommitDirectory.magic("PETUNIAF");

  private GraphFile() {}

  /**
   * Writes a new file with all of an index, or adds a frame with what has changed, and forces it to
   * disk.
   *
   * @param from where the file's last frame ends; 0 for a new file
   * @param changedIds ids put or removed since; null for all
   * @return where the file ends now
   */
  static long write(
      Path file,
      long from,
      HnswConfig config,
      State state,
      long generation,
      @Nullable Collection<String> changedIds)
      throws IOException {
    VectorTable table = state.table;
    Graph graph = state.graph;
    int limit = table.nodeLimit();
    int changed = 0;
    for (int node = next(table, 0, from == 0); node >= 0; node = next(table, node + 1, from == 0)) {
      changed++;
    }
    List<IdRef> put = new ArrayList<>();
    List<String> removed = new ArrayList<>();
    if (changedIds == null) {
      put.addAll(table.ids.values());
    } else {
      for (String id : changedIds) {
        IdRef ref = table.ids.get(id);
        if (ref == null) {
          removed.add(id);
        } else {
          put.add(ref);
        }
      }
    }
    // one order, so that the same index makes the same bytes
    put.sort(
        Comparator.comparingInt((IdRef ref) -> ref.node)
            .thenComparing(ref -> ref.id, Utf8Order.COMPARATOR));
    removed.sort(Utf8Order.COMPARATOR);
    long entry = graph.entry();
    try (SectionWriter out = new SectionWriter(file, from)) {
      if (from == 0) {
        header(out, config, graph, table.codes());
      }
      out.putLong(FRAME);
      out.putLong(generation);
      out.putInt(limit);
      out.putInt(entry == -1 ? -1 : Graph.entryNode(entry));
      out.putInt(entry == -1 ? 0 : Graph.entryLevel(entry));
      out.putInt(changed);
      out.putInt(put.size());
      out.putInt(removed.size());
      out.putLong(state.insertions.get());
      out.endSection();
      int[] list = new int[graph.m0];
      for (int node = next(table, 0, from == 0);
          node >= 0;
          node = next(table, node + 1, from == 0)) {
        node(out, graph, node, list);
      }
      out.endSection();
      for (IdRef ref : put) {
        out.putInt(ref.node);
        id(out, ref.id);
      }
      for (String id : removed) {
        id(out, id);
      }
      out.endSection();
      out.force();
      return out.position();
    }
  }

  /** The next node to write, from this one on; −1 for none. */
  private static int next(VectorTable table, int from, boolean all) {
    if (!all) {
      return table.nextDirty(from);
    }
    for (int node = from; node < table.nodeLimit(); node++) {
      if (table.state(node) != Page.FREE) {
        return node;
      }
    }
    return -1;
  }

  private static void header(
      SectionWriter out, HnswConfig config, Graph graph, @Nullable Codes codes) throws IOException {
    out.putLong(MAGIC);
    out.putInt(VERSION);
    out.putInt(code(config.similarity()));
    out.putInt(config.dimension());
    out.putInt(graph.m);
    out.putInt(codes == null ? 0 : code(codes.quantizer.kind));
    out.putInt(0);
    out.putLong(config.seed());
    if (codes != null) {
      out.putFloats(codes.quantizer.centre, 0, config.dimension());
    }
    out.endSection();
  }

  private static void node(SectionWriter out, Graph graph, int node, int[] list)
      throws IOException {
    VectorTable table = graph.table;
    byte state = table.state(node);
    out.putInt(node);
    out.putByte(state);
    if (state == Page.FREE) {
      return;
    }
    int level = graph.level(node);
    out.putByte((byte) level);
    out.putInt(graph.parent(node));
    out.putLong(table.hash(node));
    for (int l = 0; l <= level; l++) {
      int n = graph.neighbours(node, l, list);
      out.putShort((short) n);
      for (int i = 0; i < n; i++) {
        out.putInt(list[i]);
      }
    }
  }

  private static void id(SectionWriter out, String id) throws IOException {
    byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
    out.putInt(bytes.length);
    out.putBytes(bytes);
  }

  /** Makes the table ready for the nodes of the commit, and for codes, if there are any. */
  interface Room {
    void make(@Nullable Quantizer quantizer) throws IOException;
  }

  /**
   * Reads the frames of a commit into an empty index. Checks the checksum of each section, every
   * number's range, and that all links lead to nodes.
   *
   * @param room called after the header, which tells whether this is the index that is meant
   * @return where the first frame ends
   */
  static long read(Path file, Commit commit, HnswConfig config, State state, Room room)
      throws IOException {
    try (SectionReader in = new SectionReader(file, commit.graphLength())) {
      Quantizer quantizer = header(in, file, config);
      in.require(24, quantizer != null || commit.codes() == 0, "codes", 0);
      room.make(quantizer);
      Frame last = frame(in, state, commit, 0);
      long baseLength = in.position();
      while (in.remaining() > 0) {
        last = frame(in, state, commit, last.generation);
      }
      end(in, commit, last);
      state.table.restored(problem -> in.corrupt(in.position(), problem));
      links(in, state.graph);
      return baseLength;
    }
  }

  /** The commit ends where a frame does, the frame that it wrote. */
  private static void end(SectionReader in, Commit commit, Frame last) {
    in.require(in.remaining() == 0, "length", commit.graphLength());
    in.require(
        last.generation == commit.generation(), "generation of the last frame", last.generation);
    in.require(last.nodes == commit.nodes(), "nodes of the last frame", last.nodes);
  }

  private static @Nullable Quantizer header(SectionReader in, Path file, HnswConfig config)
      throws IOException {
    ByteBuffer b = in.buffer(40);
    if (b.getLong(0) != MAGIC) {
      throw in.corrupt(0, "not a graph file");
    }
    int kind = b.getInt(24);
    in.require(24, kind >= 0 && kind <= 3, "codes", kind);
    int dimension = b.getInt(16);
    in.require(16, dimension >= 1 && dimension <= HnswConfig.MAX_DIMENSION, "dimension", dimension);
    float[] centre = new float[kind == 0 ? 0 : dimension];
    in.floats(centre, centre.length);
    in.endSection("header");
    if (b.getInt(8) != VERSION) {
      throw in.corrupt(8, "version " + b.getInt(8) + ", but this Petunia reads version " + VERSION);
    }
    in.require(12, b.getInt(12) >= 0 && b.getInt(12) <= 2, "similarity", b.getInt(12));
    same(file, "dimension", dimension, config.dimension());
    if (b.getInt(12) != code(config.similarity())) {
      throw Checks.bad(
          "similarity",
          config.similarity(),
          List.of(Similarity.values()).get(b.getInt(12))
              + ", as the index in "
              + file.getParent()
              + " has");
    }
    in.require(20, b.getInt(20) >= 2 && b.getInt(20) <= 128, "M", b.getInt(20));
    same(file, "M", b.getInt(20), config.m());
    return kind == 0 ? null : new Quantizer(kind(kind), config.similarity(), centre);
  }

  static void same(Path file, String field, int stored, int asked) {
    if (stored != asked) {
      throw Checks.bad(field, asked, stored + ", as the index in " + file.getParent() + " has");
    }
  }

  private static Frame frame(SectionReader in, State state, Commit commit, long before)
      throws IOException {
    VectorTable table = state.table;
    Graph graph = state.graph;
    Frame f = Frame.read(in, commit, before);
    int[] list = new int[graph.m0];
    for (int i = 0; i < f.changed; i++) {
      int node = in.getInt();
      in.require(node >= 0 && node < f.nodes, "node", node);
      byte is = in.getByte();
      in.require(is == Page.FREE || is == Page.LIVE || is == Page.DEAD, "state", is);
      table.page(node).state(node & table.mask, is);
      if (is == Page.FREE) {
        continue;
      }
      byte level = in.getByte();
      in.require(level >= 0 && level <= Graph.MAX_LEVEL, "level", level);
      graph.level(node, level);
      int parent = in.getInt();
      in.require(parent >= -1 && parent < f.nodes, "parent", parent);
      graph.parent(node, parent);
      table.hash(node, in.getLong());
      for (int l = 0; l <= level; l++) {
        int n = in.getShort();
        in.require(n >= 0 && n <= graph.places(l), "neighbours", n);
        for (int k = 0; k < n; k++) {
          list[k] = in.getInt();
          in.require(list[k] >= 0 && list[k] < f.nodes, "link", list[k]);
        }
        graph.write(node, l, list, n);
      }
    }
    in.endSection("nodes");
    for (int i = 0; i < f.put; i++) {
      int node = in.getInt();
      in.require(node >= 0 && node < f.nodes, "node of an id", node);
      table.restoreId(id(in), node);
    }
    for (int i = 0; i < f.removed; i++) {
      table.forgetId(id(in));
    }
    in.endSection("ids");
    graph.entry(f.entry, f.entryLevel);
    state.insertions.set(f.insertions);
    return f;
  }

  private static String id(SectionReader in) throws IOException {
    int length = in.getInt();
    in.require(length >= 1 && length <= in.remaining(), "length of an id", length);
    return new String(in.bytes(length), StandardCharsets.UTF_8);
  }

  private record Frame(
      long generation,
      int nodes,
      int entry,
      int entryLevel,
      int changed,
      int put,
      int removed,
      long insertions) {
    static Frame read(SectionReader in, Commit commit, long before) throws IOException {
      long at = in.position();
      in.require(at, in.remaining() > 0, "length", commit.graphLength());
      ByteBuffer b = in.buffer(48);
      if (b.getLong(0) != FRAME) {
        throw in.corrupt(at, "no frame begins here");
      }
      in.endSection("frame head");
      Frame f =
          new Frame(
              b.getLong(8),
              b.getInt(16),
              b.getInt(20),
              b.getInt(24),
              b.getInt(28),
              b.getInt(32),
              b.getInt(36),
              b.getLong(40));
      in.require(
          at + 8,
          f.generation > before && f.generation <= commit.generation(),
          "generation",
          f.generation);
      in.require(at + 16, f.nodes >= 0 && f.nodes <= commit.nodes(), "nodes", f.nodes);
      in.require(at + 20, f.entry >= -1 && f.entry < f.nodes, "entry", f.entry);
      in.require(
          at + 24,
          f.entryLevel >= 0 && f.entryLevel <= Graph.MAX_LEVEL,
          "entry level",
          f.entryLevel);
      in.require(at + 28, f.changed >= 0 && f.changed <= f.nodes, "changed nodes", f.changed);
      in.require(at + 32, f.put >= 0 && f.put <= in.remaining() / 8, "ids", f.put);
      in.require(at + 36, f.removed >= 0 && f.removed <= in.remaining() / 4, "ids", f.removed);
      return f;
    }
  }

  /** Every link leads to a node of its layer, and parents are counted. */
  private static void links(SectionReader in, Graph graph) {
    VectorTable table = graph.table;
    int[] list = new int[graph.m0];
    for (int node = 0; node < table.nodeLimit(); node++) {
      if (table.state(node) == Page.FREE) {
        continue;
      }
      for (int l = 0; l <= graph.level(node); l++) {
        int n = graph.neighbours(node, l, list);
        for (int i = 0; i < n; i++) {
          boolean there = table.state(list[i]) != Page.FREE && graph.level(list[i]) >= l;
          in.require(in.position(), there, "link of node " + node, list[i]);
        }
      }
      int parent = graph.parent(node);
      if (parent >= 0) {
        in.require(in.position(), table.state(parent) != Page.FREE, "parent of " + node, parent);
        graph.addChildren(parent, 1);
      }
    }
    long entry = graph.entry();
    if (entry != -1) {
      int node = Graph.entryNode(entry);
      boolean there =
          table.state(node) != Page.FREE && graph.level(node) == Graph.entryLevel(entry);
      in.require(in.position(), there, "entry", node);
    }
  }

  /** Checks every checksum without building anything. */
  static void verify(Path file, Commit commit) throws IOException {
    try (SectionReader in = new SectionReader(file, commit.graphLength())) {
      ByteBuffer b = in.buffer(40);
      in.skip(b.getInt(24) == 0 ? 0 : 4L * b.getInt(16));
      in.endSection("header");
      Frame f;
      long before = 0;
      do {
        f = Frame.read(in, commit, before);
        before = f.generation;
        for (int i = 0; i < f.changed; i++) {
          in.getInt();
          if (in.getByte() != Page.FREE) {
            int level = in.getByte();
            in.skip(12);
            for (int l = 0; l <= level; l++) {
              in.skip(4L * in.getShort());
            }
          }
        }
        in.endSection("nodes");
        for (int i = 0; i < f.put; i++) {
          in.getInt();
          in.skip(in.getInt());
        }
        for (int i = 0; i < f.removed; i++) {
          in.skip(in.getInt());
        }
        in.endSection("ids");
      } while (in.remaining() > 0);
      end(in, commit, f);
    }
  }

  private static int code(Similarity similarity) {
    return switch (similarity) {
      case COSINE -> 0;
      case DOT_PRODUCT -> 1;
      case EUCLIDEAN -> 2;
    };
  }

  private static int code(Quantization kind) {
    return switch (kind) {
      case NONE -> 0;
      case INT8 -> 1;
      case BITS2 -> 2;
      case BIT1 -> 3;
    };
  }

  private static Quantization kind(int code) {
    return switch (code) {
      case 1 -> Quantization.INT8;
      case 2 -> Quantization.BITS2;
      default -> Quantization.BIT1;
    };
  }
}
