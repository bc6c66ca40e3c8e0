package dev.petunia.benchmarks.ann;

import dev.petunia.benchmarks.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Half of the rows, chosen at random, are deleted one by one; then the index is searched beside a
 * fresh one that was built of the survivors alone.
 */
final class DeletesPart {
  private static final int[] GRID = {16, 32, 64, 100, 200};
  private static final int ROUNDS = 2;
  private static final double[] RECALLS = {0.95, 0.99};
  private static final long SEED = 5;

  private final AnnContext context;
  private final AnnPlan.Rounds rounds;
  private final String prefix;

  DeletesPart(AnnContext context) {
    this.context = context;
    this.rounds = context.plan().rounds();
    this.prefix = "ann." + context.set().name() + ".";
  }

  /** An index, the set it is asked about, and its points. */
  private static final class Side {
    final SystemProcess process;
    final AnnSet set;
    final ExactTruth truth;
    final List<SetResult.Cell> cells = new ArrayList<>();

    Side(SystemProcess process, AnnSet set, ExactTruth truth) {
      this.process = process;
      this.set = set;
      this.truth = truth;
    }

    Curve curve() {
      return new Curve(
          cells.stream().map(c -> new Curve.Point(c.ef(), c.recall(), c.best())).toList());
    }
  }

  /** The index of the contestant loses half of its rows for good. */
  void run(Contestant contestant, Report report) throws IOException, InterruptedException {
    AnnSet set = context.set();
    int n = set.base().length;
    int threads = context.plan().builds().threads();
    BitSet gone = FilterCase.sample(n, n / 2, new SplittableRandom(SEED));
    BitSet left = new BitSet(n);
    left.set(0, n);
    left.andNot(gone);
    int[] survivors = left.stream().toArray();
    AnnSet alone = set.part(survivors, IntStream.range(0, set.queries().length).toArray());
    ExactTruth truth = ExactTruth.of(alone, AnnPlan.K, threads);

    Path file = context.work().resolve("deleted");
    RowFiles.write(file, gone.stream().toArray());
    SystemProcess.Build deleting = contestant.process().delete(file);
    SystemProcess fresh =
        context.children().start(contestant.name(), "-fresh").orElseThrow(); // on the JVM
    try {
      Path base = context.work().resolve("survivors.f32");
      VectorFiles.write(base, alone.base());
      fresh.load(
          base, survivors.length, set.dimension(), context.queryFile(), set.queries().length);
      SystemProcess.Build building = fresh.build(AnnPlan.M, AnnPlan.EF_CONSTRUCTION, threads);
      context
          .out()
          .printf(
              Locale.ROOT,
              "%n  %s: %,d of %,d rows deleted in %.1f s; fresh index of the rest built in %.1f s%n",
              contestant.name(),
              gone.cardinality(),
              n,
              deleting.seconds(),
              building.seconds());
      Side after = new Side(contestant.process(), set, truth.renumbered(survivors));
      Side other = new Side(fresh, alone, truth);
      warm(after, other);
      for (int ef : GRID) {
        point(ef, after, other);
      }
      report(contestant.name(), gone.cardinality() / deleting.seconds(), after, other, report);
    } finally {
      context.children().end(fresh);
    }
  }

  private void warm(Side... sides) throws IOException {
    for (Side side : sides) {
      side.process.search(GRID[GRID.length / 2], AnnPlan.K, rounds.warmMillis() / 4);
    }
  }

  private void point(int ef, Side after, Side other) throws IOException {
    List<Side> order = new ArrayList<>(List.of(after, other));
    Tally afterTally = new Tally("after deletes, ef " + ef, rounds.cpuClock());
    Tally otherTally = new Tally("fresh, ef " + ef, rounds.cpuClock());
    for (int round = 0; round < ROUNDS; round++) {
      for (Side side : order) {
        SystemProcess.Round r = side.process.search(ef, AnnPlan.K, rounds.roundMillis());
        r.answers().check(side.process.name() + " after deletes", side.set, side.truth);
        Tally tally = side == after ? afterTally : otherTally;
        tally.add(r, r.answers().recall(side.set, side.truth));
      }
      Collections.reverse(order);
    }
    after.cells.add(afterTally.cell(ef));
    other.cells.add(otherTally.cell(ef));
    context
        .out()
        .printf(
            Locale.ROOT,
            "  ef %4d: after deletes %.4f %.0f/s, fresh %.4f %.0f/s%n",
            ef,
            after.cells.getLast().recall(),
            after.cells.getLast().best(),
            other.cells.getLast().recall(),
            other.cells.getLast().best());
  }

  private void report(
      String system, double deletesPerSecond, Side after, Side other, Report report) {
    String of = prefix + system + ".deletes.";
    report.add(of + "per_second", deletesPerSecond, "1/s");
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < GRID.length; i++) {
      least = Math.min(least, after.cells.get(i).recall() / other.cells.get(i).recall());
    }
    report.add(of + "recall_vs_fresh", least, "ratio");
    for (double recall : RECALLS) {
      OptionalDouble ours = after.curve().qpsAt(recall);
      OptionalDouble theirs = other.curve().qpsAt(recall);
      if (ours.isPresent() && theirs.isPresent()) {
        report.add(
            of + AnnMetrics.at(recall) + ".qps_vs_fresh",
            ours.getAsDouble() / theirs.getAsDouble(),
            "ratio");
      }
    }
  }
}
