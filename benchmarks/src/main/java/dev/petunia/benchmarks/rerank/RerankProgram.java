package dev.petunia.benchmarks.rerank;

import dev.petunia.benchmarks.Options;
import dev.petunia.benchmarks.Program;
import dev.petunia.benchmarks.Report;
import dev.petunia.benchmarks.ann.Folders;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Speed, memory and punctuality of the cross-encoder on a model of random weights. */
public final class RerankProgram implements Program {
  /** Passages of a turn over mixed lengths: whole batches. */
  private static final int MIXED_TURN = 12;

  private final PrintStream out = System.out;

  @Override
  public String name() {
    return "rerank";
  }

  @Override
  public String summary() {
    return "cross-encoder of Qwen3's size against plain loops: pairs/s, memory, deadlines";
  }

  @Override
  public List<String> help() {
    return RerankPlan.help();
  }

  @Override
  public void run(Options options, Report report) throws Exception {
    RerankPlan plan = RerankPlan.of(options);
    Path work = Files.createTempDirectory("petunia-rerank-");
    RerankContext[] started = new RerankContext[1];
    Thread atExit = new Thread(() -> end(started[0], work));
    Runtime.getRuntime().addShutdownHook(atExit); // an interrupted run leaves nothing behind
    try {
      run(plan, work, started, report);
    } finally {
      if (remove(atExit)) {
        end(started[0], work);
      }
    }
    out.println();
    for (Report.Metric m : report.metrics()) {
      out.printf(Locale.ROOT, "%-45s %.4g %s%n", m.name(), m.value(), m.unit());
    }
  }

  private void run(RerankPlan plan, Path work, RerankContext[] started, Report report)
      throws Exception {
    if (plan.parts().contains("fixture")) {
      if (plan.fixture().isPresent()) {
        new FixturePart(plan.fixture().get(), out).run(report);
      } else {
        out.println("No fixture is named (--fixture DIR): golden scores are not compared.");
      }
    }
    if (plan.parts().stream().allMatch("fixture"::equals)) {
      return;
    }
    ScorerSetup setup =
        new ScorerSetup(
            plan.models(),
            plan.shape(),
            plan.precision(),
            plan.seed(),
            QwenTokenizer.file(plan, work),
            plan.threads(),
            1);
    long start = System.nanoTime();
    GeneratedModel model = setup.model();
    out.printf(
        Locale.ROOT,
        "%nModel: %s, %s, random weights, %,d MB, made or found in %.1f s: %s%n",
        plan.shape().label(),
        plan.precision().label(),
        model.bytes() / 1_000_000,
        (System.nanoTime() - start) / 1e9,
        model.folder());
    RerankContext context = new RerankContext(plan, setup, work, out);
    started[0] = context;
    PairTexts mixed;
    PairTexts equal;
    try (PairPrompt prompt = new PairPrompt(setup.tokenizer())) {
      equal = PairTexts.equal(prompt, plan.pairs() * plan.rounds(), plan.tokens(), plan.seed());
      mixed = PairTexts.mixed(prompt, plan.mixed(), plan.longest(), plan.seed());
    }
    if (plan.parts().contains("pairs")) {
      pairs(context, equal, report);
    }
    if (plan.parts().contains("mixed")) {
      mixed(context, mixed, report);
    }
    if (plan.parts().contains("deadline")) {
      new DeadlinePart(context).run(mixed, report);
    }
  }

  private void pairs(RerankContext context, PairTexts texts, Report report) throws IOException {
    RerankPlan plan = context.plan();
    out.printf(
        Locale.ROOT,
        "%n%d requests of %d pairs of %d tokens; naive: one pair at a time, all logits, %d threads%n",
        plan.rounds(),
        plan.pairs(),
        plan.tokens(),
        plan.threads());
    Duel duel = new Duel(context, texts);
    Duel.Outcome o = duel.run(1, plan.pairs());
    String size = size(plan);
    report.add(size + "naive_pairs_per_s", o.naive(), "1/s");
    report.add(size + "pairs_per_s", o.petunia(), "1/s");
    report.add(size + "pairs_per_s_vs_naive", o.ratio(), "ratio");
    if (o.petuniaPeakMb() >= 0) {
      String memory = full(plan) ? "rerank." : size;
      double copying = duel.copyingPeakMb();
      report.add(memory + "memory_saved_mb", copying - o.petuniaPeakMb(), "MB");
      double noCopy = o.naivePeakMb() - o.petuniaPeakMb();
      report.add(memory + "memory_saved_vs_no_copy_mb", noCopy, "MB");
    }
  }

  private void mixed(RerankContext context, PairTexts texts, Report report) throws IOException {
    RerankPlan plan = context.plan();
    int sum = texts.tokens().stream().mapToInt(Integer::intValue).sum();
    out.printf(
        Locale.ROOT,
        "%n%d pairs of %d to %d tokens (mean %d); naive: batches of %d in the order given, padded,"
            + " all logits%n",
        plan.mixed(),
        texts.tokens().stream().mapToInt(Integer::intValue).min().orElse(0),
        texts.tokens().stream().mapToInt(Integer::intValue).max().orElse(0),
        sum / plan.mixed(),
        plan.batch());
    Duel.Outcome o = new Duel(context, texts).run(plan.batch(), plan.batch() * MIXED_TURN);
    String name = (full(plan) ? "rerank." : size(plan)) + "mixed" + plan.mixed() + '.';
    report.add(name + "naive_padded_pairs_per_s", o.naive(), "1/s");
    report.add(name + "pairs_per_s", o.petunia(), "1/s");
    report.add(name + "pairs_per_s_vs_naive_padded", o.petunia() / o.naive(), "ratio");
    if (o.petuniaPeakMb() >= 0) {
      report.add(name + "memory_saved_mb", o.naivePeakMb() - o.petuniaPeakMb(), "MB");
    }
  }

  private static boolean full(RerankPlan plan) {
    return plan.shape().equals(ModelShape.QWEN3_0_6B);
  }

  /** What figures begin with: those of a scaled-down shape must not pass for others. */
  private static String size(RerankPlan plan) {
    return full(plan) ? "rerank.fullsize." : "rerank.scaled.";
  }

  /** False when the JVM is ending and the hook does its work. */
  private static boolean remove(Thread hook) {
    try {
      return Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private static void end(@Nullable RerankContext context, Path work) {
    if (context != null) {
      context.end();
    }
    try {
      Folders.delete(work);
    } catch (IOException e) {
      System.err.println("could not delete " + work + ": " + e);
    }
  }
}
