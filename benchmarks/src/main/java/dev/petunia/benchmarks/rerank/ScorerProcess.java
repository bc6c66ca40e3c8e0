package dev.petunia.benchmarks.rerank;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** This side of a {@link ScorerChild}. */
final class ScorerProcess implements AutoCloseable {
  private final ScorerKind kind;
  private final Process process;
  private final Path errors;
  private final BufferedReader answers;
  private final Writer commands;

  private ScorerProcess(ScorerKind kind, Process process, Path errors) {
    this.kind = kind;
    this.process = process;
    this.errors = errors;
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.commands =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts a process and waits until its model is loaded.
   *
   * @param work a folder for what it writes to standard error
   */
  static ScorerProcess start(ScorerKind kind, ScorerSetup setup, Path work) throws IOException {
    Path errors = Files.createTempFile(work, kind.name(), ".txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx512m",
            "-XX:MaxDirectMemorySize=3g", // logits of all positions of a batch
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            ScorerChild.class.getName(),
            kind.name()));
    command.addAll(setup.toArguments());
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.to(errors.toFile()))
            .start();
    ScorerProcess child = new ScorerProcess(kind, process, errors);
    try {
      child.answer("its start");
      return child;
    } catch (IOException e) {
      child.close();
      throw e;
    }
  }

  void texts(PairTexts texts, Path work) throws IOException {
    Path file = Files.createTempFile(work, "texts", ".txt");
    List<String> lines = new ArrayList<>();
    lines.add(texts.query());
    lines.addAll(texts.passages());
    Files.write(file, lines);
    ask("texts\t" + file);
  }

  /** Scores, and how long they took. */
  @SuppressWarnings("ArrayRecordComponent") // a carrier of results
  record Scored(double seconds, double[] logits) {}

  /** Scores some of the passages in one request. */
  Scored score(int from, int to) throws IOException {
    String[] f = ask("score\t" + from + "\t" + to);
    double[] logits = new double[f.length - 2];
    for (int i = 0; i < logits.length; i++) {
      logits[i] = Double.parseDouble(f[i + 2]);
    }
    return new Scored(Long.parseLong(f[1]) / 1e9, logits);
  }

  /**
   * What a request with a deadline took, how many passages it scored, and by how much a thread woke
   * late that only slept until then.
   */
  record Within(double seconds, int scored, double sleeperLate) {}

  /** Scores all passages by a deadline. */
  Within within(int millis) throws IOException {
    String[] f = ask("within\t" + millis);
    return new Within(
        Long.parseLong(f[1]) / 1e9, Integer.parseInt(f[2]), Long.parseLong(f[3]) / 1e9);
  }

  /** Most resident memory so far, in bytes; -1 when unknown. */
  long peak() throws IOException {
    return Long.parseLong(ask("peak")[1]);
  }

  private String[] ask(String command) throws IOException {
    try {
      commands.write(command + "\n");
      commands.flush();
    } catch (IOException e) {
      throw failed("is gone, at " + command);
    }
    return answer(command);
  }

  private String[] answer(String to) throws IOException {
    String line = answers.readLine();
    if (line == null || !(line + "\t").startsWith("ok\t")) {
      throw failed("answered " + line + " to " + to);
    }
    return line.split("\t", -1);
  }

  private IOException failed(String what) throws IOException {
    List<String> lines = Files.readAllLines(errors);
    List<String> last = lines.subList(Math.max(0, lines.size() - 15), lines.size());
    return new EOFException("process " + kind + ' ' + what + "\n  " + String.join("\n  ", last));
  }

  /** Ends it, and waits until it has ended: the next one needs its memory. */
  @Override
  public void close() {
    try {
      commands.close();
    } catch (IOException e) {
      // it is gone already, which is what was wanted
    }
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
