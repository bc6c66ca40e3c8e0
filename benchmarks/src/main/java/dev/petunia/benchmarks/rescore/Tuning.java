package dev.petunia.benchmarks.rescore;

import dev.petunia.dedup.RescoreConfig;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The best setting on the dev split. Of the settings under which recall@10 of no set of ordinary
 * dev questions falls below rank fusion's: most spans with their source first, then the highest
 * MRR, then the fewest points of α, the tier's border and containment away from version 1.
 *
 * <p>α and the border first, without containment; then containment's two numbers at these.
 *
 * @param j without containment
 * @param jc with it
 */
record Tuning(Contender j, Contender jc) {
  /** The weight of J below the tier, in percent. */
  private static final int[] ALPHAS = {0, 5, 10, 15, 20, 30, 50, 70, 85, 100};

  private static final int[] TIERS = {20, 30, 40, 50, 60, 70, 80, 100};
  private static final int[] CONTAINED = {50, 60, 70, 80, 90};
  private static final int[] SHINGLES = {4, 8, 12, 16, 32};

  /** The weight of J below the tier, in percent. */
  static int alpha(RescoreConfig c) {
    return (int) Math.round(100 * (1 - c.rrfWeight()));
  }

  /** A setting and how good it is on dev. */
  private record Tried(RescoreConfig config, int successes, double mrr, boolean isHarmless) {
    boolean isBetterThan(Tried o) {
      if (isHarmless != o.isHarmless) {
        return isHarmless;
      }
      if (successes != o.successes) {
        return successes > o.successes;
      }
      return mrr != o.mrr ? mrr > o.mrr : distance() < o.distance();
    }

    private int distance() {
      RescoreConfig v1 = RescoreConfig.DEFAULT;
      return Math.abs(alpha(config) - alpha(v1))
          + Math.abs(config.tierPercent() - v1.tierPercent())
          + Math.abs(config.containedPercent() - v1.containedPercent())
          + Math.abs(config.containedShingles() - v1.containedShingles());
    }
  }

  /** Tries all, and prints how many spans have their source first under each. */
  static Tuning on(List<Asked> spans, List<List<Asked>> ordinary, PrintStream out) {
    double[] least =
        ordinary.stream().mapToDouble(o -> Outcome.of(Contender.RRF, o).recall()).toArray();
    out.printf(
        Locale.ROOT,
        "%nTuning on dev: sources first of %d spans (RRF: %d); * recall@10 of ordinary questions"
            + " falls%n  tier \\ alpha",
        spans.size(),
        Outcome.of(Contender.RRF, spans).successes());
    head(ALPHAS, out);
    Tried best = null;
    for (int tier : TIERS) {
      out.printf(Locale.ROOT, "  %11d%%", tier);
      for (int alpha : ALPHAS) {
        Tried t =
            tried(
                RescoreConfig.DEFAULT.withTierPercent(tier).withRrfWeight((100 - alpha) / 100.0),
                spans,
                ordinary,
                least,
                out);
        best = best == null || t.isBetterThan(best) ? t : best;
      }
      out.println();
    }
    if (best == null) {
      throw new AssertionError("nothing was tried");
    }
    RescoreConfig j = best.config;
    out.printf(
        Locale.ROOT,
        "  best: %s, MRR %.4f%n  with containment at that setting%n  contained \\ shingles",
        text(j),
        best.mrr);
    head(SHINGLES, out);
    best = null;
    for (int percent : CONTAINED) {
      out.printf(Locale.ROOT, "  %19d%%", percent);
      for (int shingles : SHINGLES) {
        Tried t = tried(j.withContainment(percent, shingles), spans, ordinary, least, out);
        best = best == null || t.isBetterThan(best) ? t : best;
      }
      out.println();
    }
    if (best == null) {
      throw new AssertionError("nothing was tried");
    }
    out.printf(Locale.ROOT, "  best: %s, MRR %.4f%n", text(best.config), best.mrr);
    return new Tuning(
        new Contender("tuned +J", "tuned.j", Optional.of(j)),
        new Contender("tuned +J+C", "tuned.jc", Optional.of(best.config)));
  }

  private static void head(int[] values, PrintStream out) {
    for (int v : values) {
      out.printf(Locale.ROOT, " %5d", v);
    }
    out.println();
  }

  private static Tried tried(
      RescoreConfig config,
      List<Asked> spans,
      List<List<Asked>> ordinary,
      double[] least,
      PrintStream out) {
    Contender contender = new Contender("", "", Optional.of(config));
    Outcome ofSpans = Outcome.of(contender, spans);
    boolean isHarmless = true;
    for (int i = 0; i < least.length; i++) {
      isHarmless &= Outcome.of(contender, ordinary.get(i)).recall() >= least[i];
    }
    out.printf(Locale.ROOT, " %4d%s", ofSpans.successes(), isHarmless ? " " : "*");
    return new Tried(config, ofSpans.successes(), ofSpans.mrr(), isHarmless);
  }

  /** A setting in words. */
  static String text(RescoreConfig c) {
    String text = "alpha " + alpha(c) + " %, tier from J = " + c.tierPercent() + " %";
    return c.containment()
        ? text
            + ", contained from "
            + c.containedPercent()
            + " % of "
            + c.containedShingles()
            + " shingles"
        : text;
  }
}
