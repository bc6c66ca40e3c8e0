package dev.petunia.benchmarks.ann;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Recall and QPS of all systems over the grid of ef.
 *
 * <ol>
 *   <li>Each system runs in a process of its own; only one of them is asked at a time.
 *   <li>Each system is warmed up.
 *   <li>For each ef, rounds take turns between the systems, the first one moving on by one each
 *       round. A machine that gets slower for a while then hits all systems alike, and the fastest
 *       of the rounds counts: other load only ever makes a round slower.
 *   <li>The answers of every round are checked against exact search.
 * </ol>
 */
final class Curves {
  private static final int ALLOCATION_EF = 100;

  private final AnnContext context;
  private final AnnPlan.Rounds rounds;

  Curves(AnnContext context) {
    this.context = context;
    this.rounds = context.plan().rounds();
  }

  /** A contestant's rounds at one ef. */
  private record Point(Contestant contestant, Tally tally) {}

  /** Measures systems that have built, into their rows. */
  void measure(List<Contestant> all) throws IOException {
    for (Contestant c : all) {
      warm(c.process());
    }
    for (int i = 0; i < rounds.ef().length; i++) {
      int index = i;
      point(
          rounds.ef()[i],
          all.stream()
              .filter(c -> context.plan().measures(c.name(), index))
              .map(c -> new Point(c, tally(c, rounds.ef()[index])))
              .toList());
    }
    for (Contestant c : all) {
      if (!c.name().equals(Systems.HNSWLIB)) {
        c.row().allocation(c.process().allocation(ALLOCATION_EF, AnnPlan.K));
      }
    }
  }

  private void warm(SystemProcess system) throws IOException {
    int[] grid = rounds.ef();
    int part = rounds.warmMillis() / 4;
    if (part > 0) {
      int middle = grid[grid.length / 2];
      for (int ef : new int[] {middle, grid[grid.length - 1], grid[0], middle}) {
        system.search(ef, AnnPlan.K, part);
      }
    }
  }

  private void point(int ef, List<Point> points) throws IOException {
    for (int round = 0; round < rounds.at(ef); round++) {
      List<Point> order = new ArrayList<>(points);
      Collections.rotate(order, -round);
      for (Point p : order) {
        round(p, ef);
      }
    }
    context.out().printf(Locale.ROOT, "  ef %4d:", ef);
    for (Point p : points) {
      SetResult.Cell cell = p.tally.cell(ef);
      p.contestant.row().add(cell);
      context
          .out()
          .printf(Locale.ROOT, "  %s %.4f %.0f/s", p.contestant.name(), cell.recall(), cell.best());
    }
    context.out().println();
  }

  private void round(Point p, int ef) throws IOException {
    String name = p.contestant.name();
    SystemProcess.Round r = p.contestant.process().search(ef, AnnPlan.K, rounds.roundMillis());
    r.answers().check(name, context.set(), context.truth());
    p.tally.add(r, r.answers().recall(context.set(), context.truth()));
  }

  private Tally tally(Contestant c, int ef) {
    return new Tally(c.name() + " at ef " + ef, rounds.cpuClock());
  }
}
