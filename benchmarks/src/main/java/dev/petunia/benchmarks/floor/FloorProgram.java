package dev.petunia.benchmarks.floor;

import dev.petunia.benchmarks.Options;
import dev.petunia.benchmarks.Program;
import dev.petunia.benchmarks.Report;
import dev.petunia.benchmarks.floor.BestFirst.Candidate;
import dev.petunia.benchmarks.floor.BestFirst.Order;
import dev.petunia.benchmarks.floor.IrSet.Judged;
import dev.petunia.retriever.Floor;
import dev.petunia.retriever.FloorOptions;
import dev.petunia.retriever.FloorPassage;
import dev.petunia.retriever.Retriever;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** How good the candidates of a floor are, stage by stage, by collections with judgements. */
public final class FloorProgram implements Program {
  private static final int[] SHARES = {2, 5, 10, 25, 50, 75, 100};

  private final PrintStream out = System.out;
  private double bestFirstAtWorst = 1;

  @Override
  public String name() {
    return "floor";
  }

  @Override
  public String summary() {
    return "candidates of a floor: nDCG@10, recall@28, recall@376 by stage; the queue's order";
  }

  @Override
  public List<String> help() {
    return List.of(
        "--sets NAMES        of " + IrSets.NAMES + ", by commas (default: all that are there)",
        "--model NAME        of " + FloorIndex.MODELS + " (default minilm)",
        "--queries N         only the first N questions of each set",
        "--rrf-k N           the constant of fusion (default 60)",
        "--lexical-pool N    candidates of BM25 (default 376)",
        "--rare-weight N     what the rare-term channel counts in fusion, in percent (default 10)",
        "--expansion-weight N  the same for expansion (default 10)",
        "--cache DIR         where indexes are kept (default: your cache folder)");
  }

  @Override
  public void run(Options options, Report report) throws Exception {
    Path data =
        options
            .data()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "--data is missing, allowed: a folder with " + IrSets.NAMES));
    List<String> names =
        options.words(
            "sets",
            IrSets.NAMES.stream().filter(n -> IrSets.isThere(data, n)).toList(),
            IrSets.NAMES);
    String model = options.text("model").orElse("minilm");
    int most = options.number("queries", Integer.MAX_VALUE, 1, Integer.MAX_VALUE);
    FloorOptions base =
        FloorOptions.builder()
            .rrfK(options.number("rrf-k", 60, 1, 10_000))
            .lexicalPool(options.number("lexical-pool", 376, 1, 100_000))
            .rareTermWeight(options.number("rare-weight", 10, 0, 100) / 100.0)
            .expansionWeight(options.number("expansion-weight", 10, 0, 100) / 100.0)
            .build();
    Path cache = FloorIndex.cache(options);
    options.refuseUnread();
    if (names.isEmpty()) {
      throw new IllegalArgumentException("no set of " + IrSets.NAMES + " is in " + data);
    }
    bestFirstAtWorst = 1;
    int atLeastBest = 0;
    int worse = 0;
    for (String name : names) {
      IrSet all = IrSets.read(data, name);
      IrSet set =
          new IrSet(
              name,
              all.chunks(),
              all.vectors(),
              all.questions().subList(0, Math.min(most, all.questions().size())));
      try (Retriever retriever =
          FloorIndex.open(set, model, FloorIndex.embedder(model), Optional.empty(), cache)) {
        Bootstrap hybrid = measure(retriever, set, base, report);
        atLeastBest += hybrid.difference() >= 0 ? 1 : 0;
        worse += hybrid.significantlyWorse() ? 1 : 0;
      }
    }
    if (names.contains("scifact") || names.contains("mtrag")) {
      report.add("rerank.best_first.floor_recall_at_25pct", bestFirstAtWorst, "ratio");
    }
    report.add("floor.sets_where_hybrid_at_least_best_part", atLeastBest, "sets");
    report.add("floor.sets_where_hybrid_significantly_worse", worse, "sets");
    out.printf(
        "%nhybrid at least its best part: %d of %d sets; significantly worse: %d%n",
        atLeastBest, names.size(), worse);
  }

  /** Prints a table of variants; the difference of hybrid and its better part. */
  private Bootstrap measure(Retriever retriever, IrSet set, FloorOptions base, Report report) {
    out.printf(
        Locale.ROOT,
        "%n%s: %,d passages, %d questions%n  %-10s %8s %10s %11s   nDCG@10 against%n",
        set.name(),
        set.chunks().size(),
        set.questions().size(),
        "",
        "nDCG@10",
        "recall@28",
        "recall@376");
    Map<Variant, double[]> ndcg = new EnumMap<>(Variant.class);
    List<List<Candidate>> pools = new ArrayList<>();
    for (Variant v : Variant.values()) {
      int n = set.questions().size();
      double[] gain = new double[n];
      double[] r28 = new double[n];
      double[] r376 = new double[n];
      for (int q = 0; q < n; q++) {
        Judged judged = set.questions().get(q);
        Floor floor = retriever.ask(v.request(judged.text(), base));
        List<String> ids = floor.passages().stream().map(p -> p.chunk().id()).toList();
        if (ids.stream().distinct().count() != ids.size()) {
          throw new IllegalStateException("a passage comes twice for: " + judged.text());
        }
        gain[q] = IrMetrics.ndcg(ids, judged.gains(), 10);
        r28[q] = IrMetrics.recall(ids, judged.gains(), 28);
        r376[q] = IrMetrics.recall(ids, judged.gains(), Variant.POOL);
        if (v == Variant.RARE) {
          pools.add(pool(floor));
        }
      }
      ndcg.put(v, gain);
      String of = "floor." + set.name() + "." + v.label;
      report.add(of + ".ndcg10", mean(gain), "ratio");
      report.add(of + ".recall28", mean(r28), "ratio");
      report.add(of + ".recall376", mean(r376), "ratio");
      out.printf(
          Locale.ROOT,
          "  %-10s %8.4f %10.4f %11.4f   %s%n",
          v.label,
          mean(gain),
          mean(r28),
          mean(r376),
          against(v, ndcg));
    }
    if (set.name().equals("scifact") || set.name().equals("mtrag")) {
      bestFirst(set, pools, report);
    }
    Variant best =
        mean(get(ndcg, Variant.BM25)) > mean(get(ndcg, Variant.DENSE))
            ? Variant.BM25
            : Variant.DENSE;
    return Bootstrap.of(get(ndcg, Variant.HYBRID), get(ndcg, best));
  }

  private static double[] get(Map<Variant, double[]> map, Variant v) {
    double[] values = map.get(v);
    if (values == null) {
      throw new AssertionError(v);
    }
    return values;
  }

  private static String against(Variant v, Map<Variant, double[]> ndcg) {
    return switch (v) {
      case BM25, DENSE -> "";
      case HYBRID ->
          "bm25 "
              + Bootstrap.of(get(ndcg, v), get(ndcg, Variant.BM25))
              + ", dense "
              + Bootstrap.of(get(ndcg, v), get(ndcg, Variant.DENSE));
      default -> {
        Variant before = Variant.values()[v.ordinal() - 1];
        yield Arrays.equals(get(ndcg, v), get(ndcg, before))
            ? "the same as " + before.label
            : before.label + " " + Bootstrap.of(get(ndcg, v), get(ndcg, before));
      }
    };
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static List<Candidate> pool(Floor floor) {
    List<Candidate> pool = new ArrayList<>();
    for (FloorPassage p : floor.passages()) {
      pool.add(
          new Candidate(
              p.chunk().id(),
              p.poolRank(),
              p.denseRank().orElse(Integer.MAX_VALUE),
              p.chunk().text().length()));
    }
    return pool;
  }

  private void bestFirst(IrSet set, List<List<Candidate>> pools, Report report) {
    out.printf(
        Locale.ROOT,
        "  SIMULATED cross-encoder (judgements and noise of %.1f): recall of a floor of %d when a"
            + " share of the pool's length is scored%n  %8s",
        BestFirst.NOISE,
        BestFirst.FLOOR,
        "");
    for (Order order : Order.values()) {
      out.printf(" %11s", order.name().toLowerCase(Locale.ROOT));
    }
    out.println();
    for (int share : SHARES) {
      out.printf(Locale.ROOT, "  %7d%%", share);
      Map<Order, Double> recalls = new EnumMap<>(Order.class);
      for (Order order : Order.values()) {
        double recall = BestFirst.recall(set.questions(), pools, order, share / 100.0);
        recalls.put(order, recall);
        out.printf(Locale.ROOT, " %11.4f", recall);
      }
      out.println();
      if (share == 25) {
        double of = recalls.getOrDefault(Order.BEST_FIRST, 0.0);
        double most = recalls.getOrDefault(Order.ORACLE, 1.0);
        bestFirstAtWorst = Math.min(bestFirstAtWorst, of / most);
        report.add(
            "rerank.best_first." + set.name() + ".floor_recall_at_25pct", of / most, "ratio");
        out.printf(
            Locale.ROOT, "  at 25 %% best-first reaches %.3f of what the oracle does%n", of / most);
      }
    }
  }
}
