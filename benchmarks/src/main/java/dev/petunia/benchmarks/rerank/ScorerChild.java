package dev.petunia.benchmarks.rerank;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process of one way to score: commands on standard input, answers on standard output, a line
 * each, fields separated by tabs.
 *
 * <pre>{@code
 * texts FILE      query in the first line, a passage in each other  -> ok
 * score FROM TO   -> ok NANOSECONDS LOGIT LOGIT ...
 * within MS       -> ok NANOSECONDS SCORED LATE   all passages by a deadline; of PETUNIA only. LATE is
 *                    by how many nanoseconds a thread woke late that only slept until the deadline
 * peak            -> ok BYTES   most resident memory so far; -1 where the system doesn't tell it
 * }</pre>
 */
final class ScorerChild {
  private static final Pattern PEAK = Pattern.compile("VmHWM:\\s*(\\d+) kB");

  private final PairScorer scorer;
  private final PrintStream out;
  private String query = "";
  private List<String> passages = List.of();

  private ScorerChild(PairScorer scorer, PrintStream out) {
    this.scorer = scorer;
    this.out = out;
  }

  /** Kind, and the arguments of {@link ScorerSetup}. */
  public static void main(String[] args) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err); // what a library prints must not look like an answer
    List<String> all = Arrays.asList(args);
    ScorerSetup setup = ScorerSetup.fromArguments(all.subList(1, all.size()));
    try (PairScorer scorer = ScorerKind.valueOf(args[0]).open(setup);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      ScorerChild child = new ScorerChild(scorer, answers);
      child.answer(List.of());
      String line = in.readLine();
      while (line != null) {
        child.answer(child.command(line.split("\t", -1)));
        line = in.readLine();
      }
    }
  }

  private void answer(List<?> fields) {
    StringBuilder line = new StringBuilder("ok");
    fields.forEach(f -> line.append('\t').append(f));
    out.println(line);
    out.flush();
  }

  private List<?> command(String[] f) throws Exception {
    return switch (f[0]) {
      case "texts" -> texts(Path.of(f[1]));
      case "score" -> score(Integer.parseInt(f[1]), Integer.parseInt(f[2]));
      case "within" -> within(Duration.ofMillis(Long.parseLong(f[1])));
      case "peak" -> List.of(peak());
      default -> throw new IllegalArgumentException("no command " + f[0]);
    };
  }

  private List<?> texts(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    query = lines.getFirst();
    passages = lines.subList(1, lines.size());
    return List.of();
  }

  private List<?> score(int from, int to) throws Exception {
    long start = System.nanoTime();
    double[] logits = scorer.score(query, passages.subList(from, to));
    long nanos = System.nanoTime() - start;
    List<Object> out = new ArrayList<>();
    out.add(nanos);
    for (double x : logits) {
      out.add(x);
    }
    return out;
  }

  private List<?> within(Duration time) throws Exception {
    if (!(scorer instanceof PetuniaScorer petunia)) {
      throw new IllegalArgumentException("only PETUNIA knows deadlines");
    }
    long start = System.nanoTime();
    FutureTask<Long> late = new FutureTask<>(() -> sleepUntil(start + time.toNanos()));
    Thread.ofPlatform().daemon().name("sleeper").start(late);
    int scored = petunia.scoredWithin(query, passages, time);
    long nanos = System.nanoTime() - start;
    return List.of(nanos, scored, late.get());
  }

  /** By how much this thread woke late. */
  private static long sleepUntil(long moment) {
    long left = moment - System.nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = moment - System.nanoTime();
    }
    return -left;
  }

  private static long peak() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return -1;
    }
    Matcher m = PEAK.matcher(Files.readString(status));
    return m.find() ? Long.parseLong(m.group(1)) * 1024 : -1;
  }
}
