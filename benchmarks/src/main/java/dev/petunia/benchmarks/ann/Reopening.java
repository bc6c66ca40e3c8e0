package dev.petunia.benchmarks.ann;

import dev.petunia.benchmarks.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * Indexes that were saved, opened in a new process that has seen no vector before: how long that
 * takes, and what the process has grown by. The files lie in the system's page cache, for they have
 * just been written: what a disk takes is another matter.
 */
final class Reopening {
  /** Queries after opening. */
  static final int FIRST = 100;

  private static final int EF = 100;

  private final AnnContext context;
  private final String prefix;
  private List<Opened> opened = List.of();

  Reopening(AnnContext context) {
    this.context = context;
    this.prefix = "ann." + context.set().name() + ".";
  }

  /**
   * An index in a new process.
   *
   * @param seconds of opening
   * @param nanos of each of the first queries
   * @param before what the process used before opening
   * @param after what it used after the queries
   * @param own what the index says of itself; only of Petunia
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Opened(
      String system,
      double seconds,
      long[] nanos,
      SystemProcess.Used before,
      SystemProcess.Used after,
      Optional<Footprint> own) {
    double firstAnswer() {
      return seconds + nanos[0] / 1e9;
    }

    double median() {
      long[] sorted = nanos.clone();
      Arrays.sort(sorted);
      return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2e9;
    }

    /** Bytes in all: what the index says, or what the process has grown by. */
    double bytes() {
      return own.map(Footprint::sum).orElse(after.resident() - before.resident());
    }
  }

  private List<Opened> opened(List<Contestant> all) throws IOException, InterruptedException {
    if (opened.isEmpty()) {
      List<Opened> list = new ArrayList<>();
      for (Contestant c : all) {
        if (Part.MEMORY.measures(c.name())) {
          Optional<SystemProcess> child = context.children().start(c.name(), "-reopened");
          if (child.isPresent()) {
            list.add(open(child.get()));
            context.children().end(child.get());
          }
        }
      }
      opened = List.copyOf(list);
    }
    return opened;
  }

  private Opened open(SystemProcess child) throws IOException {
    AnnSet set = context.set();
    int queries = Math.min(FIRST, set.queries().length);
    child.load(context.baseFile(), 0, set.dimension(), context.queryFile(), queries);
    SystemProcess.Used before = child.used();
    SystemProcess.Build opening =
        child.restore(
            context.saved(child.name()),
            AnnPlan.M,
            AnnPlan.EF_CONSTRUCTION,
            context.plan().builds().threads());
    long[] nanos = child.first(EF, AnnPlan.K, queries);
    return new Opened(
        child.name(),
        opening.seconds(),
        nanos,
        before,
        child.used(),
        Systems.isPetunia(child.name()) ? Optional.of(child.footprint()) : Optional.empty());
  }

  /** Bytes per vector. */
  void memory(List<Contestant> all, Report report) throws IOException, InterruptedException {
    double n = context.set().base().length;
    context
        .out()
        .printf(
            "%n  bytes per vector of a reopened index%n  %-14s %9s %9s %9s %9s %9s   %s%n",
            "system", "heap", "off-heap", "mapped", "disk", "sum", "the process grew by");
    for (Opened o : opened(all)) {
      context.out().printf(Locale.ROOT, "  %-14s", o.system);
      if (o.own.isPresent()) {
        Footprint own = o.own.get();
        String of = prefix + o.system + ".";
        row(report, of + "heap_bytes_per_vector", own.heap() / n);
        row(report, of + "off_heap_bytes_per_vector", own.offHeap() / n);
        row(report, of + "mapped_bytes_per_vector", own.mapped() / n);
        row(report, of + "disk_bytes_per_vector", own.disk() / n);
        row(report, of + "bytes_per_vector", own.sum() / n);
        context.out().printf(Locale.ROOT, "   heap %.0f, ", (o.after.heap() - o.before.heap()) / n);
        report.add(
            of + "measured_heap_bytes_per_vector", (o.after.heap() - o.before.heap()) / n, "bytes");
      } else {
        context.out().printf(" %9s %9s %9s %9s %9s   ", "", "", "", "", "");
        report.add(prefix + o.system + ".bytes_per_vector", o.bytes() / n, "bytes");
      }
      context
          .out()
          .printf(Locale.ROOT, "resident %.0f%n", (o.after.resident() - o.before.resident()) / n);
    }
    double files = Folders.bytes(context.saved(Systems.HNSWLIB));
    if (files > 0) {
      context.out().printf(Locale.ROOT, "  hnswlib's saved file: %.0f%n", files / n);
      report.add(prefix + "hnswlib.saved_bytes_per_vector", files / n, "bytes");
    }
    worst(Opened::bytes).ifPresent(b -> report.add(prefix + "bytes_per_vector", b / n, "bytes"));
    compare(report, "bytes_per_vector_vs_hnswlib", Opened::bytes);
  }

  private void row(Report report, String name, double bytes) {
    context.out().printf(Locale.ROOT, " %9.0f", bytes);
    report.add(name, bytes, "bytes");
  }

  /** Times after opening. */
  void cold(List<Contestant> all, Report report) throws IOException, InterruptedException {
    context
        .out()
        .printf(
            "%n  in a new process, ms%n  %-14s %9s %13s %27s%n",
            "system", "open", "first answer", "median of the first " + FIRST);
    for (Opened o : opened(all)) {
      context
          .out()
          .printf(
              Locale.ROOT,
              "  %-14s %9.2f %13.2f %27.3f%n",
              o.system,
              o.seconds * 1e3,
              o.firstAnswer() * 1e3,
              o.median() * 1e3);
      String of = prefix + o.system + ".cold.";
      report.add(of + "open_seconds", o.seconds, "s");
      report.add(of + "first_answer_seconds", o.firstAnswer(), "s");
      report.add(of + "median_query_seconds", o.median(), "s");
    }
    compare(report, "cold.first_answer_vs_hnswlib", Opened::firstAnswer);
  }

  /** Of this index's configurations the one that takes most. */
  private OptionalDouble worst(ToDoubleFunction<Opened> what) {
    return opened.stream().filter(o -> Systems.isPetunia(o.system)).mapToDouble(what).max();
  }

  private void compare(Report report, String name, ToDoubleFunction<Opened> what) {
    OptionalDouble ours = worst(what);
    OptionalDouble theirs =
        opened.stream().filter(o -> o.system.equals(Systems.HNSWLIB)).mapToDouble(what).findFirst();
    if (ours.isPresent() && theirs.isPresent()) {
      report.add(prefix + name, ours.getAsDouble() / theirs.getAsDouble(), "ratio");
    }
  }
}
