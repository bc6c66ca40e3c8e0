package dev.petunia.benchmarks.rerank;

import dev.petunia.benchmarks.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** By how much a request outlives its deadline while other threads keep all processors busy. */
final class DeadlinePart {
  /** A deadline gets about so much time, but at least four requests. */
  private static final int TIME_MILLIS = 15_000;

  private final RerankContext context;

  DeadlinePart(RerankContext context) {
    this.context = context;
  }

  void run(PairTexts texts, Report report) throws IOException {
    int processors = Runtime.getRuntime().availableProcessors();
    context.out().printf(Locale.ROOT, "%nDeadlines, beside %d busy threads:%n", processors);
    List<Double> all = new ArrayList<>();
    List<Double> sleeper = new ArrayList<>();
    try (BusyThreads busy = new BusyThreads(processors);
        ScorerProcess ours = context.start(ScorerKind.PETUNIA, context.setup(), texts)) {
      ours.score(0, 4);
      for (int millis : context.plan().deadlines()) {
        all.addAll(requests(ours, millis, texts.passages().size(), sleeper));
      }
      context.out().printf(Locale.ROOT, "  (work done beside it: %d rounds)%n", busy.rounds());
    }
    context
        .out()
        .printf(
            Locale.ROOT,
            "  a thread that only slept until the deadline woke late by p50 %.1f ms, p99 %.1f,"
                + " max %.1f%n",
            quantile(sleeper, 0.5),
            quantile(sleeper, 0.99),
            quantile(sleeper, 1));
    report.add("rerank.deadline.overshoot_p50_ms", quantile(all, 0.5), "ms");
    report.add("rerank.deadline.overshoot_p99_ms", quantile(all, 0.99), "ms");
    report.add("rerank.deadline.overshoot_max_ms", quantile(all, 1), "ms");
    List<Double> beyond = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      beyond.add(all.get(i) - sleeper.get(i)); // of the same request
    }
    report.add("rerank.deadline.overshoot_beyond_sleeper_p99_ms", quantile(beyond, 0.99), "ms");
    report.add("rerank.deadline.sleeper_p99_ms", quantile(sleeper, 0.99), "ms");
  }

  private List<Double> requests(ScorerProcess ours, int millis, int passages, List<Double> sleeper)
      throws IOException {
    int most = context.plan().requests();
    int count = Math.clamp(TIME_MILLIS / millis, Math.min(4, most), most);
    List<Double> over = new ArrayList<>();
    double scored = 0;
    for (int i = 0; i < count; i++) {
      ScorerProcess.Within w = ours.within(millis);
      over.add(w.seconds() * 1000 - millis);
      scored += w.scored();
      sleeper.add(w.sleeperLate() * 1000);
    }
    context
        .out()
        .printf(
            Locale.ROOT,
            "  %5d ms: %3d requests, %.1f of %d passages scored on average, overshoot p50 %.1f ms,"
                + " p99 %.1f, max %.1f%n",
            millis,
            count,
            scored / count,
            passages,
            quantile(over, 0.5),
            quantile(over, 0.99),
            quantile(over, 1));
    return over;
  }

  /** The least value that so large a part of all doesn't exceed. */
  static double quantile(List<Double> values, double part) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(Math.clamp((int) Math.ceil(part * sorted.size()) - 1, 0, sorted.size() - 1));
  }
}
