package dev.petunia.benchmarks.ann;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** Whole folders. */
public final class Folders {
  private Folders() {}

  /** Makes a folder, or deletes what is in it. */
  static void empty(Path folder) throws IOException {
    if (Files.exists(folder)) {
      delete(folder);
    }
    Files.createDirectories(folder);
  }

  /** Deletes a folder with all that is in it. */
  public static void delete(Path folder) throws IOException {
    try (var paths = Files.walk(folder)) {
      for (Path p : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(p);
      }
    }
  }

  /** Copies what is in a folder into another one, which is there and empty. */
  static void copy(Path from, Path to) throws IOException {
    try (var paths = Files.walk(from)) {
      for (Path p : paths.toList()) {
        if (!p.equals(from)) {
          Files.copy(p, to.resolve(from.relativize(p).toString()));
        }
      }
    }
  }

  /** Bytes of all files; 0 when the folder is not there. */
  public static long bytes(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return 0;
    }
    long sum = 0;
    try (var paths = Files.walk(folder)) {
      for (Path p : paths.toList()) {
        sum += Files.isRegularFile(p) ? Files.size(p) : 0;
      }
    }
    return sum;
  }
}
