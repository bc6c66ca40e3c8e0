package dev.petunia.retriever;

import dev.petunia.core.internal.GreedyMmr;
import dev.petunia.hnsw.HnswIndex;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/** Maximal marginal relevance over a ranked list, by the vectors of an index. */
final class Selector {
  private final HnswIndex vectors;

  Selector(HnswIndex vectors) {
    this.vectors = vectors;
  }

  /**
   * Selects {@code count} of {@code ids}.
   *
   * @param ids most relevant first
   * @param relevance of each by its number, in [0, 1]
   * @return numbers in order of selection, in the first {@code count} places
   */
  int[] select(List<String> ids, IntToDoubleFunction relevance, double lambda, int count) {
    float[][] of = new float[ids.size()][];
    for (int i = 0; i < of.length; i++) {
      float[] v = vectors.vector(ids.get(i));
      of[i] = v == null ? new float[vectors.dimension()] : v; // deleted a moment ago
    }
    GreedyMmr mmr =
        new GreedyMmr() {
          @Override
          protected float relevance(int candidate) {
            return (float) relevance.applyAsDouble(candidate);
          }

          @Override
          protected void similarities(int selected, int[] candidates, int n, float[] out) {
            for (int i = 0; i < n; i++) {
              out[i] =
                  vectors
                      .similarity()
                      .score(
                          Vectors.distance(vectors.similarity(), of[selected], of[candidates[i]]));
            }
          }
        };
    mmr.begin(of.length);
    return mmr.select(lambda, count);
  }
}
