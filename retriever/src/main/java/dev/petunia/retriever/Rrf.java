package dev.petunia.retriever;

import dev.petunia.core.internal.Utf8Order;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reciprocal rank fusion: each list gives its item at rank r the value 1 / (k + r), and values add
 * up (Cormack, Clarke and Büttcher 2009). Ranks only: scores of different kinds never meet.
 */
final class Rrf {
  /** An id and its fused value. */
  record Fused(String id, double value) {}

  private Rrf() {}

  /** Fuses lists of distinct ids, best first; ties by ascending id. */
  static List<Fused> fuse(int k, List<List<String>> lists) {
    Map<String, Double> values = new LinkedHashMap<>();
    for (List<String> list : lists) {
      for (int i = 0; i < list.size(); i++) {
        values.merge(list.get(i), 1.0 / (k + i + 1), Double::sum);
      }
    }
    List<Fused> fused = new ArrayList<>(values.size());
    values.forEach((id, value) -> fused.add(new Fused(id, value)));
    fused.sort(
        Comparator.comparingDouble(Fused::value)
            .reversed()
            .thenComparing(Fused::id, Utf8Order.COMPARATOR));
    return fused;
  }
}
