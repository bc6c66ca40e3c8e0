package dev.petunia.benchmarks.rescore;

import dev.petunia.benchmarks.Report;
import dev.petunia.benchmarks.floor.Bootstrap;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What the contenders do to ordinary questions, set by set. */
final class Ordinary {
  /** From this lower bound of the gain on, SPLADE would be worth trying. */
  private static final double MARGIN = 0.05;

  /** A contender's recall@10 against rank fusion's on one set. */
  record Change(String set, Contender contender, Bootstrap recall10) {}

  private final List<Contender> contenders;
  private final PrintStream out;
  private final Report report;
  private final List<Change> changes = new ArrayList<>();
  private final List<String> armed = new ArrayList<>();
  private int sets;

  Ordinary(List<Contender> contenders, PrintStream out, Report report) {
    this.contenders = contenders.stream().filter(c -> c != Contender.RRF).toList();
    this.out = out;
    this.report = report;
  }

  List<Change> changes() {
    return List.copyOf(changes);
  }

  /** The sets of which a perfect lexical half would gain enough. */
  List<String> armed() {
    return List.copyOf(armed);
  }

  int sets() {
    return sets;
  }

  /** Measures a set of questions and prints its lines. */
  void measure(String set, List<Asked> questions) {
    sets++;
    String of = "rescore.ordinary." + set;
    Outcome rrf = Outcome.of(Contender.RRF, questions);
    out.printf(
        Locale.ROOT,
        "  %s: %d questions, recall@10 %.4f by RRF%n",
        set,
        questions.size(),
        rrf.recall());
    report.add(of + ".rrf.recall10", rrf.recall(), "ratio");
    for (Contender c : contenders) {
      Outcome o = Outcome.of(c, questions);
      Bootstrap b = o.recallOver(rrf);
      changes.add(new Change(set, c, b));
      out.printf(
          Locale.ROOT,
          "    %-11s %s, success@1 %s; the first ten are others or in another order in %d%n",
          c.label(),
          Arrays.equals(o.recall10(), rrf.recall10()) ? "the same in every question" : b.toString(),
          Arrays.equals(o.success(), rrf.success()) ? "the same" : o.successOver(rrf).toString(),
          moved(c, questions));
      report.add(of + "." + c.key() + ".recall10.delta", b.difference(), "ratio");
      report.add(of + "." + c.key() + ".recall10.delta_low", b.low(), "ratio");
    }
    floor(of, questions);
    oracle(of, set, questions);
  }

  private static int moved(Contender c, List<Asked> questions) {
    int n = 0;
    for (Asked q : questions) {
      n += first10(Contender.RRF.order(q)).equals(first10(c.order(q))) ? 0 : 1;
    }
    return n;
  }

  private static List<String> first10(List<String> ids) {
    return ids.subList(0, Math.min(10, ids.size()));
  }

  /** What a floor would do that puts J ≥ 0.60 before the cross-encoder's best. */
  private void floor(String of, List<Asked> questions) {
    int fired = 0;
    int right = 0;
    int first = 0;
    for (Asked q : questions) {
      List<String> near = Tables.near(q);
      if (!near.isEmpty()) {
        fired++;
        right += near.stream().anyMatch(q.gains()::containsKey) ? 1 : 0;
        first += near.contains(Contender.RRF.order(q).getFirst()) ? 1 : 0;
      }
    }
    int n = questions.size();
    int moved = moved(Contender.J, questions);
    out.printf(
        Locale.ROOT,
        "    floor: J >= 0.60 would head %d of %d (%.2f %%), %d of them with a relevant passage, %d"
            + " with what RRF has first; J moves the first ten of the queue in %.2f %%%n",
        fired,
        n,
        100.0 * fired / n,
        right,
        first,
        100.0 * moved / n);
    report.add(of + ".tier_share", (double) fired / n, "ratio");
    report.add(of + ".queue_moved_share", (double) moved / n, "ratio");
  }

  private void oracle(String of, String set, List<Asked> questions) {
    double[] asIs = oracle(questions, LexicalOracle::asIs);
    Bootstrap any = Bootstrap.of(oracle(questions, LexicalOracle::any), asIs);
    Bootstrap reordered = Bootstrap.of(oracle(questions, LexicalOracle::reordered), asIs);
    boolean isArmed = any.low() > MARGIN;
    out.printf(
        Locale.ROOT,
        "    SPLADE trigger: recall@10 %.4f; a perfect lexical half %s (among what BM25 found: %s):"
            + " %s%n",
        Tables.mean(asIs),
        any,
        reordered,
        isArmed ? "armed" : "not armed");
    report.add("rescore.splade." + set + ".recall10", Tables.mean(asIs), "ratio");
    report.add("rescore.splade." + set + ".gain", any.difference(), "ratio");
    report.add("rescore.splade." + set + ".gain_low", any.low(), "ratio");
    report.add("rescore.splade." + set + ".reordered_gain", reordered.difference(), "ratio");
    report.add("rescore.splade." + set + ".armed", isArmed ? 1 : 0, "flag");
    if (isArmed) {
      armed.add(set);
    }
  }

  private static double[] oracle(List<Asked> questions, ToDoubleFunction<LexicalOracle> part) {
    return questions.stream().map(Asked::oracle).mapToDouble(part).toArray();
  }

  /** The worst change of any set, and the lowest lower bound, of each contender. */
  void reportWorst() {
    for (Contender c : contenders) {
      List<Bootstrap> of =
          changes.stream().filter(x -> x.contender() == c).map(Change::recall10).toList();
      String name = "rescore." + c.key() + ".ordinary_recall10";
      report.add(
          name + ".delta",
          of.stream().mapToDouble(Bootstrap::difference).min().orElseThrow(),
          "ratio");
      report.add(
          name + ".delta_low",
          of.stream().mapToDouble(Bootstrap::low).min().orElseThrow(),
          "ratio");
    }
  }
}
