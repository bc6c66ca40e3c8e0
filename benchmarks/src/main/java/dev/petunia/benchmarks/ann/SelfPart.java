package dev.petunia.benchmarks.ann;

import dev.petunia.benchmarks.Report;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Whether each stored vector, asked for with the default ef, comes first. */
final class SelfPart {
  private final AnnContext context;

  SelfPart(AnnContext context) {
    this.context = context;
  }

  void run(List<Contestant> all, Report report) throws IOException {
    String prefix = "ann." + context.set().name() + ".";
    int n = context.set().base().length;
    int least = n;
    context.out().println("\n  stored vectors that find themselves first, at the default ef");
    List<Contestant> variants =
        all.stream().filter(c -> Systems.VARIANTS.containsValue(c.name())).toList();
    for (Contestant c : variants) {
      int found = c.process().self(AnnPlan.K, context.plan().builds().threads());
      context.out().printf(Locale.ROOT, "  %-14s %,d of %,d%n", c.name(), found, n);
      report.add(prefix + c.name() + ".self_recall", (double) found / n, "ratio");
      least = Math.min(least, found);
    }
    if (!variants.isEmpty()) {
      report.add(prefix + "self_recall", (double) least / n, "ratio");
    }
  }
}
