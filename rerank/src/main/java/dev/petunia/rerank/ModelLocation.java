package dev.petunia.rerank;

import dev.petunia.onnx.ModelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of a model.
 *
 * @param name for labels
 */
record ModelLocation(Path graph, Path tokenizer, String name) {
  /**
   * Finds them.
   *
   * @throws ModelException when one is missing, or there are several graphs to choose from
   */
  static ModelLocation find(CrossEncoderConfig config) {
    Path given = config.model().toAbsolutePath();
    Path graph = Files.isDirectory(given) ? graphIn(given) : given;
    if (!Files.isRegularFile(graph)) {
      throw new ModelException("no such file: " + graph, null);
    }
    Path tokenizer = config.tokenizer().map(Path::toAbsolutePath).orElseGet(() -> beside(graph));
    if (!Files.isRegularFile(tokenizer)) {
      throw new ModelException("no such file: " + tokenizer, null);
    }
    return new ModelLocation(graph, tokenizer, name(config));
  }

  /** What labels begin with, also before the files are found. */
  static String name(CrossEncoderConfig config) {
    Path file = config.model().toAbsolutePath().normalize().getFileName();
    String name = String.valueOf(file);
    return config
        .name()
        .orElse(name.endsWith(".onnx") ? name.substring(0, name.length() - 5) : name);
  }

  private static Path graphIn(Path directory) {
    List<Path> found = graphs(directory);
    if (found.isEmpty()) {
      found = graphs(directory.resolve("onnx"));
    }
    if (found.size() != 1) {
      throw new ModelException(
          found.isEmpty()
              ? "no .onnx file in " + directory + " or its folder onnx"
              : "several .onnx files, name one of them: " + found,
          null);
    }
    return found.getFirst();
  }

  private static List<Path> graphs(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(f -> f.toString().endsWith(".onnx")).sorted().toList();
    } catch (IOException e) {
      throw new ModelException("can't list " + directory + ": " + e, e);
    }
  }

  private static Path beside(Path graph) {
    Path folder = graph.getParent();
    for (Path f : Arrays.asList(folder, parent(folder))) {
      if (f != null && Files.isRegularFile(f.resolve("tokenizer.json"))) {
        return f.resolve("tokenizer.json");
      }
    }
    throw new ModelException("no tokenizer.json beside " + graph + " or one folder up", null);
  }

  private static @Nullable Path parent(@Nullable Path p) {
    return p == null ? null : p.getParent();
  }
}
