package dev.petunia.dedup;

import dev.petunia.core.CorruptIndexException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What counts of the files of an index. The file {@code commit}, little-endian:
 *
 * <pre>
 *  0  8  magic "PETUNIAD"
 *  8  4  format version, 2
 * 12  4  normalizer version      16  4  MinHash version
 * 20  4  bands                   24  4  rows
 * 28  8  length of log.pd        36  8  length of sets.pd
 * 44  8  next sequence number    52  8  version of the canonical map
 * 60  8  the caller's mark
 * 68  4  n, runs of band keys, then n × (i64 number, i32 first group, i32 groups)
 * ..  4  CRC-32C of all before
 * </pre>
 *
 * @param logLength bytes of log.pd that count
 * @param setsLength bytes of sets.pd that count
 * @param nextSequence the next sequence number
 * @param mapVersion of the canonical map
 * @param mark the caller's
 * @param runs of band keys: first group and number of groups
 * @param numbers of the runs' files
 */
record CommitFile(
    long logLength,
    long setsLength,
    long nextSequence,
    long mapVersion,
    long mark,
    List<int[]> runs,
    List<Long> numbers) {
  private static final long MAGIC = 0x4441_494E_5554_4550L;
  private static final int FORMAT = 2;
  private static final String NAME = "commit";

  /** Bytes of the file when it names no run. */
  private static final int EMPTY = 76;

  static Path file(Path directory) {
    return directory.resolve(NAME);
  }

  static boolean exists(Path directory) {
    return Files.exists(file(directory));
  }

  /** Reads and checks; the index must have these bands and rows. */
  static CommitFile read(Path directory, LshParameters lsh) throws IOException {
    Path file = file(directory);
    byte[] all = Files.readAllBytes(file);
    if (all.length < EMPTY) {
      throw new CorruptIndexException(
          file, -1, "has " + all.length + " bytes, at least " + EMPTY + " needed");
    }
    ByteBuffer b = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
    if (b.getLong(0) != MAGIC) {
      throw new CorruptIndexException(file, 0, "is not a commit of a dedup index");
    }
    CRC32C crc = new CRC32C();
    crc.update(all, 0, all.length - 4);
    if (b.getInt(all.length - 4) != (int) crc.getValue()) {
      throw new CorruptIndexException(file, all.length - 4, "fails its checksum");
    }
    b.position(8);
    require(file, "format version", b.getInt(), FORMAT);
    require(file, "normalizer version", b.getInt(), Normalizer.VERSION);
    require(file, "MinHash version", b.getInt(), MinHash.VERSION);
    require(file, "bands", b.getInt(), lsh.bands());
    require(file, "rows", b.getInt(), lsh.rows());
    long logLength = b.getLong();
    long setsLength = b.getLong();
    long nextSequence = b.getLong();
    long mapVersion = b.getLong();
    long mark = b.getLong();
    int n = b.getInt();
    if (n < 0 || all.length != EMPTY + 16L * n) {
      throw new CorruptIndexException(file, 68, "names " + n + " runs in " + all.length + " bytes");
    }
    List<int[]> runs = new ArrayList<>();
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      numbers.add(b.getLong());
      runs.add(new int[] {b.getInt(), b.getInt()});
    }
    return new CommitFile(logLength, setsLength, nextSequence, mapVersion, mark, runs, numbers);
  }

  private static void require(Path file, String what, int found, int wanted) {
    if (found != wanted) {
      throw new IllegalArgumentException(
          what
              + " of "
              + file
              + " is "
              + found
              + ", allowed: "
              + wanted
              + "; what was made with another can't be compared, so ingest the texts anew");
    }
  }

  private static Path temporary(Path directory) {
    return directory.resolve(NAME + ".tmp");
  }

  /** Writes under another name, and forces. */
  void write(Path directory, LshParameters lsh) throws IOException {
    ByteBuffer b = ByteBuffer.allocate(EMPTY + 16 * runs.size()).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(MAGIC).putInt(FORMAT).putInt(Normalizer.VERSION).putInt(MinHash.VERSION);
    b.putInt(lsh.bands()).putInt(lsh.rows()).putLong(logLength).putLong(setsLength);
    b.putLong(nextSequence).putLong(mapVersion).putLong(mark).putInt(runs.size());
    for (int i = 0; i < runs.size(); i++) {
      b.putLong(numbers.get(i)).putInt(runs.get(i)[0]).putInt(runs.get(i)[1]);
    }
    CRC32C crc = new CRC32C();
    crc.update(b.array(), 0, b.position());
    b.putInt((int) crc.getValue()).flip();
    try (FileChannel c =
        FileChannel.open(
            temporary(directory),
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      Files2.writeFully(c, b);
      c.force(true);
    }
  }

  /** Makes what was written the commit: the rename decides. */
  static void rename(Path directory) throws IOException {
    Files.move(
        temporary(directory),
        file(directory),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    Files2.uninterrupted(
        () -> {
          Files2.forceDirectory(directory);
          return directory;
        });
  }
}
