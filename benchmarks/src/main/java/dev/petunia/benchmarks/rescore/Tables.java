package dev.petunia.benchmarks.rescore;

import dev.petunia.benchmarks.Report;
import dev.petunia.benchmarks.floor.Bootstrap;
import dev.petunia.dedup.Overlap;
import dev.petunia.dedup.RescoreCandidate;
import dev.petunia.dedup.RescoreConfig;
import dev.petunia.dedup.ShingleSet;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * The tables of the pasted passages of the test split, and their figures.
 *
 * @param outcomes of the contenders, rank fusion first
 * @param spans in the order of the questions
 */
record Tables(Map<Contender, Outcome> outcomes, List<Span> spans) {

  static Tables of(List<Contender> contenders, List<Span> spans, List<Asked> asked) {
    Map<Contender, Outcome> outcomes = new LinkedHashMap<>();
    for (Contender c : contenders) {
      outcomes.put(c, Outcome.of(c, asked));
    }
    return new Tables(outcomes, spans);
  }

  Outcome outcome(Contender c) {
    Outcome o = outcomes.get(c);
    if (o == null) {
      throw new AssertionError(c.label());
    }
    return o;
  }

  private IntPredicate ofLength(int length) {
    return i -> spans.get(i).length() == length;
  }

  /** The difference of two contenders' success@1 for one length. */
  Bootstrap successOver(Contender a, Contender b, int length) {
    return outcome(a).at(ofLength(length)).successOver(outcome(b).at(ofLength(length)));
  }

  /** Success@1 in whole numbers and MRR, by length and noise. */
  void print(PrintStream out) {
    out.printf(Locale.ROOT, "  %-6s %5s %4s  source first:", "length", "noise", "n");
    outcomes.keySet().forEach(c -> out.printf(" %10s", c.label()));
    out.print("   MRR:");
    outcomes.keySet().forEach(c -> out.printf(" %10s", c.label()));
    out.println();
    for (int length : Span.lengths()) {
      for (int noise : Span.noises()) {
        row(
            Span.label(length),
            noise + " %",
            i -> spans.get(i).length() == length && spans.get(i).noise() == noise,
            out);
      }
      row(Span.label(length), "any", ofLength(length), out);
    }
    row("any", "any", i -> true, out);
  }

  private void row(String length, String noise, IntPredicate places, PrintStream out) {
    int n = outcomes.values().iterator().next().at(places).success().length;
    out.printf(Locale.ROOT, "  %-6s %5s %4d               ", length, noise, n);
    outcomes.values().forEach(o -> out.printf(Locale.ROOT, " %10d", o.at(places).successes()));
    out.print("       ");
    outcomes.values().forEach(o -> out.printf(Locale.ROOT, " %10.4f", o.at(places).mrr()));
    out.println();
  }

  /** What one contender adds to another, by length. */
  void differences(Contender a, Contender b, PrintStream out) {
    out.printf("  %s against %s, success@1 with its 95 %% interval%n", a.label(), b.label());
    for (int length : Span.lengths()) {
      difference(a, b, Span.label(length), ofLength(length), out);
    }
    difference(a, b, "any", i -> true, out);
  }

  private void difference(
      Contender a, Contender b, String label, IntPredicate places, PrintStream out) {
    Outcome oa = outcome(a).at(places);
    Outcome ob = outcome(b).at(places);
    out.printf(
        Locale.ROOT,
        "    %-4s %s   gained %d, lost %d of %d%n",
        label,
        oa.successOver(ob),
        oa.gained(ob),
        ob.gained(oa),
        oa.success().length);
  }

  void report(Report report) {
    for (Map.Entry<Contender, Outcome> e : outcomes.entrySet()) {
      String of = "rescore." + e.getKey().key();
      Outcome o = e.getValue();
      report.add(of + ".success1", o.successes(), "spans");
      report.add(of + ".mrr", o.mrr(), "ratio");
      if (e.getKey() != Contender.RRF) {
        add(report, of + ".success1", o.successOver(outcome(Contender.RRF)));
        add(report, of + ".mrr", o.mrrOver(outcome(Contender.RRF)));
      }
    }
  }

  /** A difference and its interval. */
  static void add(Report report, String of, Bootstrap b) {
    report.add(of + ".delta", b.difference(), "ratio");
    report.add(of + ".delta_low", b.low(), "ratio");
    report.add(of + ".delta_high", b.high(), "ratio");
  }

  /** How often the tier of version 1 has anything, and the source. */
  static void tier(List<Span> spans, List<Asked> asked, PrintStream out, Report report) {
    out.println("  J >= 0.60 in the pool: spans with such a passage / with the source among them");
    out.printf("  %-8s", "length");
    for (int noise : Span.noises()) {
      out.printf(" %12s", "noise " + noise + " %");
    }
    out.println();
    int fired = 0;
    int right = 0;
    for (int length : Span.lengths()) {
      out.printf("  %-8s", Span.label(length));
      for (int noise : Span.noises()) {
        int some = 0;
        int good = 0;
        for (int i = 0; i < spans.size(); i++) {
          if (spans.get(i).length() == length && spans.get(i).noise() == noise) {
            List<String> near = near(asked.get(i));
            some += near.isEmpty() ? 0 : 1;
            good += near.stream().anyMatch(asked.get(i).gains()::containsKey) ? 1 : 0;
          }
        }
        fired += some;
        right += good;
        out.printf(" %12s", some + " / " + good);
      }
      out.println();
    }
    report.add("rescore.tier.fired", fired, "spans");
    report.add("rescore.tier.right", right, "spans");
  }

  /** The passages of a pool that the tier of version 1 puts before all others. */
  static List<String> near(Asked asked) {
    List<String> out = new ArrayList<>();
    for (RescoreCandidate c : asked.pool()) {
      ShingleSet s = c.shingles();
      Optional<Overlap> o =
          s == null || asked.shingles().isEmpty() && s.isEmpty()
              ? Optional.empty()
              : Optional.of(asked.shingles().overlap(s));
      if (o.isPresent() && o.get().isAtLeast(RescoreConfig.DEFAULT.tierPercent(), 100)) {
        out.add(c.id());
      }
    }
    return out;
  }

  /**
   * Spans that are in another chunk too, which is no near-duplicate of theirs: 80 % of their
   * shingles are. Nobody can tell which of the two was pasted.
   */
  static void ambiguous(
      List<Span> spans, List<Asked> asked, List<ShingleSet> sets, Twins twins, PrintStream out) {
    out.print("  spans of which 80 % is in another chunk that is no near-duplicate of the source:");
    for (int length : Span.lengths()) {
      int some = 0;
      int all = 0;
      for (int i = 0; i < spans.size(); i++) {
        if (spans.get(i).length() == length) {
          all++;
          some += isElsewhere(spans.get(i).source(), asked.get(i).shingles(), sets, twins) ? 1 : 0;
        }
      }
      out.printf(" %s: %d of %d;", Span.label(length), some, all);
    }
    out.println();
  }

  private static boolean isElsewhere(
      int source, ShingleSet span, List<ShingleSet> sets, Twins twins) {
    for (int c = 0; c < sets.size(); c++) {
      if (c != source
          && !twins.of(source).contains(c)
          && !span.isEmpty()
          && 10L * span.overlap(sets.get(c)).intersection() >= 8L * span.size()) {
        return true;
      }
    }
    return false;
  }

  /** The mean of some values. */
  static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }
}
