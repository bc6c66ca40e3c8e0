package dev.petunia.hnsw;

import dev.petunia.core.CorruptIndexException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * A commit: the files that it is made of, and how far. The file {@code commit} names the last one
 * and the one before; see {@link CommitDirectory} for its bytes.
 *
 * @param generation 0 for none
 * @param graphLength −1 for a commit of version 1, of which the vectors file has all
 * @param nodes slots of the vectors file and the codes file that it refers to
 * @param isFrozen whether nothing may be added to its files: a later commit, which was given up,
 *     had added to them, and a reader may still have it open
 */
record Commit(
    long generation,
    long vectors,
    long codes,
    long graph,
    long graphLength,
    int nodes,
    boolean isFrozen) {
  static final Commit NONE = new Commit(0, 0, 0, 0, 0, 0, false);

  private static final long MAGIC = CommitDirectory.magic("PETUNIAC");
  private static final int VERSION = 2;
  static final int BYTES = 116;
  private static final int BYTES_1 = 32;
  private static final int LAST = 16;
  private static final int BEFORE = 64;

  boolean isVersion1() {
    return graphLength < 0;
  }

  boolean isNone() {
    return generation == 0;
  }

  boolean names(String kind, long number) {
    return generation > 0
        && switch (kind) {
          case "vectors" -> number == vectors;
          case "codes" -> number == codes;
          default -> number == graph;
        };
  }

  Commit frozen() {
    return new Commit(generation, vectors, codes, graph, graphLength, nodes, true);
  }

  /** A commit of version 1. */
  static Commit version1(long generation) {
    return new Commit(generation, generation, 0, 0, -1, 0, false);
  }

  /**
   * What the file {@code commit} says.
   *
   * @param version 1 or 2; the commit before is named by version 2 only
   */
  record Pair(int version, Commit last, Commit before) {}

  static ByteBuffer encode(Commit last, Commit before) {
    ByteBuffer b = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, MAGIC).putInt(8, VERSION);
    last.put(b, LAST);
    before.put(b, BEFORE);
    return b.putInt(BYTES - 4, crc(b));
  }

  private void put(ByteBuffer b, int at) {
    b.putLong(at, generation)
        .putLong(at + 8, vectors)
        .putLong(at + 16, codes)
        .putLong(at + 24, graph)
        .putLong(at + 32, graphLength)
        .putInt(at + 40, nodes)
        .putInt(at + 44, isFrozen ? 1 : 0);
  }

  static Pair decode(Path file, byte[] bytes) {
    ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.length != BYTES && bytes.length != BYTES_1) {
      throw new CorruptIndexException(file, -1, bytes.length + " bytes instead of " + BYTES);
    }
    if (b.getLong(0) != MAGIC) {
      throw new CorruptIndexException(file, 0, "not a commit file");
    }
    if (b.getInt(bytes.length - 4) != crc(b)) {
      throw new CorruptIndexException(file, bytes.length - 4, "wrong checksum");
    }
    int version = b.getInt(8);
    if (version != (bytes.length == BYTES ? VERSION : 1)) {
      throw new CorruptIndexException(
          file, 8, "version " + version + ", but this Petunia reads versions 1 and " + VERSION);
    }
    if (version == 1) {
      long generation = b.getLong(16);
      require(file, 16, generation >= 0, "generation", generation);
      return new Pair(1, generation == 0 ? NONE : version1(generation), NONE);
    }
    return new Pair(version, get(file, b, LAST), get(file, b, BEFORE));
  }

  private static Commit get(Path file, ByteBuffer b, int at) {
    Commit c =
        new Commit(
            b.getLong(at),
            b.getLong(at + 8),
            b.getLong(at + 16),
            b.getLong(at + 24),
            b.getLong(at + 32),
            b.getInt(at + 40),
            b.getInt(at + 44) == 1);
    require(file, at, c.generation >= 0, "generation", c.generation);
    if (c.generation == 0) {
      return NONE;
    }
    require(file, at + 8, c.vectors > 0, "number of the vectors file", c.vectors);
    require(file, at + 16, c.codes >= 0, "number of the codes file", c.codes);
    if (c.isVersion1()) {
      require(file, at + 32, c.equals(version1(c.generation)), "length", c.graphLength);
      return c;
    }
    require(file, at + 24, c.graph > 0, "number of the graph file", c.graph);
    require(file, at + 40, c.nodes >= 0, "nodes", c.nodes);
    require(file, at + 44, b.getInt(at + 44) >>> 1 == 0, "frozen", b.getInt(at + 44));
    return c;
  }

  private static void require(Path file, int at, boolean ok, String field, long value) {
    if (!ok) {
      throw new CorruptIndexException(file, at, field + " is " + value + ", which can't be");
    }
  }

  private static int crc(ByteBuffer b) {
    CRC32C crc = new CRC32C();
    crc.update(b.duplicate().position(0).limit(b.capacity() - 4));
    return (int) crc.getValue();
  }
}
