package dev.petunia.hnsw;

import dev.petunia.core.IndexLockedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/** What tests run in a process of its own: to kill it, or to contend with it. */
final class StoreChild {
  private StoreChild() {}

  /** Starts {@link #main} in another JVM, with this one's class path. */
  static Process start(String task, Path directory, Quantization kind) throws IOException {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // short-lived: no time for the better compiler
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                StoreChild.class.getName(),
                task,
                directory.toString(),
                kind.name()))
        .redirectError(ProcessBuilder.Redirect.DISCARD) // it says that it has no vector module
        .start();
  }

  static BufferedReader output(Process process) {
    return process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * {@code commit}: changes, and commits or compacts, until it is killed; {@code hold}: opens and
   * waits.
   */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[1]);
    HnswIndex index;
    try {
      index = HnswIndex.open(directory, Contents.config(Quantization.valueOf(arguments[2])));
    } catch (IndexLockedException e) {
      System.out.println("locked");
      return;
    }
    if (arguments[0].equals("hold")) {
      System.out.println("open");
      while (System.in.read() >= 0) {
        // until the parent closes the pipe, or ends
      }
      return;
    }
    System.out.println("open " + index.generation() + " " + Contents.fingerprint(index));
    SplittableRandom random = new SplittableRandom(System.nanoTime());
    int compactOneOf = random.nextBoolean() ? 3 : 100; // often, or so seldom that files grow
    while (true) {
      for (int i = random.nextInt(4); i >= 0; i--) {
        Contents.change(index, random.nextLong());
      }
      System.out.println("begin " + (index.generation() + 1) + " " + Contents.fingerprint(index));
      if (random.nextInt(compactOneOf) == 0) {
        index.compact();
      } else {
        index.commit();
      }
      System.out.println("done " + index.generation());
    }
  }
}
