package dev.petunia.benchmarks.ann;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Compiles the C++ driver when a compiler and hnswlib's headers are there. */
final class HnswlibCompiler {
  private static final String SOURCE = "/cpp/hnswlib_driver.cpp";

  /** What the peers' own benchmarks use; NDEBUG drops assertions. */
  private static final List<String> FLAGS =
      List.of("-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-pthread");

  private HnswlibCompiler() {}

  /** The program, or why there is none. */
  record Result(Optional<Path> program, String reason) {}

  /** Compiles into a folder. */
  static Result compile(Path folder) throws IOException, InterruptedException {
    if (run(folder, "#include <vector>\n").isPresent()) {
      return missing("no working g++ with C++17 found", "g++");
    }
    if (run(folder, "#include <hnswlib/hnswlib.h>\n").isPresent()) {
      return missing("the header hnswlib/hnswlib.h was not found", "libhnswlib-dev");
    }
    Path source = folder.resolve("hnswlib_driver.cpp");
    try (InputStream in = HnswlibCompiler.class.getResourceAsStream(SOURCE)) {
      if (in == null) {
        throw new IllegalStateException("resource " + SOURCE + " is missing in the jar");
      }
      Files.write(source, in.readAllBytes());
    }
    Path program = folder.resolve("hnswlib_driver");
    Optional<String> error = compile(source, List.of("-o", program.toString()));
    return error.isPresent()
        ? new Result(Optional.empty(), "the driver does not compile:\n" + error.get())
        : new Result(Optional.of(program), String.join(" ", FLAGS));
  }

  private static Result missing(String what, String pack) {
    return new Result(Optional.empty(), what + " (on Debian: apt-get install " + pack + ")");
  }

  private static Optional<String> run(Path folder, String text)
      throws IOException, InterruptedException {
    Path probe = folder.resolve("probe.cpp");
    Files.writeString(probe, text);
    return compile(probe, List.of("-fsyntax-only"));
  }

  /** The compiler's messages when it failed. */
  private static Optional<String> compile(Path source, List<String> what)
      throws IOException, InterruptedException {
    List<String> command = new java.util.ArrayList<>(List.of("g++"));
    command.addAll(FLAGS);
    command.addAll(what);
    command.add(source.toString());
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage())); // no g++ on the path
    }
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? Optional.empty() : Optional.of(out);
  }
}
