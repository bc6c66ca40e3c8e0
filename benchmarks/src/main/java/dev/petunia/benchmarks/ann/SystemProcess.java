package dev.petunia.benchmarks.ann;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** This side of a child process that speaks the protocol of hnswlib_driver.cpp. */
final class SystemProcess implements AutoCloseable {
  private static final int LAST_LINES = 20;

  private final String name;
  private final Process process;
  private final OutputStream commands;
  private final InputStream answers;
  private final Path errors;
  private int queries;

  private SystemProcess(String name, Process process, Path errors) {
    this.name = name;
    this.process = process;
    this.errors = errors;
    this.commands = process.getOutputStream();
    this.answers = new BufferedInputStream(process.getInputStream(), 1 << 16);
  }

  /**
   * Starts a child.
   *
   * @param errors the file that gets its standard error
   */
  static SystemProcess start(String name, List<String> command, Path errors) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.to(errors.toFile()))
            .start();
    return new SystemProcess(name, process, errors);
  }

  String name() {
    return name;
  }

  /** What runs there. */
  String info() throws IOException {
    return ask("info")[1];
  }

  void load(Path base, int n, int dimension, Path queryFile, int queryCount) throws IOException {
    ask("load\t" + base + "\t" + n + "\t" + dimension + "\t" + queryFile + "\t" + queryCount);
    queries = queryCount;
  }

  /** Seconds that passed, and seconds of processor time of all threads. */
  record Build(double seconds, double cpuSeconds) {
    /** One after the other. */
    Build plus(Build other) {
      return new Build(seconds + other.seconds, cpuSeconds + other.cpuSeconds);
    }
  }

  /** Builds a new index. */
  Build build(int m, int efConstruction, int threads) throws IOException {
    String[] f = ask("build\t" + m + "\t" + efConstruction + "\t" + threads);
    return new Build(Double.parseDouble(f[1]), Double.parseDouble(f[2]));
  }

  /** Writes the built index into a folder, for {@link #restore} in another child. */
  void save(Path folder) throws IOException {
    ask("save\t" + Files.createDirectories(folder));
  }

  /** Takes over a saved index instead of building one; the same rows must be loaded. */
  Build restore(Path folder, int m, int efConstruction, int threads) throws IOException {
    String[] f = ask("restore\t" + folder + "\t" + m + "\t" + efConstruction + "\t" + threads);
    return new Build(Double.parseDouble(f[1]), Double.parseDouble(f[2]));
  }

  /** How many rows come first when they are asked for themselves, with the default ef. */
  int self(int k, int threads) throws IOException {
    return Integer.parseInt(ask("self\t" + k + "\t" + threads)[1]);
  }

  /**
   * What the process uses.
   *
   * @param heap bytes after a collection; −1 of a process without one
   * @param resident bytes
   */
  record Used(long heap, long resident) {}

  /** What the process uses now. */
  Used used() throws IOException {
    String[] f = ask("used");
    return new Used(Long.parseLong(f[1]), Long.parseLong(f[2]));
  }

  /** What the index says it takes; only of Petunia. */
  Footprint footprint() throws IOException {
    String[] f = ask("footprint");
    return new Footprint(
        Long.parseLong(f[1]), Long.parseLong(f[2]), Long.parseLong(f[3]), Long.parseLong(f[4]));
  }

  /** Nanoseconds of each of the first queries. */
  long[] first(int ef, int k, int count) throws IOException {
    String[] f = ask("first\t" + ef + "\t" + k + "\t" + count);
    return Arrays.stream(f).skip(1).mapToLong(Long::parseLong).toArray();
  }

  /** Queries by the time that passed and by the searching thread's processor time. */
  record Round(double qps, double cpuQps, Answers answers) {}

  /** Whole passes over all queries, one thread, until {@code minMillis} are over. */
  Round search(int ef, int k, int minMillis) throws IOException {
    return round(ask("search\t" + ef + "\t" + k + "\t" + minMillis), queries, k);
  }

  /** Takes filters for the first queries. */
  void filters(Path file) throws IOException {
    ask("filters\t" + file);
  }

  /** As {@link #search}, over the first queries, among the rows that pass their filters. */
  Round filtered(AnnSystem.Form form, int ef, int k, int minMillis, int count) throws IOException {
    String command = "filtered\t" + form + "\t" + ef + "\t" + k + "\t" + minMillis + "\t" + count;
    return round(ask(command), count, k);
  }

  /** Deletes the rows that a file names. */
  Build delete(Path file) throws IOException {
    String[] f = ask("delete\t" + file);
    return new Build(Double.parseDouble(f[1]), Double.parseDouble(f[2]));
  }

  /** A round, and changes a second beside it. */
  record Mixed(Round round, double writesPerSecond) {}

  /** As {@link #search}, beside a thread that deletes rows of a file and puts them back. */
  Mixed mixed(int ef, int k, int minMillis, Path file) throws IOException {
    String[] f = ask("mixed\t" + ef + "\t" + k + "\t" + minMillis + "\t" + file);
    Round round = round(f, queries, k);
    return new Mixed(round, Double.parseDouble(f[4]) * 1e9 / Double.parseDouble(f[5]));
  }

  private Round round(String[] f, int count, int k) throws IOException {
    int length = count * k * (Integer.BYTES + Float.BYTES);
    byte[] bytes = answers.readNBytes(length);
    if (bytes.length < length) {
      throw failed("ended within an answer");
    }
    ByteBuffer payload = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int[] rows = new int[count * k];
    float[] distances = new float[count * k];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = payload.getInt();
      distances[i] = payload.getFloat();
    }
    double run = Double.parseDouble(f[3]) * 1e9;
    return new Round(
        run / Double.parseDouble(f[1]),
        run / Double.parseDouble(f[2]),
        new Answers(k, rows, distances));
  }

  /** Distances that one search computes, on average; only of Petunia. */
  double work(int ef, int k) throws IOException {
    return Double.parseDouble(ask("work\t" + ef + "\t" + k)[1]);
  }

  /** Allocation per query; only of systems on the JVM. */
  Allocation allocation(int ef, int k) throws IOException {
    String[] f = ask("alloc\t" + ef + "\t" + k);
    return new Allocation(Double.parseDouble(f[1]), Double.parseDouble(f[2]));
  }

  private String[] ask(String command) throws IOException {
    try {
      commands.write((command + "\n").getBytes(StandardCharsets.UTF_8));
      commands.flush();
    } catch (IOException e) {
      throw failed("is gone, at: " + command);
    }
    String[] fields = readLine().split("\t", -1);
    if (!fields[0].equals("ok")) {
      throw failed("answered \"" + String.join(" ", fields) + "\" to: " + command);
    }
    return fields;
  }

  private String readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = answers.read(); b != '\n'; b = answers.read()) {
      if (b < 0) {
        throw failed("ended without an answer");
      }
      line.write(b);
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  private IOException failed(String what) throws IOException {
    List<String> lines =
        Files.exists(errors) ? Files.readAllLines(errors, StandardCharsets.UTF_8) : List.of();
    String tail =
        String.join("\n  ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    return new EOFException(name + " " + what + status() + "\n  " + tail);
  }

  private String status() {
    try {
      return process.waitFor(1, TimeUnit.SECONDS) ? " (exit code " + process.exitValue() + ")" : "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  @Override
  public void close() {
    try {
      commands.write("quit\n".getBytes(StandardCharsets.UTF_8));
      commands.close();
    } catch (IOException e) {
      // it is gone already, which is what was wanted
    }
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
