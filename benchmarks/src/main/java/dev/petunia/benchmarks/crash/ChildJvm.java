package dev.petunia.benchmarks.crash;

import dev.petunia.hnsw.Quantization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts children fast: the quick compiler only, a small heap, and an archive of the classes that a
 * child loads, which a first child that ends by itself leaves behind. Without the vector module:
 * the kernels have no part in what is tested, and it takes longer to start.
 */
final class ChildJvm {
  private static final int TRAINING_STEPS = 400;

  private final Path folder;
  private final Path archive;

  /**
   * @param folder for the archive and what the training leaves
   */
  ChildJvm(Path folder) {
    this.folder = folder;
    this.archive = folder.resolve("child.jsa");
  }

  /**
   * Makes the archive. There is none when the class path has folders in it, as in tests; children
   * start without it too, only later. A child that is broken shows it in its first lane.
   *
   * @return whether there is one
   */
  boolean train() throws IOException, InterruptedException {
    Process child =
        builder(
                List.of("-XX:ArchiveClassesAtExit=" + archive),
                folder.resolve("training"),
                Quantization.INT8,
                1,
                TRAINING_STEPS)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    child.waitFor();
    return Files.exists(archive);
  }

  /** Starts a child that works until it is killed. */
  Process start(Path directory, Quantization quantization, long seed, Path errors)
      throws IOException {
    List<String> flags =
        Files.exists(archive) ? List.of("-XX:SharedArchiveFile=" + archive) : List.of();
    return builder(flags, directory, quantization, seed, -1).redirectError(errors.toFile()).start();
  }

  private static ProcessBuilder builder(
      List<String> flags, Path directory, Quantization quantization, long seed, int steps) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    command.addAll(flags);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            CrashChild.class.getName(),
            directory.toString(),
            quantization.name(),
            String.valueOf(seed),
            String.valueOf(steps)));
    return new ProcessBuilder(command);
  }
}
