package dev.petunia.benchmarks.jmh;

import dev.petunia.benchmarks.ann.Generated;
import dev.petunia.core.Combine;
import dev.petunia.core.Diversify;
import dev.petunia.core.Hit;
import dev.petunia.core.IdFilter;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.SearchResult;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.VectorIndex;
import dev.petunia.core.VectorQuery;
import dev.petunia.hnsw.ExactIndex;
import dev.petunia.hnsw.HnswConfig;
import dev.petunia.hnsw.HnswIndex;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One search at ef 100 and limit 10 among 10,000 clustered vectors of 128 components. Each kind of
 * search is compared with {@link ExactIndex} before it is measured.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up
public abstract class SearchBenchmark {
  private static final int N = 10_000;
  private static final int DIMENSION = 128;
  private static final int QUERIES = 256;
  private static final int CHECKED = 50;
  private static final double FLOOR = 0.95;

  /** Kinds of search; all have ef 100 and limit 10. */
  public enum Kind {
    /** One target. */
    PLAIN,
    /** From the hits of a search near by, as in a conversation. */
    SEEDED,
    /** Two targets, a question and what came before; the nearer one counts. */
    MIN,
    /** The same two, 0.7 and 0.3. */
    WEIGHTED_SUM,
    /** Three in ten ids pass. */
    FILTERED,
    /** Lambda 0.5, twenty passages served before. */
    MMR
  }

  /** The kind that is measured. */
  @Param Kind kind;

  private VectorIndex index;
  private VectorQuery[] queries;
  private final IdFilter passing = IdFilter.of(threeInTen());
  private int next;

  /** With the vector module. */
  @Fork(
      value = 1,
      jvmArgsAppend = {Forks.VECTOR_MODULE, Forks.HEAP})
  public static class Simd extends SearchBenchmark {}

  /** Without it. */
  @Fork(
      value = 1,
      jvmArgsAppend = {Forks.HEAP})
  public static class Scalar extends SearchBenchmark {}

  /** Builds the index and the queries, and compares with exact search. */
  @Setup
  public void setUp() {
    float[][] vectors = Generated.vectors(N + 2 * QUERIES, DIMENSION, 1);
    List<VectorEntry> entries = new ArrayList<>();
    for (int i = 0; i < N; i++) {
      entries.add(new VectorEntry("id" + i, vectors[i]));
    }
    HnswConfig config = HnswConfig.builder(DIMENSION, Similarity.COSINE).build();
    index = HnswIndex.inMemory(config);
    index.upsertAll(entries, ProgressListener.NONE);
    queries = new VectorQuery[QUERIES];
    try (ExactIndex exact = new ExactIndex(config)) {
      exact.upsertAll(entries, ProgressListener.NONE);
      for (int i = 0; i < QUERIES; i++) {
        float[] target = vectors[N + i];
        queries[i] = query(target, between(target, vectors[N + QUERIES + i]), exact);
      }
      check(exact);
    }
  }

  /** As the centroid of a conversation lies: between this question and what was asked before. */
  private static float[] between(float[] a, float[] b) {
    float[] middle = new float[a.length];
    for (int i = 0; i < a.length; i++) {
      middle[i] = a[i] + b[i];
    }
    return middle;
  }

  private VectorQuery query(float[] target, float[] other, VectorIndex exact) {
    VectorQuery.Builder b =
        switch (kind) {
          case MIN -> VectorQuery.builder(List.of(target, other)).combine(Combine.MIN);
          case WEIGHTED_SUM -> VectorQuery.builder(List.of(target, other)).weights(0.7f, 0.3f);
          default -> VectorQuery.builder(target);
        };
    switch (kind) {
      case SEEDED -> b.seeds(ids(exact, target, 20).subList(10, 20));
      case FILTERED -> b.accept(passing);
      case MMR -> b.diversify(Diversify.of(0.5).against(ids(exact, target, 40).subList(0, 20)));
      default -> {}
    }
    return b.ef(100).limit(10).build();
  }

  private static List<String> ids(VectorIndex exact, float[] target, int limit) {
    VectorQuery q = VectorQuery.builder(target).limit(limit).build();
    return exact.search(q).hits().stream().map(Hit::id).toList();
  }

  private static Set<String> threeInTen() {
    Set<String> passing = new HashSet<>();
    for (int i = 0; i < N; i++) {
      if (i % 10 < 3) {
        passing.add("id" + i);
      }
    }
    return passing;
  }

  private void check(VectorIndex exact) {
    int found = 0;
    int wanted = 0;
    for (int i = 0; i < CHECKED; i++) {
      SearchResult right = exact.search(queries[i]);
      Set<String> ids = new HashSet<>(right.hits().stream().map(Hit::id).toList());
      List<Hit> got = index.search(queries[i]).hits();
      Forks.require(got.size() == ids.size(), got.size() + " hits, not " + ids.size());
      wanted += ids.size();
      found += (int) got.stream().filter(h -> ids.contains(h.id())).count();
    }
    double recall = (double) found / wanted;
    double floor = FLOOR;
    Forks.require(recall >= floor, kind + " finds " + recall + " of what exact search finds");
  }

  /** Closes the index. */
  @TearDown
  public void tearDown() {
    index.close();
  }

  /** One search. */
  @Benchmark
  public SearchResult search() {
    next = (next + 1) % QUERIES;
    return index.search(queries[next]);
  }
}
