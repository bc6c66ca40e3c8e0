package dev.petunia.benchmarks.rerank;

import dev.petunia.benchmarks.ann.Folders;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A model of random weights in a folder: {@code model.onnx} and {@code model.onnx_data}.
 *
 * @param folder named by shape, precision and seed
 * @param shape what it was made with
 * @param precision what it was made with
 */
record GeneratedModel(Path folder, ModelShape shape, Precision precision) {
  /** Raised whenever the same shape and seed would make another model. */
  private static final int VERSION = 1;

  private static final String GRAPH = "model.onnx";
  private static final String DATA = "model.onnx_data";

  Path graph() {
    return folder.resolve(GRAPH);
  }

  /** Bytes of both files. */
  long bytes() throws IOException {
    return Files.size(graph()) + Files.size(folder.resolve(DATA));
  }

  /**
   * The model of these parameters in the folder {@code cache}, made there if it isn't yet. It is
   * written under another name and moved when it is whole, so an interrupted run leaves nothing
   * that looks like a model.
   */
  static GeneratedModel in(Path cache, ModelShape shape, Precision precision, long seed)
      throws IOException {
    String name = "qwen3-v%d-%s-%s-s%d".formatted(VERSION, shape.label(), precision.label(), seed);
    GeneratedModel model = new GeneratedModel(cache.resolve(name), shape, precision);
    if (Files.isDirectory(model.folder)) {
      return model;
    }
    Files.createDirectories(cache);
    Path growing = Files.createTempDirectory(cache, "growing-");
    try {
      try (ExternalData data = new ExternalData(growing.resolve(DATA))) {
        Files.write(growing.resolve(GRAPH), QwenGraph.write(shape, precision, seed, data));
      }
      Files.move(growing, model.folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      if (!Files.isDirectory(model.folder)) {
        throw e;
      } // else another process was faster, and made the same
    } finally {
      if (Files.exists(growing)) {
        Folders.delete(growing);
      }
    }
    return model;
  }
}
