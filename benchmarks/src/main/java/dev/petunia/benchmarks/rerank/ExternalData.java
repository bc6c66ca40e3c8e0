package dev.petunia.benchmarks.rerank;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The file of weights beside a graph, written as a stream: little-endian, each tensor at a page.
 */
final class ExternalData implements AutoCloseable {
  /** ONNX Runtime maps tensors that start at a page instead of reading them. */
  private static final int PAGE = 4096;

  private final Path file;
  private final FileChannel channel;
  private final ByteBuffer buffer =
      ByteBuffer.allocateDirect(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
  private long written;

  ExternalData(Path file) throws IOException {
    this.file = file;
    this.channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  String name() {
    return file.getFileName().toString();
  }

  /** Goes to the next page, and says where that is. */
  long nextPage() throws IOException {
    while (position() % PAGE != 0) {
      put((byte) 0);
    }
    return position();
  }

  long position() {
    return written + buffer.position();
  }

  void put(byte value) throws IOException {
    room(Byte.BYTES);
    buffer.put(value);
  }

  void put(float value) throws IOException {
    room(Float.BYTES);
    buffer.putFloat(value);
  }

  private void room(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      flush();
    }
  }

  private void flush() throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      written += channel.write(buffer);
    }
    buffer.clear();
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      flush();
      channel.force(true);
    }
  }
}
