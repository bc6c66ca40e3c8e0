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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A child process that runs one system and does what it is told on its standard input, so that
 * systems take turns within a minute but share no heap, no compiled code and no garbage collector.
 * Commands and answers are those of hnswlib_driver.cpp, and some more:
 *
 * <pre>
 * used                            ok &lt;bytes of the heap in use&gt; &lt;resident bytes of the process&gt;
 * footprint                       ok &lt;heap&gt; &lt;off-heap&gt; &lt;mapped&gt; &lt;disk&gt;  bytes, by the index itself
 * alloc &lt;ef&gt; &lt;k&gt;               ok &lt;bytes per query&gt; &lt;bytes of the result&gt;
 * work &lt;ef&gt; &lt;k&gt;                ok &lt;distances computed per query&gt;
 * self &lt;k&gt; &lt;threads&gt;           ok &lt;rows that find themselves first&gt;
 * filters &lt;file&gt;                 ok             takes filters, see RowFiles
 * filtered &lt;form&gt; &lt;ef&gt; &lt;k&gt; &lt;minMillis&gt; &lt;count&gt;
 *                                 as search, with the first queries, among the rows that pass
 * delete &lt;file&gt;                  ok &lt;seconds&gt; &lt;CPU seconds of the process&gt;
 * mixed &lt;ef&gt; &lt;k&gt; &lt;minMillis&gt; &lt;file&gt;      as search, beside a thread that deletes rows of the
 *                                 file and puts them back; the line ends in changes and their
 *                                 nanoseconds; in the end all are back
 * </pre>
 */
final class SystemWorker {
  private static final Set<String> NEED_QUERIES =
      Set.of("build", "restore", "search", "first", "self", "alloc", "work", "filtered", "mixed");

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final AnnSystem system;
  private int dimension;
  private float[][] base = {};
  private float[][] queries = {};
  private RowFiles.Filters filters = new RowFiles.Filters(List.of(), new int[0]);

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
      Reply reply;
      try {
        reply = answer(line.split("\t", -1));
      } catch (Exception | Error e) {
        e.printStackTrace();
        reply = Reply.error(e);
      }
      answers.write((reply.line() + "\n").getBytes(StandardCharsets.UTF_8));
      if (reply.payload() != null) {
        answers.write(reply.payload());
      }
      answers.flush();
    }
  }

  private Reply answer(String[] f) throws Exception {
    if (queries.length == 0 && NEED_QUERIES.contains(f[0])) {
      throw new IllegalStateException(f[0] + " before load");
    }
    return switch (f[0] + "/" + f.length) {
      case "info/1" -> Reply.ok(system.describe());
      case "load/6" -> {
        dimension = number(f[3]);
        base = VectorFiles.floats(Path.of(f[1]), number(f[2]), dimension);
        queries = VectorFiles.floats(Path.of(f[4]), number(f[5]), dimension);
        yield Reply.ok();
      }
      case "build/4" -> timed(() -> system.build(base, parameters(f, 1)));
      case "save/2" -> {
        system.save(Path.of(f[1]));
        yield Reply.ok();
      }
      case "restore/5" -> timed(() -> system.restore(Path.of(f[1]), base, parameters(f, 2)));
      case "used/1" -> MemoryUsed.reply();
      case "footprint/1" -> {
        Footprint p = system.footprint();
        yield Reply.ok(p.heap(), p.offHeap(), p.mapped(), p.disk());
      }
      case "first/4" ->
          SearchRounds.first(number(f[3]), number(f[2]), plain(number(f[1]), number(f[2])));
      case "search/4" ->
          SearchRounds.timed(
              queries.length, number(f[2]), number(f[3]), plain(number(f[1]), number(f[2])));
      case "filters/2" -> {
        filters = RowFiles.filters(Path.of(f[1]));
        system.filters(filters.passing());
        yield Reply.ok();
      }
      case "filtered/6" -> {
        AnnSystem.Form form = AnnSystem.Form.valueOf(f[1]);
        yield SearchRounds.timed(
            number(f[5]), number(f[3]), number(f[4]), filtered(form, number(f[2]), number(f[3])));
      }
      case "delete/2" -> {
        int[] rows = RowFiles.rows(Path.of(f[1]));
        yield timed(
            () -> {
              for (int row : rows) {
                system.delete(row);
              }
            });
      }
      case "mixed/5" -> mixed(number(f[1]), number(f[2]), number(f[3]), Path.of(f[4]));
      case "work/3" -> work(number(f[1]), number(f[2]));
      case "alloc/3" -> {
        Allocation a = system.allocation(queries, number(f[1]), number(f[2]));
        yield Reply.ok(a.perQuery(), a.result());
      }
      case "self/3" -> Reply.ok(SelfSearch.found(system, base, number(f[1]), number(f[2])));
      default -> throw Checks.bad("command", String.join(" ", f), "see SystemWorker");
    };
  }

  private AnnSystem.Parameters parameters(String[] f, int at) {
    return new AnnSystem.Parameters(dimension, number(f[at]), number(f[at + 1]), number(f[at + 2]));
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
    return Reply.ok(seconds, cpuSeconds);
  }

  private static int number(String text) {
    return Integer.parseInt(text);
  }

  private SearchRounds.Search plain(int ef, int k) {
    return (q, rows, distances) -> system.search(queries[q], ef, k, rows, distances);
  }

  private SearchRounds.Search filtered(AnnSystem.Form form, int ef, int k) {
    int[] ofQuery = filters.ofQuery();
    return (q, rows, distances) ->
        system.search(queries[q], ofQuery[q], form, ef, k, rows, distances);
  }

  private Reply mixed(int ef, int k, int minMillis, Path file) throws Exception {
    Churn churn = new Churn(system, base, RowFiles.rows(file));
    Reply reply =
        SearchRounds.besideWrites(queries.length, k, minMillis, plain(ef, k), churn::change);
    churn.restore();
    return reply;
  }

  private Reply work(int ef, int k) throws Exception {
    long sum = 0;
    for (float[] query : queries) {
      sum += system.distances(query, ef, k);
    }
    return Reply.ok((double) sum / queries.length);
  }
}
