package dev.petunia.hnsw;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** Writes sections, each followed by its CRC-32C, little-endian, through one buffer. */
final class SectionWriter implements AutoCloseable {
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc = new CRC32C();
  private int summed;

  private long position;

  /** Writes a file from a place on; what it has beyond is written over. */
  SectionWriter(Path file, long from) throws IOException {
    channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    position = from;
  }

  /** Where the next byte goes. */
  long position() {
    return position + buffer.position();
  }

  private void room(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      drain();
    }
  }

  private void sum() {
    crc.update(buffer.array(), summed, buffer.position() - summed);
    summed = buffer.position();
  }

  private void drain() throws IOException {
    sum();
    buffer.flip();
    while (buffer.hasRemaining()) {
      position += channel.write(buffer, position);
    }
    buffer.clear();
    summed = 0;
  }

  void putByte(byte value) throws IOException {
    room(1);
    buffer.put(value);
  }

  void putShort(short value) throws IOException {
    room(2);
    buffer.putShort(value);
  }

  void putInt(int value) throws IOException {
    room(4);
    buffer.putInt(value);
  }

  void putLong(long value) throws IOException {
    room(8);
    buffer.putLong(value);
  }

  void putFloats(float[] values, int from, int n) throws IOException {
    for (int at = 0; at < n; ) {
      room(4);
      int k = Math.min(buffer.remaining() / 4, n - at);
      buffer.asFloatBuffer().put(values, from + at, k);
      buffer.position(buffer.position() + 4 * k);
      at += k;
    }
  }

  void putBytes(byte[] bytes) throws IOException {
    for (int at = 0; at < bytes.length; ) {
      room(1);
      int n = Math.min(buffer.remaining(), bytes.length - at);
      buffer.put(bytes, at, n);
      at += n;
    }
  }

  /** Writes the checksum of what was put since the last one. */
  void endSection() throws IOException {
    sum();
    int value = (int) crc.getValue();
    crc.reset();
    room(4);
    buffer.putInt(value);
    summed = buffer.position(); // the checksum itself is in no section
  }

  /** Writes everything and forces it to disk. */
  void force() throws IOException {
    drain();
    channel.force(true);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
