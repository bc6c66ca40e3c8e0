package dev.petunia.benchmarks.ann;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Measures all systems on one set.
 *
 * <ol>
 *   <li>Each system runs in a process of its own; only one of them is asked at a time.
 *   <li>Builds take turns, in reversed order each second time.
 *   <li>Each system is warmed up.
 *   <li>For each ef, rounds take turns between the systems, the first one moving on by one each
 *       round. A machine that gets slower for a while then hits all systems alike, and the fastest
 *       of the rounds counts: other load only ever makes a round slower.
 *   <li>The answers of every round are checked against exact search.
 * </ol>
 */
final class AnnRun {
  private static final int ALLOCATION_EF = 100;

  private final AnnPlan plan;
  private final AnnSet set;
  private final ExactTruth truth;
  private final PrintStream out;

  AnnRun(AnnPlan plan, AnnSet set, ExactTruth truth, PrintStream out) {
    this.plan = plan;
    this.set = set;
    this.truth = truth;
    this.out = out;
  }

  /** A system, what was measured of it, and its rounds at the present ef. */
  private static final class Contestant {
    final SystemProcess process;
    final SetResult.Row row;
    final List<Double> qps = new ArrayList<>();
    double recall = -1;

    Contestant(SystemProcess process) throws IOException {
      this.process = process;
      this.row = new SetResult.Row(process.name(), process.info());
    }
  }

  /** Loads, builds, warms up, measures. The systems have just been started. */
  SetResult measure(List<SystemProcess> systems, Path work) throws IOException {
    Path base = work.resolve("base.f32");
    Path queries = work.resolve("queries.f32");
    VectorFiles.write(base, set.base());
    VectorFiles.write(queries, set.queries());
    List<Contestant> all = new ArrayList<>();
    for (SystemProcess s : systems) {
      s.load(base, set.base().length, set.dimension(), queries, set.queries().length);
      Contestant c = new Contestant(s);
      all.add(c);
      out.println("  " + s.name() + ": " + c.row.info());
    }
    build(all);
    for (SystemProcess s : systems) {
      warm(s);
    }
    for (int i = 0; i < plan.ef().length; i++) {
      int index = i;
      point(
          plan.ef()[i], all.stream().filter(c -> plan.measures(c.process.name(), index)).toList());
    }
    for (Contestant c : all) {
      if (!c.process.name().equals(Systems.HNSWLIB)) {
        c.row.allocation(c.process.allocation(ALLOCATION_EF, AnnPlan.K));
      }
    }
    return new SetResult(set.name(), all.stream().map(c -> c.row).toList());
  }

  private void build(List<Contestant> all) throws IOException {
    for (int round = 0; round < plan.builds(); round++) {
      List<Contestant> order = new ArrayList<>(all);
      if (round % 2 == 1) {
        Collections.reverse(order);
      }
      for (Contestant c : order) {
        if (round > 0 && c.process.name().equals(Systems.SCALAR)) {
          continue; // no metric rests on it, and it takes longest
        }
        SystemProcess.Build build =
            c.process.build(AnnPlan.M, AnnPlan.EF_CONSTRUCTION, plan.threads());
        c.row.add(build);
        out.printf(
            Locale.ROOT,
            "  build %d: %-14s %7.1f s, processor time %7.1f s (%d threads)%n",
            round + 1,
            c.process.name(),
            build.seconds(),
            build.cpuSeconds(),
            plan.threads());
      }
    }
  }

  private void warm(SystemProcess system) throws IOException {
    int[] grid = plan.ef();
    int part = plan.warmMillis() / 4;
    if (part > 0) {
      int middle = grid[grid.length / 2];
      for (int ef : new int[] {middle, grid[grid.length - 1], grid[0], middle}) {
        system.search(ef, AnnPlan.K, part);
      }
    }
  }

  private void point(int ef, List<Contestant> contestants) throws IOException {
    for (Contestant c : contestants) {
      c.qps.clear();
      c.recall = -1;
    }
    for (int round = 0; round < plan.rounds(); round++) {
      List<Contestant> order = new ArrayList<>(contestants);
      Collections.rotate(order, -round);
      for (Contestant c : order) {
        round(c, ef);
      }
    }
    out.printf(Locale.ROOT, "  ef %4d:", ef);
    for (Contestant c : contestants) {
      SetResult.Cell cell = new SetResult.Cell(ef, c.recall, List.copyOf(c.qps));
      c.row.add(cell);
      out.printf(Locale.ROOT, "  %s %.4f %.0f/s", c.process.name(), cell.recall(), cell.best());
    }
    out.println();
  }

  private void round(Contestant c, int ef) throws IOException {
    SystemProcess.Round r = c.process.search(ef, AnnPlan.K, plan.roundMillis());
    r.answers().check(c.process.name(), set);
    double recall = r.answers().recall(set, truth);
    if (c.recall >= 0 && c.recall != recall) {
      throw new IllegalStateException(
          c.process.name() + " at ef " + ef + " found " + c.recall + ", then " + recall);
    }
    c.recall = recall;
    c.qps.add(plan.cpuClock() ? r.cpuQps() : r.qps());
  }
}
