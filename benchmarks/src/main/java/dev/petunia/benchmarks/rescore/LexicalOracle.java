package dev.petunia.benchmarks.rescore;

import dev.petunia.benchmarks.floor.IrMetrics;
import dev.petunia.core.internal.Utf8Order;
import dev.petunia.retriever.FloorOptions;
import dev.petunia.retriever.FloorPassage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What recall@10 after fusion would be if the lexical half were perfect. The vector search and the
 * rare-term channel stay as they are; BM25's list is replaced by one that has the relevant passages
 * first and then BM25's others, cut at the same length.
 *
 * @param asIs recall@10 with BM25
 * @param reordered with an oracle that has only the passages that BM25 found
 * @param any with an oracle that has all relevant passages
 */
record LexicalOracle(double asIs, double reordered, double any) {
  private static final int K = 10;

  /**
   * Of a floor whose pool was not cut.
   *
   * @throws IllegalStateException when the passages' fused values don't follow from their ranks
   */
  static LexicalOracle of(
      List<FloorPassage> union, Map<String, Integer> gains, FloorOptions options) {
    List<FloorPassage> lexical =
        union.stream()
            .filter(p -> p.lexicalRank().isPresent())
            .sorted(Comparator.comparingInt(p -> p.lexicalRank().orElseThrow()))
            .toList();
    List<String> asIs = lexical.stream().map(p -> p.chunk().id()).toList();
    List<String> reordered = new ArrayList<>(asIs.stream().filter(gains::containsKey).toList());
    List<String> any = new ArrayList<>(reordered);
    Set<String> found = new HashSet<>(asIs);
    gains.keySet().stream().filter(id -> !found.contains(id)).sorted().forEach(any::add);
    for (String id : asIs) {
      if (!gains.containsKey(id)) {
        reordered.add(id);
        any.add(id);
      }
    }
    Map<String, Double> check = fused(union, asIs, options);
    for (FloorPassage p : union) {
      if (Math.abs(check.getOrDefault(p.chunk().id(), 0.0) - p.fused()) > 1e-12) {
        throw new IllegalStateException(
            p.chunk().id() + " is fused to " + p.fused() + ", which its ranks don't give");
      }
    }
    return new LexicalOracle(
        recall(check, gains),
        recall(fused(union, reordered, options), gains),
        recall(
            fused(union, any.subList(0, Math.min(options.lexicalPool(), any.size())), options),
            gains));
  }

  private static double recall(Map<String, Double> fused, Map<String, Integer> gains) {
    List<String> order =
        fused.keySet().stream()
            .sorted(
                Comparator.<String>comparingDouble(id -> -fused.getOrDefault(id, 0.0))
                    .thenComparing(Utf8Order.COMPARATOR))
            .toList();
    return IrMetrics.recall(order, gains, K);
  }

  /** Reciprocal rank fusion of the union's vector and rare-term ranks with a lexical list. */
  private static Map<String, Double> fused(
      List<FloorPassage> union, List<String> lexical, FloorOptions options) {
    Map<String, Double> out = new HashMap<>();
    int k = options.rrfK();
    for (FloorPassage p : union) {
      double value = 0;
      if (p.denseRank().isPresent()) {
        value += 1.0 / (k + p.denseRank().getAsInt());
      }
      if (p.rareTermRank().isPresent()) {
        value += options.rareTermWeight() / (k + p.rareTermRank().getAsInt());
      }
      out.put(p.chunk().id(), value);
    }
    for (int i = 0; i < lexical.size(); i++) {
      out.merge(lexical.get(i), 1.0 / (k + i + 1), Double::sum);
    }
    return out;
  }
}
