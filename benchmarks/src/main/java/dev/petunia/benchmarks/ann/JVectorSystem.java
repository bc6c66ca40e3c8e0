package dev.petunia.benchmarks.ann;

import io.github.jbellis.jvector.disk.SimpleReader;
import io.github.jbellis.jvector.graph.GraphIndexBuilder;
import io.github.jbellis.jvector.graph.GraphSearcher;
import io.github.jbellis.jvector.graph.ImmutableGraphIndex;
import io.github.jbellis.jvector.graph.ListRandomAccessVectorValues;
import io.github.jbellis.jvector.graph.OnHeapGraphIndex;
import io.github.jbellis.jvector.graph.RandomAccessVectorValues;
import io.github.jbellis.jvector.graph.SearchResult;
import io.github.jbellis.jvector.graph.diversity.DiversityProvider;
import io.github.jbellis.jvector.graph.diversity.VamanaDiversityProvider;
import io.github.jbellis.jvector.graph.similarity.BuildScoreProvider;
import io.github.jbellis.jvector.graph.similarity.DefaultSearchScoreProvider;
import io.github.jbellis.jvector.graph.similarity.SearchScoreProvider;
import io.github.jbellis.jvector.quantization.BinaryQuantization;
import io.github.jbellis.jvector.quantization.CompressedVectors;
import io.github.jbellis.jvector.quantization.ProductQuantization;
import io.github.jbellis.jvector.util.Bits;
import io.github.jbellis.jvector.vector.VectorSimilarityFunction;
import io.github.jbellis.jvector.vector.VectorizationProvider;
import io.github.jbellis.jvector.vector.types.VectorFloat;
import io.github.jbellis.jvector.vector.types.VectorTypeSupport;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * JVector, graph, float vectors and codes on the heap.
 *
 * <p>JVector's M is the greatest degree of a node, where HNSW's layer 0 allows 2M: it gets twice
 * the M of the others, so that all have the same degree there. The other parameters are those of
 * its own introduction and of its own benchmark of GloVe vectors: overflow 1.2, alpha 1.2, with
 * hierarchy, with the final refinement. ef is its rerankK.
 *
 * <p>With codes the walk compares those, and all of the rerankK found are compared in full
 * precision after it, as its searcher does by itself. The graph is that of the float vectors: one
 * built on codes could only be worse. Product quantisation has a byte for {@value
 * #COMPONENTS_OF_A_BYTE} components, not centred. Its own benchmarks take a byte for 8 of longer
 * vectors; of ours that is slower at equal recall.
 */
final class JVectorSystem implements AnnSystem {
  private static final float OVERFLOW = 1.2f;
  private static final float ALPHA = 1.2f;
  private static final int COMPONENTS_OF_A_BYTE = 4;
  private static final int CLUSTERS = 256;
  private static final String FILE = "graph";
  private static final VectorSimilarityFunction DOT = VectorSimilarityFunction.DOT_PRODUCT;

  /** What the walk compares. */
  enum Codes {
    /** The float vectors. */
    NONE,
    /** Product quantisation. */
    PQ,
    /** One bit a component, its sign. */
    BQ
  }

  private final Codes codes;
  private final VectorizationProvider provider = VectorizationProvider.getInstance();
  private final VectorTypeSupport types = provider.getVectorTypeSupport();
  private @Nullable RandomAccessVectorValues vectors;
  private @Nullable CompressedVectors compressed;
  private @Nullable ImmutableGraphIndex graph;
  private @Nullable GraphSearcher searcher;

  JVectorSystem(Codes codes) {
    this.codes = codes;
  }

  @Override
  public String describe() {
    return "JVector 4.0.0-rc.8, "
        + provider.getClass().getSimpleName()
        + ", degree 2M, alpha 1.2, walk over "
        + switch (codes) {
          case NONE -> "float32";
          case PQ ->
              "PQ codes, a byte for " + COMPONENTS_OF_A_BYTE + " components, reranked all ef";
          case BQ -> "binary codes, reranked all ef";
        };
  }

  @Override
  public void build(float[][] base, Parameters parameters) throws IOException {
    close();
    RandomAccessVectorValues values = values(base);
    try (ForkJoinPool pool = new ForkJoinPool(parameters.threads());
        GraphIndexBuilder builder =
            new GraphIndexBuilder(
                scores(values),
                base[0].length,
                2 * parameters.m(),
                parameters.efConstruction(),
                OVERFLOW,
                ALPHA,
                true,
                true,
                pool,
                pool)) {
      search(values, builder.build(values), pool);
    }
  }

  @Override
  @SuppressWarnings("deprecation") // the graph alone, as it is on the heap, has no other form
  public void save(Path folder) throws IOException {
    if (!(graph instanceof OnHeapGraphIndex heap)) {
      throw new IllegalStateException("save before build");
    }
    try (DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(Files.newOutputStream(folder.resolve(FILE))))) {
      heap.save(out);
    }
  }

  @Override
  @SuppressWarnings("deprecation") // as for save
  public void restore(Path folder, float[][] base, Parameters parameters) throws IOException {
    close();
    RandomAccessVectorValues values = values(base);
    DiversityProvider diversity = new VamanaDiversityProvider(scores(values), ALPHA);
    ForkJoinPool pool = new ForkJoinPool(parameters.threads());
    try (SimpleReader in = new SimpleReader(folder.resolve(FILE))) {
      search(values, OnHeapGraphIndex.load(in, base[0].length, OVERFLOW, diversity), pool);
    } finally {
      pool.shutdown();
    }
  }

  private RandomAccessVectorValues values(float[][] base) {
    List<VectorFloat<?>> list = new ArrayList<>(base.length);
    for (float[] row : base) {
      list.add(types.createFloatVector(row));
    }
    return new ListRandomAccessVectorValues(list, base[0].length);
  }

  private static BuildScoreProvider scores(RandomAccessVectorValues values) {
    return BuildScoreProvider.randomAccessScoreProvider(values, DOT);
  }

  private void search(
      RandomAccessVectorValues values, ImmutableGraphIndex built, ForkJoinPool pool) {
    compressed =
        switch (codes) {
          case NONE -> null;
          case PQ ->
              ProductQuantization.compute(
                      values,
                      Math.max(1, values.dimension() / COMPONENTS_OF_A_BYTE),
                      CLUSTERS,
                      false,
                      -1, // no anisotropy
                      pool,
                      pool)
                  .encodeAll(values, pool);
          case BQ -> new BinaryQuantization(values.dimension()).encodeAll(values, pool);
        };
    vectors = values;
    graph = built;
    searcher = new GraphSearcher(built);
  }

  @Override
  public int search(float[] query, int ef, int k, int[] rows, float[] distances) {
    GraphSearcher s = searcher;
    RandomAccessVectorValues values = vectors;
    if (s == null || values == null) {
      throw new IllegalStateException("search before build");
    }
    VectorFloat<?> target = types.createFloatVector(query);
    CompressedVectors walked = compressed;
    SearchScoreProvider scores =
        walked == null
            ? DefaultSearchScoreProvider.exact(target, DOT, values)
            : new DefaultSearchScoreProvider(
                walked.precomputedScoreFunctionFor(target, DOT), values.rerankerFor(target, DOT));
    SearchResult result = s.search(scores, k, Math.max(ef, k), 0f, 0f, Bits.ALL);
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
    graph = null;
    vectors = null;
    compressed = null;
  }
}
