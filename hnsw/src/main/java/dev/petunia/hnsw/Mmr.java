package dev.petunia.hnsw;

import dev.petunia.core.Diversify;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.internal.GreedyMmr;
import java.util.List;

/**
 * Maximal marginal relevance over the candidates of a search. Relevance is the score of the
 * combined distance; similarity is the score of the distance between two stored vectors; both by
 * the same formula, in [0, 1].
 */
final class Mmr extends GreedyMmr {
  private final VectorTable table;
  private final Similarity similarity;
  private final Scratch s;
  private int[] nodes = new int[0];

  Mmr(VectorTable table, Scratch s) {
    this.table = table;
    this.similarity = table.form.similarity();
    this.s = s;
  }

  /**
   * The order of selection.
   *
   * @param pool how many of the candidates, from the nearest on, take part
   * @param count how many to select, at most {@code pool}
   * @return positions among the candidates, in the first {@code count} places; valid until the next
   *     call
   */
  int[] select(VectorQuery query, double lambda, int pool, int count) {
    if (nodes.length < pool) {
      nodes = new int[pool];
    }
    begin(pool);
    Diversify diversify = query.diversify().orElseThrow();
    if (!diversify.exclude()) {
      List<String> against = diversify.against();
      for (int a = 0; a < against.size(); a++) {
        IdRef ref = table.ids.get(against.get(a));
        int node = ref == null ? -1 : ref.node;
        if (node >= 0) {
          penalise(~node); // a node, where candidates are numbered from 0
        }
      }
    }
    return select(lambda, count);
  }

  @Override
  protected float relevance(int candidate) {
    return similarity.score(s.candidates.distances[candidate]);
  }

  @Override
  protected void similarities(int selected, int[] candidates, int n, float[] out) {
    int node = selected < 0 ? ~selected : s.candidates.nodes[selected];
    for (int i = 0; i < n; i++) {
      nodes[i] = s.candidates.nodes[candidates[i]];
    }
    s.scorer.batch(node, nodes, n, out);
    for (int i = 0; i < n; i++) {
      out[i] = similarity.score(out[i]);
    }
  }
}
