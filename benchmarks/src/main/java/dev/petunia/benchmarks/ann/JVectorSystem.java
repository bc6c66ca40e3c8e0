package dev.petunia.benchmarks.ann;

import io.github.jbellis.jvector.graph.GraphIndexBuilder;
import io.github.jbellis.jvector.graph.GraphSearcher;
import io.github.jbellis.jvector.graph.ImmutableGraphIndex;
import io.github.jbellis.jvector.graph.ListRandomAccessVectorValues;
import io.github.jbellis.jvector.graph.RandomAccessVectorValues;
import io.github.jbellis.jvector.graph.SearchResult;
import io.github.jbellis.jvector.graph.similarity.BuildScoreProvider;
import io.github.jbellis.jvector.graph.similarity.DefaultSearchScoreProvider;
import io.github.jbellis.jvector.util.Bits;
import io.github.jbellis.jvector.vector.VectorSimilarityFunction;
import io.github.jbellis.jvector.vector.VectorizationProvider;
import io.github.jbellis.jvector.vector.types.VectorFloat;
import io.github.jbellis.jvector.vector.types.VectorTypeSupport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * JVector, graph and float vectors on the heap.
 *
 * <p>JVector's M is the greatest degree of a node, where HNSW's layer 0 allows 2M: it gets twice
 * the M of the others, so that all have the same degree there. The other parameters are those of
 * its own introduction and of its own benchmark of GloVe vectors: overflow 1.2, alpha 1.2, with
 * hierarchy, with the final refinement. ef is its rerankK.
 */
final class JVectorSystem implements AnnSystem {
  private static final float OVERFLOW = 1.2f;
  private static final float ALPHA = 1.2f;
  private static final VectorSimilarityFunction DOT = VectorSimilarityFunction.DOT_PRODUCT;

  private final VectorizationProvider provider = VectorizationProvider.getInstance();
  private final VectorTypeSupport types = provider.getVectorTypeSupport();
  private @Nullable RandomAccessVectorValues vectors;
  private @Nullable GraphSearcher searcher;

  @Override
  public String describe() {
    return "JVector 4.0.0-rc.8, " + provider.getClass().getSimpleName() + ", degree 2M, alpha 1.2";
  }

  @Override
  public void build(float[][] base, int m, int efConstruction, int threads) throws IOException {
    close();
    List<VectorFloat<?>> list = new ArrayList<>(base.length);
    for (float[] row : base) {
      list.add(types.createFloatVector(row));
    }
    RandomAccessVectorValues values = new ListRandomAccessVectorValues(list, base[0].length);
    BuildScoreProvider scores = BuildScoreProvider.randomAccessScoreProvider(values, DOT);
    try (ForkJoinPool pool = new ForkJoinPool(threads);
        GraphIndexBuilder builder =
            new GraphIndexBuilder(
                scores,
                base[0].length,
                2 * m,
                efConstruction,
                OVERFLOW,
                ALPHA,
                true,
                true,
                pool,
                pool)) {
      ImmutableGraphIndex graph = builder.build(values);
      vectors = values;
      searcher = new GraphSearcher(graph);
    }
  }

  @Override
  public int search(float[] query, int ef, int k, int[] rows, float[] distances) {
    GraphSearcher s = searcher;
    RandomAccessVectorValues values = vectors;
    if (s == null || values == null) {
      throw new IllegalStateException("search before build");
    }
    VectorFloat<?> target = types.createFloatVector(query);
    SearchResult result =
        s.search(
            DefaultSearchScoreProvider.exact(target, DOT, values),
            k,
            Math.max(ef, k),
            0f,
            0f,
            Bits.ALL);
    SearchResult.NodeScore[] nodes = result.getNodes();
    for (int i = 0; i < nodes.length; i++) {
      rows[i] = nodes[i].node;
      distances[i] = 2 - 2 * nodes[i].score; // score is (1 + dot) / 2
    }
    return nodes.length;
  }

  @Override
  public void close() throws IOException {
    if (searcher != null) {
      searcher.close();
      searcher = null;
    }
  }
}
