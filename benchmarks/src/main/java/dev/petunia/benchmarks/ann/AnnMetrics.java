package dev.petunia.benchmarks.ann;

import dev.petunia.benchmarks.Report;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** The metrics of the builds and the curves of one set. */
final class AnnMetrics {
  /** The recalls at which systems are compared. */
  static final double[] RECALLS = {0.95, 0.99};

  private final SetResult result;
  private final String prefix;
  private final boolean cpuClock;

  /**
   * @param cpuClock whether builds are compared by processor time too, as searches then are
   */
  AnnMetrics(SetResult result, boolean cpuClock) {
    this.result = result;
    this.cpuClock = cpuClock;
    this.prefix = "ann." + result.set() + ".";
  }

  /** Of the curves. */
  void addCurves(Report report) {
    for (SetResult.Row row : result.rows()) {
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
    if (!result.variants().isEmpty()) {
      addSpeed(report);
      addRecall(report);
      addRest(report);
    }
  }

  private void addSpeed(Report report) {
    for (double recall : RECALLS) {
      String at = prefix + at(recall) + ".";
      OptionalDouble ours = qps(SetResult.fastest(result.variants(), recall), recall);
      for (SetResult.Row peer : result.peers()) {
        ratio(ours, peer.curve().qpsAt(recall))
            .ifPresent(r -> report.add(at + "qps_vs_" + peer.system(), r, "ratio"));
      }
      ratio(ours, qps(SetResult.fastest(result.peers(), recall), recall))
          .ifPresent(r -> report.add(at + "qps_vs_best_peer", r, "ratio"));
      ratio(qps(result.row(Systems.PETUNIA), recall), qps(result.row(Systems.HNSWLIB), recall))
          .ifPresent(r -> report.add(at + "qps_float_vs_hnswlib", r, "ratio"));
    }
  }

  private void addRecall(Report report) {
    Optional<SetResult.Cell> hnswlib = reported(result.row(Systems.HNSWLIB));
    for (SetResult.Row row : result.variants()) {
      String of = prefix + row.system() + ".";
      Optional<SetResult.Cell> cell = reported(Optional.of(row));
      if (cell.isPresent() && hnswlib.isPresent()) {
        double more = cell.get().recall() - hnswlib.get().recall();
        report.add(of + "ef" + AnnPlan.REPORTED_EF + ".recall_minus_hnswlib", more, "difference");
      }
      if (!row.system().equals(Systems.PETUNIA)) {
        result
            .row(Systems.PETUNIA)
            .map(row::leastRecallRatio)
            .ifPresent(
                least -> least.ifPresent(v -> report.add(of + "recall_vs_float", v, "ratio")));
      }
    }
    String at = prefix + "ef" + AnnPlan.REPORTED_EF + ".";
    result.variants().stream()
        .flatMap(row -> reported(Optional.of(row)).stream())
        .mapToDouble(SetResult.Cell::recall)
        .min()
        .ifPresent(
            least -> {
              report.add(at + "recall", least, "ratio");
              hnswlib.ifPresent(
                  h -> report.add(at + "recall_minus_hnswlib", least - h.recall(), "difference"));
            });
    report.add(
        prefix + "highest_recall",
        result.variants().stream()
            .flatMap(r -> r.cells().stream())
            .mapToDouble(SetResult.Cell::recall)
            .max()
            .orElse(0),
        "ratio");
  }

  /** Of the builds. */
  void addBuilds(Report report) {
    for (SetResult.Row row : result.rows()) {
      if (row.built()) {
        report.add(prefix + row.system() + ".build_seconds", row.buildSeconds(), "s");
        report.add(prefix + row.system() + ".build_cpu_seconds", row.buildCpuSeconds(), "s");
      }
    }
    Optional<SetResult.Row> hnswlib = result.row(Systems.HNSWLIB);
    if (hnswlib.isEmpty()) {
      return;
    }
    double theirs = buildTime(hnswlib.get());
    for (SetResult.Row row : result.variants()) {
      report.add(prefix + row.system() + ".build_vs_hnswlib", buildTime(row) / theirs, "ratio");
    }
    worst(this::buildTime)
        .ifPresent(t -> report.add(prefix + "build_vs_hnswlib", t / theirs, "ratio"));
    OptionalDouble alone = hnswlib.get().single(cpuClock);
    if (alone.isPresent()) {
      worst(row -> row.single(cpuClock).orElse(0))
          .ifPresent(
              t -> report.add(prefix + "build1_vs_hnswlib", t / alone.getAsDouble(), "ratio"));
    }
  }

  /** Of this index's configurations the one that takes most. */
  private OptionalDouble worst(ToDoubleFunction<SetResult.Row> what) {
    return result.variants().stream().mapToDouble(what).max();
  }

  private void addRest(Report report) {
    result.variants().stream()
        .flatMap(row -> row.allocation().stream())
        .max(Comparator.comparingDouble(Allocation::perQuery))
        .ifPresent(
            a -> {
              report.add(prefix + "alloc_bytes_per_query", a.perQuery(), "bytes");
              report.add(prefix + "result_bytes", a.result(), "bytes");
            });
    Optional<SetResult.Row> simd = result.row(Systems.PETUNIA);
    Optional<SetResult.Row> scalar = result.row(Systems.SCALAR);
    if (simd.isPresent() && scalar.isPresent()) {
      scalar
          .get()
          .qpsRatioAtEqualEf(simd.get())
          .ifPresent(v -> report.add(prefix + "scalar_vs_simd", v, "ratio"));
    }
  }

  private double buildTime(SetResult.Row row) {
    return cpuClock ? row.buildCpuSeconds() : row.buildSeconds();
  }

  private static Optional<SetResult.Cell> reported(Optional<SetResult.Row> row) {
    return row.flatMap(r -> r.cell(AnnPlan.REPORTED_EF));
  }

  private static OptionalDouble qps(Optional<SetResult.Row> row, double recall) {
    return row.isEmpty() ? OptionalDouble.empty() : row.get().curve().qpsAt(recall);
  }

  private static OptionalDouble ratio(OptionalDouble ours, OptionalDouble theirs) {
    return ours.isPresent() && theirs.isPresent()
        ? OptionalDouble.of(ours.getAsDouble() / theirs.getAsDouble())
        : OptionalDouble.empty();
  }

  static String at(double recall) {
    return "r" + Math.round(recall * 100);
  }

  /** The figures that the whole run is about, for printing at its end. */
  static List<Report.Metric> headline(Report report) {
    return report.metrics().stream().filter(m -> isHeadline(m.name())).toList();
  }

  private static boolean isHeadline(String name) {
    String[] part = name.split("\\.", -1);
    if (part.length < 3) {
      return true;
    }
    if (part[2].startsWith("petunia")) { // of one configuration
      String last = part[part.length - 1];
      return last.equals("recall_vs_float")
          || last.endsWith("_vs_fresh")
          || last.endsWith("_alone")
          || last.equals("writes_per_second");
    }
    if (part[2].startsWith("filter") && part.length > 4) { // of a predicate, or at another recall
      return false;
    }
    boolean ofOneSystem = Systems.PEERS.contains(part[2]);
    return !ofOneSystem;
  }
}
