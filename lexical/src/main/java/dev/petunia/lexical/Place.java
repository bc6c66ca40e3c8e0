package dev.petunia.lexical;

import dev.petunia.core.internal.Checks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Where an index is, and how messages name it.
 *
 * @param path the directory; a made-up name for memory
 */
record Place(Path path, Directory directory) {
  static Place memory() {
    return new Place(Path.of("(memory)"), new ByteBuffersDirectory());
  }

  static Place forWriting(Path path) {
    refuseFile(path);
    try {
      Files.createDirectories(path);
      if (!Files.isWritable(path)) {
        throw new AccessDeniedException(path.toString(), null, "not writable");
      }
      return new Place(path, FSDirectory.open(path));
    } catch (FileAlreadyExistsException e) {
      throw new IllegalArgumentException("directory " + path + " leads through a file", e);
    } catch (IOException e) {
      throw new UncheckedIOException("can't write to directory " + path, e);
    }
  }

  static Place forReading(Path path) {
    refuseFile(path);
    if (!Files.isDirectory(path)) {
      throw Checks.bad("directory", path, "a directory that exists");
    }
    try {
      return new Place(path, FSDirectory.open(path));
    } catch (IOException e) {
      throw new UncheckedIOException("can't read directory " + path, e);
    }
  }

  private static void refuseFile(Path path) {
    Checks.present("directory", path);
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw Checks.bad("directory", path, "a directory; this is a file");
    }
  }

  <T> T guard(String doing, Failures.IoCall<T> call) {
    return Failures.guard(path, doing, call);
  }

  void run(String doing, Failures.IoRun step) {
    guard(
        doing,
        () -> {
          step.run();
          return true;
        });
  }
}
