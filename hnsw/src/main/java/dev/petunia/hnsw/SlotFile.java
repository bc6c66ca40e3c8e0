package dev.petunia.hnsw;

import dev.petunia.core.CorruptIndexException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * A file of slots of one size, one for each node number: vectors, or codes. Little-endian.
 *
 * <pre>
 * header, 64 bytes
 *    0  8  magic: "PETUNIAV" vectors, "PETUNIAK" codes
 *    8  4  version, 2
 *   12  4  bytes of a slot
 *   16  8  number of the file, as in its name
 *   24 36  0
 *   60  4  CRC-32C of bytes 0 to 59
 * slots
 *   node i's at 64 + i · (bytes of a slot); after the last one {@link CodeKernels#OVERREAD} bytes
 *   more, of any content, so that a read of whole registers stays in the file
 * </pre>
 *
 * <p>A slot that a commit refers to is never written again: what changes gets another slot, and
 * rewriting the whole index gets another file. So slots may be mapped into memory while commits go
 * on. The hash of each vector, its checksum, is in the graph file; codes follow from vectors.
 */
final class SlotFile {
  static final int VERSION = 2;
  static final int HEADER_BYTES = 64;
  static final long VECTORS = CommitDirectory.magic("PETUNIAV");
  static final long CODES = CommitDirectory.magic("PETUNIAK");

  /** Pages mapped at once: few mappings, as the system allows only so many. */
  private static final long MAPPING_BYTES = 1L << 26;

  private final Path path;
  private final long magic;
  private final long number;
  private final long slot;
  private final int perPage;

  /** How many pages are mapped, from the first one on. */
  private int mapped;

  /**
   * @param number of the file
   * @param slot bytes of a slot
   * @param perPage slots of a page
   */
  SlotFile(Path path, long magic, long number, long slot, int perPage) {
    this.path = path;
    this.magic = magic;
    this.number = number;
    this.slot = slot;
    this.perPage = perPage;
  }

  Path path() {
    return path;
  }

  long mappedBytes() {
    return (long) mapped * perPage * slot;
  }

  long number() {
    return number;
  }

  /** Bytes of a slot. */
  long slot() {
    return slot;
  }

  private long at(long node) {
    return HEADER_BYTES + node * slot;
  }

  /** Writes the slots of nodes {@code from} to {@code to − 1} and forces them to disk. */
  void write(MemorySegment[] pages, int from, int to) throws IOException {
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      if (from == 0) {
        writeFully(channel, 0, header());
      }
      for (int node = from; node < to; ) {
        int page = node / perPage;
        int end = (int) Math.min(to, (page + 1L) * perPage);
        long offset = (node - (long) page * perPage) * slot;
        // in parts, as a buffer holds less than 2^31 bytes
        long bytes = (end - (long) node) * slot;
        for (long done = 0; done < bytes; ) {
          long part = Math.min(1 << 24, bytes - done);
          writeFully(
              channel, at(node) + done, pages[page].asSlice(offset + done, part).asByteBuffer());
          done += part;
        }
        node = end;
      }
      writeFully(channel, at(to), ByteBuffer.allocate(CodeKernels.OVERREAD));
      channel.force(true);
    }
  }

  static void writeFully(FileChannel channel, long at, ByteBuffer bytes) throws IOException {
    long position = at;
    while (bytes.hasRemaining()) {
      position += channel.write(bytes, position);
    }
  }

  private ByteBuffer header() {
    ByteBuffer b = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, magic).putInt(8, VERSION).putInt(12, (int) slot).putLong(16, number);
    b.putInt(60, crc(b));
    return b;
  }

  private static int crc(ByteBuffer b) {
    CRC32C crc = new CRC32C();
    crc.update(b.duplicate().position(0).limit(60));
    return (int) crc.getValue();
  }

  /** Checks header and length. */
  private void check(FileChannel channel, int nodes) throws IOException {
    ByteBuffer b = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    read(channel, b, 0);
    if (b.getLong(0) != magic) {
      throw new CorruptIndexException(path, 0, "not such a file");
    }
    if (b.getInt(60) != crc(b)) {
      throw new CorruptIndexException(path, 60, "wrong checksum of the header");
    }
    if (b.getInt(8) != VERSION) {
      throw new CorruptIndexException(
          path, 8, "version " + b.getInt(8) + ", but this Petunia reads version " + VERSION);
    }
    int size = b.getInt(12);
    if (size != slot) {
      throw new CorruptIndexException(path, 12, "slots of " + size + " bytes instead of " + slot);
    }
    if (b.getLong(16) != number) {
      throw new CorruptIndexException(path, 16, "it is file number " + b.getLong(16));
    }
    if (channel.size() < length(nodes)) {
      throw new CorruptIndexException(
          path, channel.size(), "the file ends too early: " + nodes + " slots were committed");
    }
  }

  private void read(FileChannel channel, ByteBuffer b, long at) throws IOException {
    while (b.hasRemaining()) {
      if (channel.read(b, at + b.position()) < 0) {
        throw new CorruptIndexException(path, channel.size(), "the file ends too early");
      }
    }
    b.flip();
  }

  /**
   * The pages of the first {@code nodes} slots: full ones mapped where the file system can, the
   * last one in memory, with room for more.
   *
   * @param spare bytes after each page that may be read
   */
  MemorySegment[] open(int nodes, int spare) throws IOException {
    int count = (int) ((nodes + (long) perPage - 1) / perPage);
    int full = nodes / perPage;
    MemorySegment[] pages = new MemorySegment[count];
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      check(channel, nodes);
      for (int p = map(channel, pages, full, spare) ? full : 0; p < count; p++) {
        MemorySegment memory = allocate(spare);
        int end = (int) Math.min(nodes, (p + 1L) * perPage);
        long bytes = (end - (long) p * perPage) * slot;
        for (long done = 0; done < bytes; ) {
          long part = Math.min(1 << 24, bytes - done);
          ByteBuffer b = memory.asSlice(done, part).asByteBuffer();
          read(channel, b, at((long) p * perPage) + done);
          done += part;
        }
        pages[p] = memory;
      }
    }
    return pages;
  }

  private MemorySegment allocate(int spare) {
    return Arena.ofAuto().allocate(perPage * slot + spare, VectorTable.ALIGNMENT);
  }

  /**
   * Maps the first {@code full} pages, from the first on that is not mapped yet.
   *
   * @return whether {@code pages} has changed; not when this file system can't map
   */
  boolean map(MemorySegment[] pages, int full, int spare) throws IOException {
    if (full <= mapped) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return map(channel, pages, full, spare);
    }
  }

  private boolean map(FileChannel channel, MemorySegment[] pages, int full, int spare)
      throws IOException {
    long bytes = perPage * slot;
    int most = (int) Math.max(1, MAPPING_BYTES / bytes);
    try {
      for (int p = mapped; p < full; ) {
        int end = Math.min(full, p + most);
        MemorySegment several =
            plain(
                channel.map(
                    FileChannel.MapMode.READ_ONLY,
                    at((long) p * perPage),
                    (end - p) * bytes + spare,
                    Arena.ofAuto()));
        for (int first = p; p < end; p++) {
          pages[p] = several.asSlice((p - first) * bytes, bytes + spare);
        }
      }
      mapped = full;
      return true;
    } catch (UnsupportedOperationException e) {
      return false; // a file system that can't: the pages stay in memory
    }
  }

  /**
   * The same memory as a segment of the class that allocated memory has. The kernels must see one
   * class only: with two, the compiler no longer inlines them, vectors go to the heap, and a search
   * takes seven times as long. A view of another element type is not known to be mapped.
   */
  private static MemorySegment plain(MemorySegment mapped) {
    return MemorySegment.ofBuffer(mapped.asByteBuffer().asFloatBuffer());
  }

  /** Bytes that the file has at least when so many slots are committed. */
  long length(int nodes) {
    return at(nodes) + CodeKernels.OVERREAD;
  }

  /** Looks at a slot; whether it is sound. */
  interface Check {
    boolean sound(int node, MemorySegment page, long at);
  }

  /** Checks the header, that all slots are there, and each slot, as the file has them. */
  void verify(int nodes, Check check, Progress progress) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      check(channel, nodes);
      MemorySegment memory = allocate(0);
      for (int from = 0, end; from < nodes; from = end) {
        end = (int) Math.min(nodes, (long) from + perPage);
        long bytes = (end - (long) from) * slot;
        for (long done = 0; done < bytes; ) {
          long part = Math.min(1 << 24, bytes - done);
          read(channel, memory.asSlice(done, part).asByteBuffer(), at(from) + done);
          done += part;
        }
        for (int node = from; node < end; node++) {
          if (!check.sound(node, memory, (node - from) * slot)) {
            throw new CorruptIndexException(
                path, at(node), "slot " + node + " does not have its checksum");
          }
        }
        progress.at(end, nodes);
      }
    }
  }
}
