package dev.petunia.benchmarks.ann;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** The tables of the curves of one set. */
final class AnnFigures {
  /** The ef at which recall stands beside the build times: a fast build of a bad graph is none. */
  private static final int EQUAL_EF = 100;

  private final SetResult result;
  private final boolean cpuClock;

  /**
   * @param cpuClock whether processor time was measured
   */
  AnnFigures(SetResult result, boolean cpuClock) {
    this.result = result;
    this.cpuClock = cpuClock;
  }

  void print(PrintStream out) {
    out.printf("%n%s%n", result.set());
    out.printf("  %-14s %5s %10s %9s %9s%n", "system", "ef", "recall@10", "QPS", "slowest");
    for (SetResult.Row row : result.rows()) {
      for (SetResult.Cell cell : row.cells()) {
        out.printf(
            Locale.ROOT,
            "  %-14s %5d %10.4f %9.0f %9.0f%n",
            row.system(),
            cell.ef(),
            cell.recall(),
            cell.best(),
            cell.worst());
      }
    }
    if (cpuClock) {
      out.println("  (QPS by processor time of the searching thread)");
    }
    out.println("  (QPS: the fastest round counts; \"slowest\" shows how noisy the machine was)");
    printEqualRecall(out);
    for (double recall : AnnMetrics.RECALLS) {
      printFastest(out, recall);
    }
    printAllocation(out);
  }

  private void printEqualRecall(PrintStream out) {
    out.printf("%n  at equal recall%n  %-14s %9s %9s", "system", "build s", "cpu s");
    for (double recall : AnnMetrics.RECALLS) {
      out.printf(Locale.ROOT, " %13s", "QPS at " + recall);
    }
    out.printf(" %14s%n", "recall, ef " + EQUAL_EF);
    for (SetResult.Row row : result.rows()) {
      out.printf(
          "  %-14s %9s %9s",
          row.system(),
          row.built() ? seconds(row.buildSeconds()) : "-",
          row.built() ? seconds(row.buildCpuSeconds()) : "-");
      for (double recall : AnnMetrics.RECALLS) {
        out.printf(" %13s", rounded(row.curve().qpsAt(recall)));
      }
      Optional<SetResult.Cell> cell = row.cell(EQUAL_EF);
      out.printf(
          " %14s%n", cell.map(c -> String.format(Locale.ROOT, "%.4f", c.recall())).orElse("-"));
    }
  }

  private static String seconds(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String rounded(OptionalDouble qps) {
    return qps.isPresent() ? String.format(Locale.ROOT, "%.0f", qps.getAsDouble()) : "not reached";
  }

  private void printFastest(PrintStream out, double recall) {
    Optional<SetResult.Row> ours = SetResult.fastest(result.variants(), recall);
    Optional<SetResult.Row> theirs = SetResult.fastest(result.peers(), recall);
    out.printf(
        "  fastest at %s: %s; of the peers %s%n",
        recall, named(ours, recall), named(theirs, recall));
  }

  private static String named(Optional<SetResult.Row> row, double recall) {
    return row.map(r -> r.system() + " " + rounded(r.curve().qpsAt(recall))).orElse("none");
  }

  private void printAllocation(PrintStream out) {
    for (SetResult.Row row : result.rows()) {
      if (row.allocation().isPresent()) {
        Allocation a = row.allocation().get();
        out.printf(
            Locale.ROOT,
            "  allocated per query at ef 100: %-14s %.0f bytes%s%n",
            row.system(),
            a.perQuery(),
            a.result() < 0
                ? " (with its query objects)"
                : String.format(Locale.ROOT, ", of them the result itself %.0f", a.result()));
      }
    }
  }
}
