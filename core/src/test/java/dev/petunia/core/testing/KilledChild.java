package dev.petunia.core.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM that writes to a directory and says what it has done, a line each, until it is
 * killed. What it said goes through a file, which outlives the kill.
 */
public final class KilledChild {
  private final Process process;
  private final Path log;

  private KilledChild(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts {@code main} with this JVM's class path.
   *
   * @param log takes its standard output
   */
  public static KilledChild start(Class<?> main, Path log, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(log.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    return new KilledChild(process, log);
  }

  /** What it said so far, whole lines. */
  public List<String> said() throws IOException {
    String text = Files.exists(log) ? Files.readString(log) : "";
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  /**
   * Waits until it has said so many lines, and then for some microseconds, and kills it.
   *
   * @return all that it said
   * @throws AssertionError when it ends by itself
   */
  public List<String> killAfter(int lines, long micros) throws IOException, InterruptedException {
    try {
      while (said().size() < lines) {
        if (!process.isAlive()) {
          throw new AssertionError("the child ended by itself after saying " + said());
        }
        Thread.sleep(1);
      }
      TimeUnit.MICROSECONDS.sleep(micros);
    } finally {
      process.destroyForcibly().waitFor();
    }
    return said();
  }
}
