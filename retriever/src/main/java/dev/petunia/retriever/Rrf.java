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

  /** A list of distinct ids, best first, and what its votes count. */
  record Votes(List<String> ids, double weight) {}

  /** Fuses lists of distinct ids, best first; ties by ascending id. */
  static List<Fused> fuse(int k, List<List<String>> lists) {
    return fuseWeighted(k, lists.stream().map(ids -> new Votes(ids, 1)).toList());
  }

  /** Fuses lists whose votes count differently. */
  static List<Fused> fuseWeighted(int k, List<Votes> lists) {
    Map<String, Double> values = new LinkedHashMap<>();
    for (Votes votes : lists) {
      for (int i = 0; i < votes.ids().size(); i++) {
        values.merge(votes.ids().get(i), votes.weight() / (k + i + 1), Double::sum);
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
