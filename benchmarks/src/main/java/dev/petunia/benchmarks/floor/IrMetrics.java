package dev.petunia.benchmarks.floor;

import java.util.List;
import java.util.Map;

/** Measures of a ranking against judgements, as trec_eval has them. */
public final class IrMetrics {
  private IrMetrics() {}

  /** nDCG at k: the gain as it is, discounted by log2(rank + 1), over that of the best ranking. */
  public static double ndcg(List<String> ranking, Map<String, Integer> gains, int k) {
    double dcg = 0;
    for (int i = 0; i < Math.min(k, ranking.size()); i++) {
      dcg += gains.getOrDefault(ranking.get(i), 0) / log2(i + 2);
    }
    List<Integer> best = gains.values().stream().sorted((a, b) -> b - a).toList();
    double ideal = 0;
    for (int i = 0; i < Math.min(k, best.size()); i++) {
      ideal += best.get(i) / log2(i + 2);
    }
    return dcg / ideal;
  }

  private static double log2(int x) {
    return Math.log(x) / Math.log(2);
  }

  /** Share of the relevant passages that are among the first k. */
  public static double recall(List<String> ranking, Map<String, Integer> gains, int k) {
    long found = ranking.stream().limit(k).filter(gains::containsKey).count();
    return (double) found / gains.size();
  }

  /** 1 / the rank of the first relevant passage; 0 when there is none. */
  public static double reciprocalRank(List<String> ranking, Map<String, Integer> gains) {
    for (int i = 0; i < ranking.size(); i++) {
      if (gains.containsKey(ranking.get(i))) {
        return 1.0 / (i + 1);
      }
    }
    return 0;
  }
}
