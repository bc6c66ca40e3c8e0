package dev.petunia.benchmarks.ann;

import dev.petunia.benchmarks.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** How the cost of a search at recall@10 0.95 grows with the number of vectors. */
final class ScalingPart {
  private static final double RECALL = 0.95;
  private static final int[] SIZES = {10_000, 30_000, 100_000, 300_000, 1_000_000};
  private static final int[] GRID = {10, 16, 24, 32, 48, 64, 100, 128, 192, 256, 400};
  private static final int QUERIES = 500;
  private static final long SEED = 9;

  private final AnnContext context;
  private final AnnPlan plan;
  private final String prefix;

  ScalingPart(AnnContext context) {
    this.context = context;
    this.plan = context.plan();
    this.prefix = "ann." + context.set().name() + ".scaling.";
  }

  /** Costs of one system, by size: distances of a query, and nanoseconds. */
  private record Costs(Map<Integer, Double> distances, Map<Integer, Double> nanos) {
    Costs() {
      this(new LinkedHashMap<>(), new LinkedHashMap<>());
    }
  }

  /**
   * Runs.
   *
   * @param first whether no other set scales in this run: its exponent is the run's
   */
  void run(Report report, boolean first) throws IOException, InterruptedException {
    int[] sizes = sizes(plan.scaling().max());
    float[][] all = Resampled.vectors(context.set().base(), sizes[sizes.length - 1], SEED);
    float[][] queries = context.set().firstQueries(QUERIES).queries();
    Map<String, Costs> costs = new LinkedHashMap<>();
    context.out().printf("%n  scaling, resampled vectors, at recall@10 %s%n", RECALL);
    for (int n : sizes) {
      float[][] base = Arrays.copyOf(all, n);
      AnnSet set = new AnnSet(context.set().name(), "resampled", base, queries, Optional.empty());
      ExactTruth truth = ExactTruth.of(set, AnnPlan.K, plan.builds().threads());
      Path baseFile = context.work().resolve("scaled.f32");
      Path queryFile = context.work().resolve("scaled-queries.f32");
      VectorFiles.write(baseFile, base);
      VectorFiles.write(queryFile, queries);
      for (String name : plan.scaling().systems()) {
        Optional<SystemProcess> child = context.children().start(name, "-scaled-" + n);
        if (child.isPresent()) {
          child.get().load(baseFile, n, set.dimension(), queryFile, queries.length);
          measure(child.get(), set, truth, costs.computeIfAbsent(name, key -> new Costs()));
          context.children().end(child.get());
        }
      }
      Files.delete(baseFile);
    }
    report(costs, report, first);
  }

  /** 10,000, 30,000, 100,000 and so on up to the most that is wanted. */
  static int[] sizes(int most) {
    return Arrays.stream(SIZES).filter(n -> n <= most).toArray();
  }

  private void measure(SystemProcess system, AnnSet set, ExactTruth truth, Costs costs)
      throws IOException {
    int n = set.base().length;
    SystemProcess.Build build =
        system.build(AnnPlan.M, AnnPlan.EF_CONSTRUCTION, plan.builds().threads());
    system.search(GRID[GRID.length / 2], AnnPlan.K, plan.rounds().warmMillis() / 2);
    List<Curve.Point> speed = new ArrayList<>();
    List<Curve.Point> work = new ArrayList<>();
    for (int ef : GRID) {
      double best = 0;
      double recall = 0;
      for (int round = 0; round < plan.rounds().count(); round++) {
        SystemProcess.Round r = system.search(ef, AnnPlan.K, plan.rounds().roundMillis());
        r.answers().check(system.name(), set, truth);
        recall = r.answers().recall(set, truth);
        best = Math.max(best, plan.rounds().cpuClock() ? r.cpuQps() : r.qps());
      }
      speed.add(new Curve.Point(ef, recall, best));
      if (Systems.isPetunia(system.name())) {
        work.add(new Curve.Point(ef, recall, 1 / system.work(ef, AnnPlan.K)));
      }
      if (recall > RECALL && speed.size() > 1) {
        break; // the points around the recall are there
      }
    }
    OptionalDouble qps = new Curve(speed).qpsAt(RECALL);
    OptionalDouble perDistance = new Curve(work).qpsAt(RECALL);
    qps.ifPresent(v -> costs.nanos.put(n, 1e9 / v));
    perDistance.ifPresent(v -> costs.distances.put(n, 1 / v));
    context
        .out()
        .printf(
            Locale.ROOT,
            "  %,9d  %-14s build %7.1f s  %s%s%n",
            n,
            system.name(),
            build.seconds(),
            qps.isPresent()
                ? String.format(Locale.ROOT, "%.0f us a query", 1e6 / qps.getAsDouble())
                : "not reached",
            perDistance.isPresent()
                ? String.format(Locale.ROOT, ", %.0f distances", 1 / perDistance.getAsDouble())
                : "");
  }

  private void report(Map<String, Costs> costs, Report report, boolean first) {
    costs.forEach(
        (name, c) -> {
          c.nanos.forEach((n, v) -> report.add(at(name, n) + "query_seconds", v / 1e9, "s"));
          c.distances.forEach((n, v) -> report.add(at(name, n) + "distances", v, "count"));
          fit(prefix + name + ".time_exponent", c.nanos, report);
          fit(prefix + name + ".exponent", c.distances, report);
          if (first && name.equals(plan.scaling().systems().getFirst())) {
            fit("ann.scaling.exponent", c.distances, report);
            fit("ann.scaling.time_exponent", c.nanos, report);
          }
        });
  }

  private String at(String name, int n) {
    return prefix + name + ".n" + n + ".";
  }

  private static void fit(String name, Map<Integer, Double> cost, Report report) {
    if (cost.size() > 1) {
      double[] n = cost.keySet().stream().mapToDouble(Integer::doubleValue).toArray();
      double[] costs = cost.values().stream().mapToDouble(Double::doubleValue).toArray();
      report.add(name, PowerFit.of(n, costs).exponent(), "exponent");
    }
  }
}
