package dev.petunia.benchmarks.ann;

import dev.petunia.benchmarks.Report;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** The tables and the metrics of one set. */
final class AnnFigures {
  private static final double[] RECALLS = {0.95, 0.99};

  private final SetResult result;
  private final String prefix;
  private final boolean cpuClock;

  /**
   * @param cpuClock whether builds are compared by processor time too, as searches then are
   */
  AnnFigures(SetResult result, boolean cpuClock) {
    this.result = result;
    this.cpuClock = cpuClock;
    this.prefix = "ann." + result.set() + ".";
  }

  void print(PrintStream out) {
    out.printf("%n%s%n", result.set());
    out.printf(
        "  %-14s %9s %5s %10s %9s %9s%n", "system", "build s", "ef", "recall@10", "QPS", "slowest");
    for (SetResult.Row row : result.rows()) {
      for (SetResult.Cell cell : row.cells()) {
        out.printf(
            Locale.ROOT,
            "  %-14s %9.1f %5d %10.4f %9.0f %9.0f%n",
            row.system(),
            row.buildSeconds(),
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
    out.printf("%n  at equal recall%n  %-14s %9s %9s", "system", "build s", "cpu s");
    for (double recall : RECALLS) {
      out.printf(Locale.ROOT, " %13s", "QPS at " + recall);
    }
    out.println();
    for (SetResult.Row row : result.rows()) {
      out.printf(
          Locale.ROOT,
          "  %-14s %9.1f %9.1f",
          row.system(),
          row.buildSeconds(),
          row.buildCpuSeconds());
      for (double recall : RECALLS) {
        OptionalDouble qps = row.curve().qpsAt(recall);
        out.printf(
            " %13s",
            qps.isPresent()
                ? String.format(Locale.ROOT, "%.0f", qps.getAsDouble())
                : "not reached");
      }
      out.println();
    }
    printAllocation(out);
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

  void addTo(Report report) {
    for (SetResult.Row row : result.rows()) {
      report.add(prefix + row.system() + ".build_seconds", row.buildSeconds(), "s");
      report.add(prefix + row.system() + ".build_cpu_seconds", row.buildCpuSeconds(), "s");
      for (SetResult.Cell cell : row.cells()) {
        String at = prefix + row.system() + ".ef" + cell.ef() + ".";
        report.add(at + "recall", cell.recall(), "ratio");
        report.add(at + "qps", cell.best(), "1/s");
      }
      for (double recall : RECALLS) {
        String name = prefix + row.system() + "." + at(recall) + ".qps";
        row.curve().qpsAt(recall).ifPresent(qps -> report.add(name, qps, "1/s"));
      }
    }
    result.row(Systems.PETUNIA).ifPresent(row -> addComparisons(row, report));
  }

  private void addComparisons(SetResult.Row petunia, Report report) {
    for (String peer : Systems.PEERS) {
      Optional<SetResult.Row> other = result.row(peer);
      for (double recall : RECALLS) {
        ratio(petunia, other, recall)
            .ifPresent(r -> report.add(prefix + at(recall) + ".qps_vs_" + peer, r, "ratio"));
      }
    }
    result
        .row(Systems.HNSWLIB)
        .ifPresent(
            h ->
                report.add(
                    prefix + "build_vs_hnswlib", buildTime(petunia) / buildTime(h), "ratio"));
    petunia.cells().stream()
        .filter(c -> c.ef() == AnnPlan.REPORTED_EF)
        .forEach(c -> report.add(prefix + "ef" + c.ef() + ".recall", c.recall(), "ratio"));
    petunia
        .allocation()
        .ifPresent(
            a -> {
              report.add(prefix + "alloc_bytes_per_query", a.perQuery(), "bytes");
              report.add(prefix + "result_bytes", a.result(), "bytes");
            });
    result
        .row(Systems.SCALAR)
        .map(s -> s.qpsRatioAtEqualEf(petunia))
        .ifPresent(r -> r.ifPresent(v -> report.add(prefix + "scalar_vs_simd", v, "ratio")));
  }

  private double buildTime(SetResult.Row row) {
    return cpuClock ? row.buildCpuSeconds() : row.buildSeconds();
  }

  private static OptionalDouble ratio(
      SetResult.Row petunia, Optional<SetResult.Row> other, double recall) {
    OptionalDouble ours = petunia.curve().qpsAt(recall);
    OptionalDouble theirs =
        other.isEmpty() ? OptionalDouble.empty() : other.get().curve().qpsAt(recall);
    return ours.isPresent() && theirs.isPresent()
        ? OptionalDouble.of(ours.getAsDouble() / theirs.getAsDouble())
        : OptionalDouble.empty();
  }

  private static String at(double recall) {
    return "r" + Math.round(recall * 100);
  }

  /** The figures that the whole run is about, for printing at its end. */
  static List<Report.Metric> headline(Report report) {
    return report.metrics().stream()
        .filter(
            m ->
                m.name().contains("_vs_")
                    || m.name().endsWith("alloc_bytes_per_query")
                    || m.name().endsWith("result_bytes")
                    || m.name().matches("ann\\.[^.]+\\.ef400\\.recall"))
        .toList();
  }
}
