package dev.petunia.hnsw;

import dev.petunia.core.Similarity;
import dev.petunia.core.internal.Checks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Format 1: a whole index in one file. It is read, and no longer written. Little-endian; every byte
 * is under a checksum.
 *
 * <pre>
 * header, 80 bytes
 *    0  8  magic "PETUNIAV"
 *    8  4  version, 1
 *   12  4  similarity: 0 COSINE, 1 DOT_PRODUCT, 2 EUCLIDEAN
 *   16  4  dimension, 1 to 65,536
 *   20  4  M, 2 to 128
 *   24  4  nodes, n
 *   28  4  ids
 *   32  4  entry node, −1 when n is 0
 *   36  4  entry level
 *   40  8  insertions so far (the level draw goes on from here)
 *   48  8  seed of the level draw
 *   56 20  0
 *   76  4  CRC-32C of bytes 0 to 75
 * sections, each followed by the CRC-32C of its bytes (4)
 *   vectors  n × dimension floats; as stored: unit length under COSINE
 *   levels   n bytes
 *   links    n × 2M ints: layer-0 neighbours, ended by −1
 *   parents  n ints: the tree, −1 for the root
 *   upper    for each node in order, level × M ints: layers 1 and up, ended by −1
 *   ids      for each id: node (int), length in bytes (int), UTF-8
 * end
 *   8  magic "PETUNIAE"
 * </pre>
 *
 * <p>Nodes have no gaps: a file holds the living only. Reading checks lengths before it allocates,
 * checksums before it believes, and every number's range.
 */
final class Snapshot {
  static final int VERSION = 1;
  static final int HEADER_BYTES = 80;
  private static final long MAGIC = CommitDirectory.magic("PETUNIAV");
  private static final long END = CommitDirectory.magic("PETUNIAE");

  private Snapshot() {}

  /** The header's facts. */
  private record Header(
      int similarity,
      int dimension,
      int m,
      int nodes,
      int ids,
      int entry,
      int entryLevel,
      long insertions) {}

  private static Header header(SectionReader in) throws IOException {
    ByteBuffer b = in.buffer(HEADER_BYTES - 4);
    if (b.getLong(0) != MAGIC) {
      throw in.corrupt(0, "not a vector snapshot");
    }
    in.endSection("header");
    if (b.getInt(8) != VERSION) {
      throw in.corrupt(8, "version " + b.getInt(8) + ", but this Petunia reads version " + VERSION);
    }
    Header h =
        new Header(
            b.getInt(12),
            b.getInt(16),
            b.getInt(20),
            b.getInt(24),
            b.getInt(28),
            b.getInt(32),
            b.getInt(36),
            b.getLong(40));
    in.require(12, h.similarity >= 0 && h.similarity <= 2, "similarity", h.similarity);
    in.require(
        16, h.dimension >= 1 && h.dimension <= HnswConfig.MAX_DIMENSION, "dimension", h.dimension);
    in.require(20, h.m >= 2 && h.m <= 128, "M", h.m);
    // so many that they could not be in a file of this length: don't even try
    long perNode = vectorBytes(1, h.dimension) + 1 + linkBytes(1, h.m) + 4;
    in.require(24, h.nodes >= 0 && h.nodes <= in.length() / perNode, "nodes", h.nodes);
    in.require(28, h.ids >= h.nodes && h.ids <= in.length() / 8, "ids", h.ids);
    in.require(
        32, h.nodes == 0 ? h.entry == -1 : h.entry >= 0 && h.entry < h.nodes, "entry", h.entry);
    in.require(
        36, h.entryLevel >= 0 && h.entryLevel <= Graph.MAX_LEVEL, "entry level", h.entryLevel);
    return h;
  }

  /** Reads a file into an empty index. */
  static void read(Path file, HnswConfig config, State state) throws IOException {
    Graph graph = state.graph;
    try (SectionReader in = new SectionReader(file)) {
      Header h = header(in);
      same(file, "dimension", h.dimension, config.dimension());
      if (h.similarity != code(config.similarity())) {
        throw Checks.bad(
            "similarity",
            config.similarity(),
            List.of(Similarity.values()).get(h.similarity)
                + ", as the index in "
                + file.getParent()
                + " has");
      }
      same(file, "M", h.m, config.m());
      VectorTable table = graph.table;
      float[] vector = new float[table.form.stride()];
      for (int node = 0; node < h.nodes; node++) {
        in.floats(vector, h.dimension);
        table.restore(vector);
      }
      in.endSection("vectors");
      for (int node = 0; node < h.nodes; node++) {
        byte level = in.getByte();
        in.require(level >= 0 && level <= Graph.MAX_LEVEL, "level", level);
        graph.level(node, level);
      }
      in.endSection("levels");
      int[] list = new int[2 * h.m];
      for (int node = 0; node < h.nodes; node++) {
        graph.write(node, 0, list, list(in, list, h, h.m * 2));
      }
      in.endSection("links");
      for (int node = 0; node < h.nodes; node++) {
        int parent = in.getInt();
        in.require(parent >= -1 && parent < h.nodes, "parent", parent);
        graph.parent(node, parent);
        if (parent >= 0) {
          graph.addChildren(parent, 1);
        }
      }
      in.endSection("parents");
      for (int node = 0; node < h.nodes; node++) {
        for (int level = 1; level <= graph.level(node); level++) {
          graph.write(node, level, list, list(in, list, h, h.m));
        }
      }
      in.endSection("upper");
      for (int i = 0; i < h.ids; i++) {
        int node = in.getInt();
        in.require(node >= 0 && node < h.nodes, "node of an id", node);
        int length = in.getInt();
        in.require(length >= 1 && length <= in.remaining(), "length of an id", length);
        byte[] id = in.bytes(length);
        table.restore(new String(id, StandardCharsets.UTF_8), node);
      }
      in.endSection("ids");
      end(in);
      if (h.nodes > 0) {
        graph.entry(h.entry, h.entryLevel);
      }
      state.insertions.set(h.insertions);
    }
  }

  private static int list(SectionReader in, int[] list, Header h, int places) throws IOException {
    int n = 0;
    boolean ended = false;
    for (int i = 0; i < places; i++) {
      int node = in.getInt();
      in.require(node >= -1 && node < h.nodes && !(ended && node >= 0), "link", node);
      ended |= node < 0;
      if (node >= 0) {
        list[n++] = node;
      }
    }
    return n;
  }

  private static void end(SectionReader in) throws IOException {
    ByteBuffer b = in.buffer(8);
    if (b.getLong(0) != END) {
      throw in.corrupt(in.position() - 8, "the end mark is missing");
    }
    if (in.remaining() != 0) {
      throw in.corrupt(in.position(), in.remaining() + " bytes after the end");
    }
  }

  // sizes in long: a million vectors of 768 components are more than 2^31 bytes

  static long vectorBytes(int nodes, int dimension) {
    return 4L * nodes * dimension;
  }

  static long linkBytes(int nodes, int m) {
    return 4L * 2 * m * nodes;
  }

  static long upperBytes(int level, int m) {
    return 4L * level * m;
  }

  private static int code(Similarity similarity) {
    return switch (similarity) {
      case COSINE -> 0;
      case DOT_PRODUCT -> 1;
      case EUCLIDEAN -> 2;
    };
  }

  private static void same(Path file, String field, int stored, int asked) {
    if (stored != asked) {
      throw Checks.bad(field, asked, stored + ", as the index in " + file.getParent() + " has");
    }
  }

  /** Checks every checksum without building anything. */
  static void verify(Path file) throws IOException {
    try (SectionReader in = new SectionReader(file)) {
      Header h = header(in);
      in.skip(vectorBytes(h.nodes, h.dimension));
      in.endSection("vectors");
      byte[] levels = in.bytes(h.nodes);
      long upper = 0;
      for (byte level : levels) {
        in.require(level >= 0 && level <= Graph.MAX_LEVEL, "level", level);
        upper += upperBytes(level, h.m);
      }
      in.endSection("levels");
      in.skip(linkBytes(h.nodes, h.m));
      in.endSection("links");
      in.skip(4L * h.nodes);
      in.endSection("parents");
      in.skip(upper);
      in.endSection("upper");
      for (int i = 0; i < h.ids; i++) {
        in.getInt();
        int length = in.getInt();
        in.require(length >= 1 && length <= in.remaining(), "length of an id", length);
        in.skip(length);
      }
      in.endSection("ids");
      end(in);
    }
  }
}
