package dev.petunia.benchmarks.ann;

import com.sun.management.OperatingSystemMXBean;
import dev.petunia.core.internal.Checks;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A child process that runs one system and does what it is told on its standard input, so that
 * systems take turns within a minute but share no heap, no compiled code and no garbage collector.
 * Commands and answers are those of hnswlib_driver.cpp, and some more:
 *
 * <pre>
 * save &lt;folder&gt;                                        ok
 * restore &lt;folder&gt; &lt;M&gt; &lt;efConstruction&gt; &lt;threads&gt;  ok &lt;seconds&gt; &lt;CPU seconds of the process&gt;
 *                                                        what was saved, instead of a build
 * alloc &lt;ef&gt; &lt;k&gt;                                      ok &lt;bytes per query&gt; &lt;bytes of the result&gt;
 * self &lt;k&gt; &lt;threads&gt;                                  ok &lt;rows that find themselves first&gt;
 * </pre>
 */
final class SystemWorker {
  private static final Set<String> NEED_ROWS =
      Set.of("build", "restore", "search", "self", "alloc");

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final AnnSystem system;
  private float[][] base = {};
  private float[][] queries = {};

  SystemWorker(AnnSystem system) {
    this.system = system;
  }

  /** Arguments: the system's name, a folder for its files. */
  public static void main(String[] args) throws Exception {
    InputStream in = System.in;
    PrintStream answers = System.out;
    System.setOut(System.err); // whatever a library prints must not get between the answers
    try (AnnSystem system = Systems.create(args[0], Path.of(args[1]))) {
      new SystemWorker(system).serve(in, answers);
    }
  }

  /** Serves until "quit" or the end of the input. */
  void serve(InputStream in, OutputStream out) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    DataOutputStream answers = new DataOutputStream(out);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals("quit")) {
        return;
      }
      @Nullable Reply reply;
      try {
        reply = answer(line.split("\t", -1));
      } catch (Exception | Error e) {
        e.printStackTrace();
        reply = new Reply("error\t" + e.toString().replace('\n', ' ').replace('\t', ' '), null);
      }
      answers.write((reply.line + "\n").getBytes(StandardCharsets.UTF_8));
      if (reply.payload != null) {
        answers.write(reply.payload);
      }
      answers.flush();
    }
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record Reply(String line, byte @Nullable [] payload) {}

  private Reply answer(String[] f) throws Exception {
    if (queries.length == 0 && NEED_ROWS.contains(f[0])) {
      throw new IllegalStateException(f[0] + " before load");
    }
    return switch (f[0] + "/" + f.length) {
      case "info/1" -> new Reply("ok\t" + system.describe(), null);
      case "load/6" -> {
        int dimension = Integer.parseInt(f[3]);
        base = VectorFiles.floats(VectorFiles.read(Path.of(f[1])), number(f[2]), dimension);
        queries = VectorFiles.floats(VectorFiles.read(Path.of(f[4])), number(f[5]), dimension);
        yield new Reply("ok", null);
      }
      case "build/4" -> timed(() -> system.build(base, number(f[1]), number(f[2]), number(f[3])));
      case "save/2" -> {
        system.save(Files.createDirectories(Path.of(f[1])));
        yield new Reply("ok", null);
      }
      case "restore/5" ->
          timed(
              () -> system.restore(Path.of(f[1]), base, number(f[2]), number(f[3]), number(f[4])));
      case "search/4" -> search(number(f[1]), number(f[2]), number(f[3]));
      case "alloc/3" -> {
        Allocation a = system.allocation(queries, number(f[1]), number(f[2]));
        yield new Reply("ok\t" + a.perQuery() + "\t" + a.result(), null);
      }
      case "self/3" ->
          new Reply("ok\t" + SelfSearch.found(system, base, number(f[1]), number(f[2])), null);
      default -> throw Checks.bad("command", String.join(" ", f), "see SystemWorker");
    };
  }

  private interface Work {
    void run() throws Exception;
  }

  private static Reply timed(Work work) throws Exception {
    long start = System.nanoTime();
    long cpuStart = SYSTEM.getProcessCpuTime();
    work.run();
    double seconds = (System.nanoTime() - start) / 1e9;
    double cpuSeconds = (SYSTEM.getProcessCpuTime() - cpuStart) / 1e9;
    System.gc(); // so that what the build left behind is not collected during a search
    return new Reply("ok\t" + seconds + "\t" + cpuSeconds, null);
  }

  private static int number(String text) {
    return Integer.parseInt(text);
  }

  private Reply search(int ef, int k, int minMillis) throws Exception {
    int[] rows = new int[queries.length * k];
    float[] distances = new float[queries.length * k];
    long nanos = 0;
    long cpu = 0;
    long run = 0;
    do {
      Arrays.fill(rows, -1);
      long start = System.nanoTime();
      long cpuStart = THREADS.getCurrentThreadCpuTime();
      pass(ef, k, rows, distances);
      cpu += THREADS.getCurrentThreadCpuTime() - cpuStart;
      nanos += System.nanoTime() - start;
      run += queries.length;
    } while (nanos < minMillis * 1_000_000L);
    ByteBuffer payload =
        ByteBuffer.allocate(rows.length * (Integer.BYTES + Float.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < rows.length; i++) {
      payload.putInt(rows[i]).putFloat(distances[i]);
    }
    return new Reply("ok\t" + nanos + "\t" + cpu + "\t" + run, payload.array());
  }

  private void pass(int ef, int k, int[] rows, float[] distances) throws Exception {
    int[] row = new int[k];
    float[] distance = new float[k];
    for (int q = 0; q < queries.length; q++) {
      int found = system.search(queries[q], ef, k, row, distance);
      System.arraycopy(row, 0, rows, q * k, found);
      System.arraycopy(distance, 0, distances, q * k, found);
    }
  }
}
