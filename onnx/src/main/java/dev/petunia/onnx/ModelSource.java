package dev.petunia.onnx;

import dev.petunia.core.internal.Checks;
import java.nio.file.Path;

/** Where a file of a model is: beside the application, or in a jar on its class path. */
public sealed interface ModelSource {

  /** A file. An ONNX graph with external data finds it beside the graph. */
  static ModelSource file(Path path) {
    return new File(path);
  }

  /**
   * A class-path resource. The thread's context class loader is asked first, then this library's.
   *
   * @param name as for {@link ClassLoader#getResource}: no leading slash
   * @param whenMissing what to do when it isn't there, as a sentence for the error message, such as
   *     the coordinates of the artifact that holds it
   */
  static ModelSource resource(String name, String whenMissing) {
    return new Resource(name, whenMissing);
  }

  /** A file. */
  record File(Path path) implements ModelSource {
    /** Checks. */
    public File {
      Checks.present("path", path);
    }

    @Override
    public String toString() {
      return "file " + path;
    }
  }

  /** A class-path resource. */
  record Resource(String name, String whenMissing) implements ModelSource {
    /** Checks. */
    public Resource {
      Checks.id("name", name);
      if (name.startsWith("/")) {
        throw Checks.bad("name", name, "a resource name without a leading slash");
      }
      Checks.present("whenMissing", whenMissing);
    }

    @Override
    public String toString() {
      return "class-path resource " + name;
    }
  }
}
