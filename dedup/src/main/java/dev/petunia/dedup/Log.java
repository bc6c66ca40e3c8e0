package dev.petunia.dedup;

import dev.petunia.core.CorruptIndexException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** The file of {@link Records}: a frame for each commit, i32 length, i32 CRC-32C, the records. */
final class Log {
  private Log() {}

  /** Writes a frame and forces the file; gives its length then. */
  static long append(Path file, long at, ByteBuffer frame) throws IOException {
    if (!frame.hasRemaining()) {
      return at;
    }
    long end = at + 8 + frame.remaining();
    CRC32C crc = new CRC32C();
    crc.update(frame.duplicate());
    ByteBuffer head = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(frame.remaining()).putInt((int) crc.getValue()).flip();
    try (FileChannel c = FileChannel.open(file, StandardOpenOption.WRITE)) {
      c.position(at);
      Files2.writeFully(c, head);
      Files2.writeFully(c, frame);
      c.force(true);
    }
    return end;
  }

  static void read(Path file, long committed, State state, Sets sets) throws IOException {
    try (FileChannel c = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer head = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      for (long at = 0; at < committed; ) {
        if (committed - at < 8) {
          throw new CorruptIndexException(file, at, "a frame of less than 8 bytes");
        }
        read(c, file, head.clear(), at);
        int length = head.getInt(0);
        if (length < 0 || length > committed - at - 8) {
          throw new CorruptIndexException(file, at, "a frame of " + length + " bytes");
        }
        ByteBuffer frame = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        read(c, file, frame, at + 8);
        CRC32C crc = new CRC32C();
        crc.update(frame.array());
        if (head.getInt(4) != (int) crc.getValue()) {
          throw new CorruptIndexException(file, at, "a frame fails its checksum");
        }
        Records.read(frame.flip(), state, sets, file, at + 8);
        at += 8 + length;
      }
    }
  }

  private static void read(FileChannel c, Path file, ByteBuffer b, long at) throws IOException {
    while (b.hasRemaining()) {
      if (c.read(b, at + b.position()) < 0) {
        throw new CorruptIndexException(file, at, "the file ended while it was read");
      }
    }
  }
}
