package dev.petunia.dedup;

import dev.petunia.core.CorruptIndexException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A sorted run of band keys, mapped. Immutable. Little-endian:
 *
 * <pre>
 *  0  8  magic "PETUNIAB"
 *  8  4  format version, 1
 * 12  4  normalizer version
 * 16  4  MinHash version
 * 20  4  bands b
 * 24  4  rows
 * 28  4  number of the first group
 * 32  4  groups n
 * 36  4  CRC-32C of bytes 0 to 35
 * 40  8·n·b  for each band n entries key &lt;&lt; 32 | group, ascending as unsigned numbers
 * ..  4  CRC-32C of the entries
 * </pre>
 *
 * <p>8·b bytes a group, 144 with 18 bands. A key is found by interpolation, since keys are evenly
 * spread, then by doubling steps and halving.
 */
final class BandRun {
  private static final long MAGIC = 0x4241_494E_5554_4550L;
  private static final int FORMAT = 1;
  private static final int HEADER = 40;
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Path file;
  private final MemorySegment map;
  private final int first;
  private final int size;

  private BandRun(Path file, MemorySegment map, int first, int size) {
    this.file = file;
    this.map = map;
    this.first = first;
    this.size = size;
  }

  int first() {
    return first;
  }

  int size() {
    return size;
  }

  Path file() {
    return file;
  }

  long bytes() {
    return map.byteSize();
  }

  /** Writes a run and forces it to disk. */
  static void write(Path file, LshParameters p, int first, int size, Bands source)
      throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer head = header(p, first, size);
      Files2.writeFully(channel, head);
      CRC32C crc = new CRC32C();
      ByteBuffer b = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
      for (int band = 0; band < p.bands(); band++) {
        for (long entry : source.sorted(band)) {
          if (b.remaining() < 8) {
            drain(b, channel, crc);
          }
          b.putLong(entry);
        }
      }
      drain(b, channel, crc);
      b.putInt((int) crc.getValue()).flip();
      Files2.writeFully(channel, b);
      channel.force(true);
    }
  }

  private static void drain(ByteBuffer b, FileChannel channel, CRC32C crc) throws IOException {
    b.flip();
    crc.update(b.duplicate());
    Files2.writeFully(channel, b);
    b.clear();
  }

  private static ByteBuffer header(LshParameters p, int first, int size) {
    ByteBuffer b = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(MAGIC).putInt(FORMAT).putInt(Normalizer.VERSION).putInt(MinHash.VERSION);
    b.putInt(p.bands()).putInt(p.rows()).putInt(first).putInt(size);
    CRC32C crc = new CRC32C();
    crc.update(b.array(), 0, b.position());
    b.putInt((int) crc.getValue());
    return b.flip();
  }

  /** Maps a run; its header is checked, its entries by {@link #verify}. */
  static BandRun open(Path file, LshParameters p, int first, int size, Arena arena)
      throws IOException {
    long length = HEADER + 8L * size * p.bands() + 4;
    Files2.requireLength(file, length);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() != length) {
        throw new CorruptIndexException(
            file, -1, "has " + channel.size() + " bytes, must have " + length);
      }
      MemorySegment map = channel.map(FileChannel.MapMode.READ_ONLY, 0, length, arena);
      byte[] head = map.asSlice(0, HEADER).toArray(ValueLayout.JAVA_BYTE);
      int at = Arrays.mismatch(head, header(p, first, size).array());
      if (at >= 0) {
        throw new CorruptIndexException(file, at, "the header is not what the commit says");
      }
      return new BandRun(file, map, first, size);
    }
  }

  void verify() {
    CRC32C crc = new CRC32C();
    long end = map.byteSize() - 4;
    for (long at = HEADER; at < end; ) {
      long n = Math.min(1 << 20, end - at);
      crc.update(map.asSlice(at, n).asByteBuffer());
      at += n;
    }
    int stored = map.get(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), end);
    if (stored != (int) crc.getValue()) {
      throw new CorruptIndexException(file, HEADER, "the band keys fail their checksum");
    }
  }

  private long entry(int band, int i) {
    return map.get(LONG, HEADER + 8L * ((long) band * size + i));
  }

  /** As {@link BandTable#collect}. */
  int collect(int band, int key, int[] out, int at) {
    long from = (long) key << 32;
    for (int i = lowerBound(band, from); i < size && at < out.length; i++) {
      long e = entry(band, i);
      if ((int) (e >>> 32) != key) {
        break;
      }
      out[at++] = (int) e;
    }
    return at;
  }

  /** The first place whose entry is not below {@code wanted}, unsigned. */
  private int lowerBound(int band, long wanted) {
    int guess = (int) (((wanted >>> 32) * size) >>> 32);
    int low;
    int high;
    int step = 8;
    if (guess < size && Long.compareUnsigned(entry(band, guess), wanted) < 0) {
      low = guess + 1;
      high = Math.min(size, low + step);
      while (high < size && Long.compareUnsigned(entry(band, high), wanted) < 0) {
        low = high + 1;
        step *= 2;
        high = (int) Math.min(size, (long) low + step);
      }
    } else {
      high = guess;
      low = Math.max(0, high - step);
      while (low > 0 && Long.compareUnsigned(entry(band, low), wanted) >= 0) {
        high = low;
        step *= 2;
        low = Math.max(0, high - step);
      }
    }
    while (low < high) {
      int mid = (low + high) >>> 1;
      if (Long.compareUnsigned(entry(band, mid), wanted) < 0) {
        low = mid + 1;
      } else {
        high = mid;
      }
    }
    return low;
  }

  /** All entries of adjacent runs and the newest ones, merged. */
  static long[] merged(List<BandRun> runs, int band, long[] newest) {
    long[] out = newest;
    for (int r = runs.size() - 1; r >= 0; r--) { // from the small to the large
      BandRun run = runs.get(r);
      long[] more = new long[out.length + run.size];
      int i = 0;
      int j = 0;
      for (int k = 0; k < more.length; k++) {
        boolean mine =
            j == out.length
                || (i < run.size && Long.compareUnsigned(run.entry(band, i), out[j]) < 0);
        more[k] = mine ? run.entry(band, i++) : out[j++];
      }
      out = more;
    }
    return out;
  }

  /** Entries of a band in unsigned order. */
  interface Bands {
    long[] sorted(int band);
  }
}
