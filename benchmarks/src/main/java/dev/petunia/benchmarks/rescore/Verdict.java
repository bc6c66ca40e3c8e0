package dev.petunia.benchmarks.rescore;

import dev.petunia.benchmarks.floor.Bootstrap;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** The answer in words. */
final class Verdict {
  private final Tables tables;
  private final Ordinary ordinary;

  Verdict(Tables tables, Ordinary ordinary) {
    this.tables = tables;
    this.ordinary = ordinary;
  }

  void print(Tuning tuning, PrintStream out) {
    out.println("\nVerdict, on the test split:");
    line("J at version 1's setting", Contender.J, Contender.RRF, out);
    line("containment on top of it", Contender.JC, Contender.J, out);
    line("J as tuned on dev", tuning.j(), Contender.RRF, out);
    line("containment as tuned, on top of it", tuning.jc(), tuning.j(), out);
    boolean v1 = helps(Contender.J);
    out.println(
        "  "
            + (v1
                ? "J at version 1's setting may be on by default."
                : helps(tuning.j())
                    ? "J at version 1's setting may not be on by default; as tuned it may."
                    : "J may not be on by default, tuned or not."));
    out.println(
        ordinary.armed().isEmpty()
            ? "  The SPLADE trigger is not armed by any set."
            : "  The SPLADE trigger is armed by "
                + ordinary.armed()
                + ", of "
                + ordinary.sets()
                + " sets: an upper bound, since no ranker knows the judgements.");
  }

  /** Whether it helps those who paste, surely, and harms no set of questions, surely. */
  boolean helps(Contender c) {
    return tables.outcome(c).successOver(tables.outcome(Contender.RRF)).significantlyBetter()
        && losses(c, true).isEmpty();
  }

  private void line(String what, Contender a, Contender b, PrintStream out) {
    Bootstrap all = tables.outcome(a).successOver(tables.outcome(b));
    List<String> better = new ArrayList<>();
    List<String> worse = new ArrayList<>();
    for (int length : Span.lengths()) {
      Bootstrap one = tables.successOver(a, b, length);
      if (one.significantlyBetter()) {
        better.add(Span.label(length));
      }
      if (one.significantlyWorse()) {
        worse.add(Span.label(length));
      }
    }
    out.printf(
        "  %s %s: success@1 %s%s%s. Ordinary questions: %s.%n",
        what,
        all.significantlyBetter() ? "helps" : all.significantlyWorse() ? "harms" : "does not help",
        all,
        better.isEmpty() ? "; surely better at no length" : "; surely better at length " + better,
        worse.isEmpty() ? "" : "; surely worse at length " + worse,
        ordinaryWords(a));
  }

  private String ordinaryWords(Contender c) {
    List<String> surely = losses(c, true);
    List<String> some = losses(c, false);
    if (!surely.isEmpty()) {
      return "recall@10 surely falls in " + surely;
    }
    return some.isEmpty()
        ? "recall@10 falls in none of " + ordinary.sets() + " sets"
        : "recall@10 is lower in " + some + ", within its interval; surely in none";
  }

  private List<String> losses(Contender c, boolean isSure) {
    return ordinary.changes().stream()
        .filter(x -> x.contender() == c)
        .filter(x -> isSure ? x.recall10().significantlyWorse() : x.recall10().difference() < 0)
        .map(Ordinary.Change::set)
        .toList();
  }
}
