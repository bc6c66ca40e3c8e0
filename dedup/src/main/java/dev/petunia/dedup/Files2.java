package dev.petunia.dedup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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
