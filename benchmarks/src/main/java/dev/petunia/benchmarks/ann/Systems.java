package dev.petunia.benchmarks.ann;

import dev.petunia.core.internal.Checks;
import dev.petunia.hnsw.Quantization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.util.quantization.QuantizedByteVectorValues.ScalarEncoding;

/** The systems by name, and how to start each as a child process. */
final class Systems {
  static final String PETUNIA = "petunia";
  static final String INT8 = "petunia-int8";
  static final String BITS2 = "petunia-2bit";
  static final String BIT1 = "petunia-1bit";
  static final String SCALAR = "petunia-scalar";
  static final String HNSWLIB = "hnswlib";
  static final String LUCENE = "lucene";
  static final String LUCENE_INT8 = "lucene-int8";
  static final String LUCENE_1BIT = "lucene-1bit";
  static final String JVECTOR = "jvector";
  static final String JVECTOR_PQ = "jvector-pq";
  static final String JVECTOR_BQ = "jvector-bq";

  /** This index's configurations: how {@code --petunia} names each, and its name as a system. */
  static final Map<String, String> VARIANTS = variants();

  /** The peers in the order in which they run. */
  static final List<String> PEERS =
      List.of(HNSWLIB, LUCENE, LUCENE_INT8, LUCENE_1BIT, JVECTOR, JVECTOR_PQ, JVECTOR_BQ);

  /** All that build an index of their own. */
  static final List<String> ALL =
      Stream.concat(VARIANTS.values().stream(), PEERS.stream()).toList();

  /**
   * The peers that run when none are named. Binary codes of JVector are left to those who ask: they
   * keep the signs only, which is made for more components than the sets have.
   */
  static final List<String> USUAL_PEERS =
      List.of(HNSWLIB, LUCENE, LUCENE_INT8, LUCENE_1BIT, JVECTOR, JVECTOR_PQ);

  private Systems() {}

  private static Map<String, String> variants() {
    Map<String, String> names = new LinkedHashMap<>();
    names.put("float", PETUNIA);
    names.put("int8", INT8);
    names.put("2bit", BITS2);
    names.put("1bit", BIT1);
    return names;
  }

  /** Whether the system is this index, in whichever configuration. */
  static boolean isPetunia(String name) {
    return name.equals(SCALAR) || VARIANTS.containsValue(name);
  }

  /**
   * The system whose built index another one takes over instead of building the same again: the
   * scalar twin differs in its kernels only, and JVector's codes are searched on the graph of the
   * float vectors.
   */
  static Optional<String> sharedIndex(String name) {
    return switch (name) {
      case SCALAR -> Optional.of(PETUNIA);
      case JVECTOR_PQ, JVECTOR_BQ -> Optional.of(JVECTOR);
      default -> Optional.empty();
    };
  }

  /** A system that runs on the JVM. */
  static AnnSystem create(String name, Path folder) {
    return switch (name) {
      case PETUNIA, SCALAR -> new PetuniaSystem(Quantization.NONE, folder);
      case INT8 -> new PetuniaSystem(Quantization.INT8, folder);
      case BITS2 -> new PetuniaSystem(Quantization.BITS2, folder);
      case BIT1 -> new PetuniaSystem(Quantization.BIT1, folder);
      case LUCENE -> new LuceneSystem(LuceneCodes.FLOAT, folder);
      case LUCENE_INT8 ->
          new LuceneSystem(new LuceneCodes(Optional.of(ScalarEncoding.UNSIGNED_BYTE), 3), folder);
      case LUCENE_1BIT ->
          new LuceneSystem(
              new LuceneCodes(Optional.of(ScalarEncoding.SINGLE_BIT_QUERY_NIBBLE), LuceneCodes.ALL),
              folder);
      case JVECTOR -> new JVectorSystem(JVectorSystem.Codes.NONE);
      case JVECTOR_PQ -> new JVectorSystem(JVectorSystem.Codes.PQ);
      case JVECTOR_BQ -> new JVectorSystem(JVectorSystem.Codes.BQ);
      default ->
          throw Checks.bad(
              "system", name, "a system on the JVM, such as " + PETUNIA + ", " + LUCENE);
    };
  }

  /**
   * Starts a system on the JVM in a child.
   *
   * @param folder for its files; what it says goes to a file of that name and ".err" beside it
   * @param heap as in -Xmx
   * @param extra further JVM arguments
   */
  static SystemProcess start(String name, Path folder, String heap, List<String> extra)
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
    command.add(name);
    command.add(Files.createDirectories(folder).toString());
    return SystemProcess.start(name, command, folder.resolveSibling(folder.getFileName() + ".err"));
  }
}
