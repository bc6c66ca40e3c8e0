package dev.petunia.onnx.internal;

import dev.petunia.onnx.ModelException;
import dev.petunia.onnx.ModelSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the files of models. */
final class ModelFiles {
  private ModelFiles() {}

  /**
   * All bytes.
   *
   * @throws ModelException when there is nothing, or it can't be read
   */
  static byte[] read(ModelSource source) {
    try {
      return switch (source) {
        case ModelSource.File file -> Files.readAllBytes(existing(file));
        case ModelSource.Resource resource -> read(resource);
      };
    } catch (IOException e) {
      throw new ModelException("can't read " + source + ": " + e, e);
    }
  }

  /**
   * The path of a file that is there.
   *
   * @throws ModelException when it isn't, or is no file
   */
  static Path existing(ModelSource.File source) {
    Path path = source.path();
    if (!Files.isRegularFile(path)) {
      throw new ModelException(
          (Files.exists(path) ? "not a file: " : "no such file: ") + path.toAbsolutePath(), null);
    }
    return path;
  }

  private static byte[] read(ModelSource.Resource resource) throws IOException {
    try (InputStream in = open(resource.name())) {
      if (in == null) {
        throw new ModelException(resource + " is missing. " + resource.whenMissing(), null);
      }
      return in.readAllBytes();
    }
  }

  private static @Nullable InputStream open(String name) {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    InputStream in = context == null ? null : context.getResourceAsStream(name);
    if (in != null) {
      return in;
    }
    ClassLoader own = ModelFiles.class.getClassLoader();
    return own == null
        ? ClassLoader.getSystemResourceAsStream(name)
        : own.getResourceAsStream(name);
  }
}
