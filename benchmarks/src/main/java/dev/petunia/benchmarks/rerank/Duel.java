package dev.petunia.benchmarks.rerank;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Two ways to score the same pairs, in turns, so that other work on the machine meets both; and
 * whether they agree.
 */
final class Duel {
  private static final double MB = 1e6;
  private static final int OWN_DRIFT_PAIRS = 24;

  private final RerankContext context;
  private final PairTexts texts;

  Duel(RerankContext context, PairTexts texts) {
    this.context = context;
    this.texts = texts;
  }

  /**
   * The outcome.
   *
   * @param naive pairs a second, from all turns together
   * @param petunia pairs a second
   * @param ratio the median of the turns' ratios
   * @param naivePeakMb peak resident memory of the naive process
   * @param petuniaPeakMb that of Petunia's
   */
  record Outcome(
      double naive, double petunia, double ratio, double naivePeakMb, double petuniaPeakMb) {}

  /**
   * Each turn is one request of passages {@code [turn * size, turn * size + size)}, first by one
   * side and then by the other, which goes first changing every turn.
   *
   * @param batch of the naive side
   * @throws IllegalStateException when the scores don't agree
   */
  Outcome run(int batch, int size) throws IOException {
    int count = texts.passages().size();
    double[] naiveLogits = new double[count];
    double[] ourLogits = new double[count];
    List<Double> ratios = new ArrayList<>();
    double naiveSeconds = 0;
    double ourSeconds = 0;
    try (ScorerProcess naive =
            context.start(ScorerKind.NAIVE, context.setup().withBatch(batch), texts);
        ScorerProcess ours = context.start(ScorerKind.PETUNIA, context.setup(), texts)) {
      naive.score(0, 2); // the first run prepares things
      ours.score(0, 2);
      for (int from = 0; from < count; from += size) {
        int to = Math.min(count, from + size);
        boolean naiveFirst = from / size % 2 == 0;
        double a = naiveFirst ? turn(naive, from, to, naiveLogits) : 0;
        double b = turn(ours, from, to, ourLogits);
        a = naiveFirst ? a : turn(naive, from, to, naiveLogits);
        naiveSeconds += a;
        ourSeconds += b;
        ratios.add(a / b);
        context
            .out()
            .printf(
                Locale.ROOT,
                "    %d of %d: naive %.2f pairs/s, Petunia %.2f%n",
                to,
                count,
                (to - from) / a,
                (to - from) / b);
      }
      Agreement agreement = Agreement.of(naiveLogits, ourLogits);
      context.out().println("  scores: " + agreement.describe());
      agreement.require(context.setup().precision(), ownDrift(batch, naiveLogits));
      double naivePeak = naive.peak() / MB;
      double ourPeak = ours.peak() / MB;
      context
          .out()
          .printf(
              Locale.ROOT,
              "  peak resident memory: naive %,.0f MB, Petunia %,.0f MB%n",
              naivePeak,
              ourPeak);
      ratios.sort(null);
      return new Outcome(
          count / naiveSeconds, count / ourSeconds, median(ratios), naivePeak, ourPeak);
    }
  }

  /** Peak resident memory of a naive process that copies logits, as most do; in MB. */
  double copyingPeakMb() throws IOException {
    try (ScorerProcess copying = context.start(ScorerKind.NAIVE_COPYING, context.setup(), texts)) {
      copying.score(0, Math.min(4, texts.passages().size()));
      double peak = copying.peak() / MB;
      context
          .out()
          .printf(Locale.ROOT, "  peak of a naive process that copies logits: %,.0f MB%n", peak);
      return peak;
    }
  }

  /** How far the naive side's int8 scores of some passages are from its own in other batches. */
  private double ownDrift(int batch, double[] naiveLogits) throws IOException {
    if (context.setup().precision() == Precision.FP32) {
      return 0;
    }
    int some = Math.min(OWN_DRIFT_PAIRS, naiveLogits.length);
    int other = batch == 1 ? 4 : 1;
    try (ScorerProcess again =
        context.start(ScorerKind.NAIVE, context.setup().withBatch(other), texts)) {
      double[] logits = again.score(0, some).logits();
      Agreement own = Agreement.of(Arrays.copyOf(naiveLogits, some), logits);
      context
          .out()
          .println(
              "  naive scores in batches of " + batch + " and of " + other + ": " + own.describe());
      return own.drift();
    }
  }

  private static double turn(ScorerProcess side, int from, int to, double[] into)
      throws IOException {
    ScorerProcess.Scored scored = side.score(from, to);
    System.arraycopy(scored.logits(), 0, into, from, to - from);
    return scored.seconds();
  }

  private static double median(List<Double> sorted) {
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }
}
