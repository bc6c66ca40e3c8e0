package dev.petunia.hnsw;

import dev.petunia.core.CorruptIndexException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** Reads what {@link SectionWriter} wrote; anything odd is a {@link CorruptIndexException}. */
final class SectionReader implements AutoCloseable {
  private final Path file;
  private final FileChannel channel;
  private final long length;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc = new CRC32C();
  private int summed;
  private long bufferAt;

  SectionReader(Path file) throws IOException {
    this(file, -1);
  }

  /**
   * @param end where to stop; −1 for the end of the file
   */
  SectionReader(Path file, long end) throws IOException {
    this.file = file;
    channel = FileChannel.open(file, StandardOpenOption.READ);
    length = end < 0 ? channel.size() : end;
    buffer.limit(0);
  }

  long length() {
    return length;
  }

  long position() {
    return bufferAt + buffer.position();
  }

  long remaining() {
    return length - position();
  }

  CorruptIndexException corrupt(long offset, String problem) {
    return new CorruptIndexException(file, offset, problem);
  }

  void require(boolean ok, String field, long value) {
    require(position(), ok, field, value);
  }

  void require(long offset, boolean ok, String field, long value) {
    if (!ok) {
      throw corrupt(offset, field + " is " + value + ", which can't be");
    }
  }

  private void sum() {
    crc.update(buffer.array(), summed, buffer.position() - summed);
    summed = buffer.position();
  }

  /** Makes sure that so many bytes are in the buffer. */
  private void need(int bytes) throws IOException {
    if (buffer.remaining() >= bytes) {
      return;
    }
    sum();
    bufferAt += buffer.position();
    buffer.compact();
    summed = 0;
    while (buffer.position() < bytes) {
      if (channel.read(buffer) < 0) {
        throw corrupt(channel.size(), "the file ends too early");
      }
    }
    buffer.flip();
  }

  short getShort() throws IOException {
    need(2);
    return buffer.getShort();
  }

  long getLong() throws IOException {
    need(8);
    return buffer.getLong();
  }

  byte getByte() throws IOException {
    need(1);
    return buffer.get();
  }

  int getInt() throws IOException {
    need(4);
    return buffer.getInt();
  }

  void floats(float[] into, int n) throws IOException {
    for (int at = 0; at < n; ) {
      need(4);
      int k = Math.min(buffer.remaining() / 4, n - at);
      buffer.asFloatBuffer().get(into, at, k);
      buffer.position(buffer.position() + 4 * k);
      at += k;
    }
  }

  byte[] bytes(int n) throws IOException {
    byte[] bytes = new byte[n];
    for (int at = 0; at < n; ) {
      need(1);
      int k = Math.min(buffer.remaining(), n - at);
      buffer.get(bytes, at, k);
      at += k;
    }
    return bytes;
  }

  /** The next n bytes as a buffer of their own, little-endian. */
  ByteBuffer buffer(int n) throws IOException {
    return ByteBuffer.wrap(bytes(n)).order(ByteOrder.LITTLE_ENDIAN);
  }

  void skip(long n) throws IOException {
    require(position(), n >= 0 && n <= remaining(), "length", n);
    for (long left = n; left > 0; ) {
      need(1);
      int k = (int) Math.min(buffer.remaining(), left);
      buffer.position(buffer.position() + k);
      left -= k;
    }
  }

  /** Compares the checksum of what was read since the last one. */
  void endSection(String name) throws IOException {
    sum();
    int computed = (int) crc.getValue();
    crc.reset();
    need(4);
    long at = position();
    int stored = buffer.getInt();
    summed = buffer.position();
    if (stored != computed) {
      throw corrupt(
          at,
          "the checksum of section "
              + name
              + " is "
              + Integer.toHexString(computed)
              + " instead of "
              + Integer.toHexString(stored));
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
