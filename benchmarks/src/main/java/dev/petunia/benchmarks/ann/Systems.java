package dev.petunia.benchmarks.ann;

import dev.petunia.core.internal.Checks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The systems by name, and how to start each as a child process. */
final class Systems {
  static final String SCALAR = "petunia-scalar";
  static final String PETUNIA = "petunia";
  static final String HNSWLIB = "hnswlib";
  static final String LUCENE = "lucene";
  static final String JVECTOR = "jvector";

  /** The peers in the order in which they run. */
  static final List<String> PEERS = List.of(HNSWLIB, LUCENE, JVECTOR);

  /** Those that run on the JVM. */
  static final List<String> JVM = List.of(PETUNIA, LUCENE, JVECTOR);

  private Systems() {}

  /** A system that runs on the JVM. */
  static AnnSystem create(String name, Path folder) {
    return switch (name) {
      case PETUNIA -> new PetuniaSystem();
      case LUCENE -> new LuceneSystem(folder);
      case JVECTOR -> new JVectorSystem();
      default -> throw Checks.bad("system", name, String.join(", ", JVM));
    };
  }

  /**
   * Starts a system on the JVM in a child.
   *
   * @param work a folder that the caller deletes in the end
   * @param heap as in -Xmx
   * @param extra further JVM arguments
   */
  static SystemProcess start(String name, Path work, String heap, List<String> extra)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heap);
    command.add("--enable-native-access=ALL-UNNAMED");
    if (!name.equals(SCALAR)) {
      command.add("--add-modules=jdk.incubator.vector");
    }
    command.addAll(extra);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(SystemWorker.class.getName());
    command.add(name.equals(SCALAR) ? PETUNIA : name);
    Path folder = Files.createDirectories(work.resolve(name));
    command.add(folder.toString());
    return SystemProcess.start(name, command, work.resolve(name + ".err"));
  }
}
