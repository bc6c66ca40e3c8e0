package dev.petunia.benchmarks.ann;

import dev.petunia.benchmarks.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Searches beside a writer: one thread asks, one deletes rows and puts them back.
 *
 * <p>A fifth of the rows, chosen at random, may be away at any moment, so the right answer is not
 * known as a whole. It is known of the rest, which nobody touches: if s of the rows in an answer
 * are of these, they must be the s nearest of these. Recall is counted over them, before, during
 * and after the writes alike.
 */
final class MixedPart {
  private static final int EF = 100;
  private static final int SHARE = 5;
  private static final long SEED = 7;

  /** Rounds last longer than elsewhere: a sweep of deleted rows comes once in many writes. */
  private static final int LONGER = 10;

  private final AnnContext context;
  private final BitSet untouched;
  private final Path file;
  private final ExactTruth truth;

  MixedPart(AnnContext context) throws IOException, InterruptedException {
    this.context = context;
    int n = context.set().base().length;
    BitSet churned = FilterCase.sample(n, n / SHARE, new SplittableRandom(SEED));
    untouched = new BitSet(n);
    untouched.set(0, n);
    untouched.andNot(churned);
    file = context.work().resolve("churned");
    RowFiles.write(file, churned.stream().toArray());
    truth =
        ExactTruth.among(
            context.set(),
            List.of(untouched),
            new int[context.set().queries().length],
            AnnPlan.K,
            context.plan().builds().threads());
  }

  void run(Contestant contestant, Report report) throws IOException {
    SystemProcess process = contestant.process();
    int millis = context.plan().rounds().roundMillis() * LONGER;
    process.search(EF, AnnPlan.K, millis); // warm
    SystemProcess.Round before = process.search(EF, AnnPlan.K, millis);
    SystemProcess.Mixed during = process.mixed(EF, AnnPlan.K, millis, file);
    SystemProcess.Round after = process.search(EF, AnnPlan.K, millis);
    after.answers().check(contestant.name(), context.set(), context.truth());

    String of = "ann." + context.set().name() + "." + contestant.name() + ".mixed.";
    double recallBefore = recall(before);
    double recallDuring = recall(during.round());
    double recallAfter = recall(after);
    context
        .out()
        .printf(
            Locale.ROOT,
            "%n  %s beside a writer, ef %d, recall of untouched rows%n"
                + "  before %.4f %.0f/s, during %.4f %.0f/s and %.0f writes/s, after %.4f %.0f/s%n",
            contestant.name(),
            EF,
            recallBefore,
            qps(before),
            recallDuring,
            qps(during.round()),
            during.writesPerSecond(),
            recallAfter,
            qps(after));
    report.add(of + "writes_per_second", during.writesPerSecond(), "1/s");
    report.add(of + "qps_vs_alone", qps(during.round()) / qps(before), "ratio");
    report.add(of + "recall_minus_alone", recallDuring - recallBefore, "difference");
    report.add(of + "recall_after_minus_before", recallAfter - recallBefore, "difference");
  }

  private double qps(SystemProcess.Round round) {
    return context.plan().rounds().cpuClock() ? round.cpuQps() : round.qps();
  }

  private double recall(SystemProcess.Round round) {
    return recall(context.set(), round.answers(), untouched, truth);
  }

  /**
   * The share of the untouched rows in the answers that are among the nearest so many untouched.
   *
   * @param truth the nearest of the untouched rows
   */
  static double recall(AnnSet set, Answers answers, BitSet untouched, ExactTruth truth) {
    long right = 0;
    long counted = 0;
    for (int q = 0; q < set.queries().length; q++) {
      List<Integer> rows = new ArrayList<>();
      for (int r = 0; r < answers.k(); r++) {
        int row = answers.rows()[q * answers.k() + r];
        if (row >= 0 && untouched.get(row)) {
          rows.add(row);
        }
      }
      if (rows.isEmpty()) {
        continue;
      }
      float[] query = set.queries()[q];
      int last = truth.rows()[q][rows.size() - 1];
      double bound = ExactTruth.distance(query, set.base()[last]) + Answers.TIE;
      counted += rows.size();
      for (int row : rows) {
        right += ExactTruth.distance(query, set.base()[row]) <= bound ? 1 : 0;
      }
    }
    return (double) right / counted;
  }
}
