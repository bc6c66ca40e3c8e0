package dev.petunia.onnx;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main class of the tests in a JVM of its own. */
public final class ChildJvm {
  private static final int SECONDS = 120;

  private ChildJvm() {}

  /** What came of it. */
  public record Outcome(int exit, String out) {}

  /**
   * Runs with the test's class path and {@code home} as home and temporary directory. A child that
   * takes longer than two minutes is killed and fails the test.
   */
  public static Outcome run(Path home, Class<?> main, List<String> jvmArgs, String... args)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(home, "child", ".out");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Xmx512m");
    command.add("-XX:-CreateCoredumpOnCrash");
    command.add("-XX:ErrorFile=" + home.resolve("hs_err.log"));
    command.add("-Duser.home=" + home);
    command.add("-Djava.io.tmpdir=" + Files.createDirectories(home.resolve("tmp")));
    command.addAll(jvmArgs);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().put("HOME", home.toString());
    builder.environment().put("TMPDIR", home.resolve("tmp").toString());
    builder.environment().keySet().removeAll(List.of("OPT_OUT_TRACKING", "DJL_OFFLINE"));
    builder.environment().keySet().removeAll(List.of("ORT_DISABLE_TELEMETRY", "RUST_FLAVOR"));
    builder.environment().keySet().removeAll(List.of("XDG_CACHE_HOME", "DJL_CACHE_DIR"));
    Process process = builder.start();
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError("killed after " + SECONDS + " s: " + Files.readString(out));
    }
    return new Outcome(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
  }
}
