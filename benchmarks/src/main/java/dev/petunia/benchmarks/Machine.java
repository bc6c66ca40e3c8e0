package dev.petunia.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where and when figures were measured.
 *
 * @param commit short hash of the checked-out commit, with "-dirty" when files differ from it;
 *     "unknown" without git
 * @param machine processor, its count, memory, system
 * @param jdk vendor and version of the running JDK
 * @param date now, UTC, ISO 8601
 */
public record Machine(String commit, String machine, String jdk, String date) {
  private static final Pattern MODEL = Pattern.compile("model name\\s*:\\s*(.+)");
  private static final Pattern MEMORY = Pattern.compile("MemTotal:\\s*(\\d+) kB");

  /** The facts of this machine, now. */
  public static Machine here() {
    Runtime.Version v = Runtime.version();
    return new Machine(
        describe(),
        processor()
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " processors"
            + first(Path.of("/proc/meminfo"), MEMORY)
                .map(kb -> String.format(Locale.ROOT, ", %.1f GiB", Long.parseLong(kb) / 1048576.0))
                .orElse("")
            + ", "
            + System.getProperty("os.name")
            + " "
            + System.getProperty("os.version"),
        System.getProperty("java.vendor") + " " + v,
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
  }

  private static String processor() {
    String arch = System.getProperty("os.arch", "unknown processor");
    return first(Path.of("/proc/cpuinfo"), MODEL).map(m -> m + " (" + arch + ")").orElse(arch);
  }

  private static java.util.Optional<String> first(Path file, Pattern pattern) {
    try {
      Matcher m = pattern.matcher(Files.readString(file));
      return m.find() ? java.util.Optional.of(m.group(1).strip()) : java.util.Optional.empty();
    } catch (IOException e) {
      return java.util.Optional.empty(); // not Linux: the architecture has to do
    }
  }

  private static String describe() {
    // benchmarks/run sets the folder of the project; the working directory may be any
    String folder = System.getProperty("petunia.project", ".");
    try {
      Process git =
          new ProcessBuilder("git", "-C", folder, "describe", "--always", "--dirty", "--exclude=*")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      git.getOutputStream().close();
      String out = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return git.waitFor(10, TimeUnit.SECONDS) && git.exitValue() == 0 && !out.isEmpty()
          ? out
          : "unknown";
    } catch (IOException e) {
      return "unknown"; // no git here
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "unknown";
    }
  }
}
