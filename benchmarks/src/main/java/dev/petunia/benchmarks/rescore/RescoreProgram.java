package dev.petunia.benchmarks.rescore;

import dev.petunia.benchmarks.Options;
import dev.petunia.benchmarks.Program;
import dev.petunia.benchmarks.Report;
import dev.petunia.benchmarks.floor.FloorIndex;
import dev.petunia.benchmarks.floor.IrSet;
import dev.petunia.benchmarks.floor.IrSet.Judged;
import dev.petunia.benchmarks.floor.IrSets;
import dev.petunia.core.Embedder;
import dev.petunia.dedup.ShingleSet;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Whether Jaccard similarity helps after rank fusion: held-out spans and ordinary questions. */
public final class RescoreProgram implements Program {
  private static final List<String> SETS =
      Stream.concat(IrSets.NAMES.stream(), Stream.of("medquad")).toList();

  private final Function<String, Embedder> embedders;
  private final PrintStream out = System.out;

  /** With the real embedders. */
  public RescoreProgram() {
    this(FloorIndex::embedder);
  }

  RescoreProgram(Function<String, Embedder> embedders) {
    this.embedders = embedders;
  }

  @Override
  public String name() {
    return "rescore";
  }

  @Override
  public String summary() {
    return "Jaccard after rank fusion: pasted passages, ordinary questions, the SPLADE trigger";
  }

  @Override
  public List<String> help() {
    return List.of(
        "--sets NAMES        ordinary questions of " + SETS + " too (default: all that are there)",
        "--model NAME        of " + FloorIndex.MODELS + " (default minilm)",
        "--queries N         only the first N questions of each set and split of headings",
        "--cache DIR         where indexes are kept (default: your cache folder)",
        "--quick             75 dev and 150 test spans, 100 questions, no sets unless named");
  }

  /** What the command line asks for. */
  private record Plan(
      Optional<Path> data, List<String> sets, String model, int most, Path cache, boolean quick) {
    static Plan of(Options options) {
      Optional<Path> data = options.data();
      boolean quick = options.flag("quick");
      List<String> there =
          quick || data.isEmpty()
              ? List.of()
              : SETS.stream().filter(n -> IrSets.isThere(data.get(), n)).toList();
      Plan plan =
          new Plan(
              data,
              options.words("sets", there, SETS),
              options.text("model").orElse("minilm"),
              options.number("queries", quick ? 100 : Integer.MAX_VALUE, 1, Integer.MAX_VALUE),
              FloorIndex.cache(options),
              quick);
      options.refuseUnread();
      if (data.isEmpty() && !plan.sets.isEmpty()) {
        throw new IllegalArgumentException(
            "--sets is " + plan.sets + " without --data, allowed: none");
      }
      return plan;
    }

    List<Judged> first(List<Judged> questions) {
      return questions.subList(0, Math.min(most, questions.size()));
    }
  }

  @Override
  public void run(Options options, Report report) throws Exception {
    Plan plan = Plan.of(options);
    Corpus corpus = corpus(plan);
    List<ShingleSet> sets = corpus.shingles();
    Twins twins = new Twins(sets);
    Spans spans = Spans.draw(corpus, sets, twins, plan.quick ? 75 : 300, plan.quick ? 150 : 600);
    Headings headings = Headings.of(corpus);
    describe(corpus, twins, spans, headings);
    List<Judged> devHeadings = plan.first(headings.dev());
    List<Judged> testHeadings = plan.first(headings.test());

    List<Asked> devSpans;
    List<Asked> testSpans;
    List<Asked> devPlain;
    List<Asked> testPlain;
    try (Pools pools = pools(corpus, plan)) {
      devSpans = pools.ask(judged(spans.dev(), corpus, twins));
      testSpans = pools.ask(judged(spans.test(), corpus, twins));
      devPlain = pools.ask(devHeadings);
      testPlain = pools.ask(testHeadings);
    }
    List<Asked> devCut;
    List<Asked> testCut;
    try (Pools pools = pools(headings.cut(), plan)) {
      devCut = pools.ask(devHeadings);
      testCut = pools.ask(testHeadings);
    }
    Tuning tuning = Tuning.on(devSpans, List.of(devPlain, devCut), out);
    List<Contender> contenders =
        List.of(Contender.RRF, Contender.J, Contender.JC, tuning.j(), tuning.jc());
    Tables tables = pasted(contenders, tuning, spans, testSpans, report);
    Tables.ambiguous(spans.test(), testSpans, sets, twins, out);

    out.println("\nOrdinary questions, recall@10 against RRF with its 95 % interval");
    Ordinary ordinary = new Ordinary(contenders, out, report);
    ordinary.measure("headings", testPlain);
    ordinary.measure("headings-cut", testCut);
    for (String name : plan.sets) {
      IrSet set = IrSets.read(plan.data.orElseThrow(), name);
      try (Pools pools = Pools.open(set, plan.model, embedders.apply(plan.model), plan.cache)) {
        ordinary.measure(name, pools.ask(plan.first(set.questions())));
      }
    }
    ordinary.reportWorst();
    new Verdict(tables, ordinary).print(tuning, out);
  }

  private Corpus corpus(Plan plan) throws IOException {
    if (plan.data.isPresent()) {
      Path file = plan.data.get().resolve("neardup").resolve("mdver-en.jsonl.gz");
      if (!Files.exists(file)) {
        throw new IllegalArgumentException(
            "--data is " + plan.data.get() + ", allowed: a folder with neardup/mdver-en.jsonl.gz");
      }
      return Corpus.lastSnapshot("mdver-en", file);
    }
    out.println("No --data: documents of made-up words. The figures say nothing about real text.");
    return GeneratedDocs.of(plan.quick ? 480 : 1600, 5);
  }

  private Pools pools(Corpus corpus, Plan plan) throws IOException {
    IrSet set = new IrSet(corpus.digestName(), corpus.chunks(), null, List.of());
    return Pools.open(set, plan.model, embedders.apply(plan.model), plan.cache);
  }

  /** A span's relevant passages are its source and those with J ≥ 0.90 to the source. */
  private static List<Judged> judged(List<Span> spans, Corpus corpus, Twins twins) {
    List<Judged> out = new ArrayList<>();
    for (Span s : spans) {
      Map<String, Integer> gains = new HashMap<>();
      gains.put(corpus.chunks().get(s.source()).id(), 1);
      twins.of(s.source()).forEach(t -> gains.put(corpus.chunks().get(t).id(), 1));
      out.add(new Judged(s.text(), gains));
    }
    return out;
  }

  private void describe(Corpus corpus, Twins twins, Spans spans, Headings headings) {
    int n = corpus.chunks().size();
    long withTwin =
        java.util.stream.IntStream.range(0, n).filter(i -> !twins.of(i).isEmpty()).count();
    out.printf(
        Locale.ROOT,
        "%s: %,d chunks of %,d documents, %,d with a near-duplicate (J >= 0.90)%n"
            + "  pasted passages: %d dev, %d test; from no chunk twice%n"
            + "  headings as questions: %d dev, %d test; relevant: chunks with text directly under"
            + " the heading%n"
            + "  headings-cut: the same questions, their own lines taken out of the %,d chunks%n",
        corpus.name(),
        n,
        corpus.chunks().stream().map(c -> c.entryId()).distinct().count(),
        withTwin,
        spans.dev().size(),
        spans.test().size(),
        headings.dev().size(),
        headings.test().size(),
        headings.cut().chunks().size());
  }

  private Tables pasted(
      List<Contender> contenders, Tuning tuning, Spans spans, List<Asked> asked, Report report) {
    out.printf("%nPasted passages, test split; first is right: the source or J >= 0.90 to it%n");
    Tables tables = Tables.of(contenders, spans.test(), asked);
    tables.print(out);
    tables.differences(Contender.J, Contender.RRF, out);
    tables.differences(Contender.JC, Contender.J, out);
    tables.differences(tuning.j(), Contender.RRF, out);
    tables.differences(tuning.jc(), tuning.j(), out);
    tables.report(report);
    Tables.add(
        report,
        "rescore.jc_over_j.success1",
        tables.outcome(Contender.JC).successOver(tables.outcome(Contender.J)));
    tuning
        .jc()
        .config()
        .ifPresent(
            c -> {
              report.add("rescore.tuned.alpha_percent", Tuning.alpha(c), "percent");
              report.add("rescore.tuned.tier_percent", c.tierPercent(), "percent");
              report.add("rescore.tuned.contained_percent", c.containedPercent(), "percent");
              report.add("rescore.tuned.contained_shingles", c.containedShingles(), "shingles");
            });
    Tables.tier(spans.test(), asked, out, report);
    out.printf(
        "  %d of %d passages were longer than the embedder reads%n",
        asked.stream().filter(Asked::truncated).count(), asked.size());
    return tables;
  }
}
