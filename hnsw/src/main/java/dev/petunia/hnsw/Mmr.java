package dev.petunia.hnsw;

import dev.petunia.core.Diversify;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorQuery;
import java.util.List;

/**
 * Greedy maximal marginal relevance (Carbonell and Goldstein 1998, §2) over the candidates of a
 * search. Relevance is the score of the combined distance; similarity is the score of the distance
 * between two stored vectors; both by the same formula, in [0, 1].
 *
 * <p>Each candidate keeps its greatest similarity to what was selected so far, so a round costs one
 * comparison per candidate left. Equal values go to the more relevant candidate, which is the
 * earlier one; a value is never NaN, as stored vectors are finite, so each round selects one and it
 * ends.
 */
final class Mmr {
  private final VectorTable table;
  private final Similarity similarity;
  private int[] left = new int[0];
  private int[] nodes = new int[0];
  private float[] distances = new float[0];
  private float[] relevance = new float[0];
  private float[] closest = new float[0];
  private int[] order = new int[0];
  private int remaining;

  Mmr(VectorTable table) {
    this.table = table;
    this.similarity = table.form.similarity();
  }

  /**
   * The order of selection.
   *
   * @param pool how many of the candidates, from the nearest on, take part
   * @param count how many to select, at most {@code pool}
   * @return positions among the candidates, in the first {@code count} places; valid until the next
   *     call
   */
  int[] select(Scratch s, VectorQuery query, double lambda, int pool, int count) {
    room(pool);
    for (int i = 0; i < pool; i++) {
      left[i] = i;
      relevance[i] = similarity.score(s.candidates.distances[i]);
      closest[i] = 0;
    }
    remaining = pool;
    Diversify diversify = query.diversify().orElseThrow();
    if (!diversify.exclude()) {
      List<String> against = diversify.against();
      for (int a = 0; a < against.size(); a++) {
        IdRef ref = table.ids.get(against.get(a));
        int node = ref == null ? -1 : ref.node;
        if (node >= 0) {
          selected(s, node);
        }
      }
    }
    for (int round = 0; round < count; round++) {
      int best = 0;
      double bestValue = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < remaining; i++) {
        int c = left[i];
        double value = lambda * relevance[c] - (1 - lambda) * closest[c];
        if (value > bestValue) {
          bestValue = value;
          best = i;
        }
      }
      int chosen = left[best];
      order[round] = chosen;
      remaining--;
      System.arraycopy(left, best + 1, left, best, remaining - best);
      if (round + 1 < count) {
        selected(s, s.candidates.nodes[chosen]);
      }
    }
    return order;
  }

  private void room(int pool) {
    if (left.length < pool) {
      left = new int[pool];
      nodes = new int[pool];
      distances = new float[pool];
      relevance = new float[pool];
      closest = new float[pool];
      order = new int[pool];
    }
  }

  /** Takes notice that a node was selected: those left may have become more similar. */
  private void selected(Scratch s, int node) {
    for (int i = 0; i < remaining; i++) {
      nodes[i] = s.candidates.nodes[left[i]];
    }
    s.scorer.batch(table.page(node).vectors, table.at(node), nodes, remaining, distances);
    for (int i = 0; i < remaining; i++) {
      int c = left[i];
      closest[c] = Math.max(closest[c], similarity.score(distances[i]));
    }
  }
}
