package dev.petunia.dedup;

import dev.petunia.core.CorruptIndexException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What {@link java.nio.file.Files} lacks. */
final class Files2 {
  private Files2() {}

  static void writeFully(FileChannel channel, ByteBuffer b) throws IOException {
    while (b.hasRemaining()) {
      channel.write(b);
    }
  }

  /** Work with files that may be done again from its beginning. */
  interface Work<T> {
    T run() throws IOException;
  }

  /**
   * An interrupt closes the channel that the thread writes or maps. This does the work again then,
   * and hands the interrupt on when it is done: half a commit is of no use to who interrupted.
   */
  static <T> T uninterrupted(Work<T> work) throws IOException {
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          isInterrupted |= Thread.interrupted();
          return work.run();
        } catch (ClosedByInterruptException e) {
          isInterrupted = true;
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A committed file's length, which must be enough for what was committed. */
  static long requireLength(Path file, long length) throws IOException {
    if (!Files.exists(file)) {
      throw new CorruptIndexException(
          file, -1, "is missing, but " + length + " bytes were committed");
    }
    long size = Files.size(file);
    if (size < length) {
      throw new CorruptIndexException(
          file, size, "ends here, but " + length + " bytes were committed");
    }
    return size;
  }

  /** Forces a directory's names to disk, where the system can do that. */
  static void forceDirectory(Path directory) throws IOException {
    if (System.getProperty("os.name", "").startsWith("Windows")) {
      return; // can't open directories; names are forced with the files
    }
    try (FileChannel c = FileChannel.open(directory, StandardOpenOption.READ)) {
      c.force(true);
    }
  }
}
