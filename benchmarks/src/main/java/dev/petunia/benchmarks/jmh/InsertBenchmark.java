package dev.petunia.benchmarks.jmh;

import dev.petunia.benchmarks.ann.Generated;
import dev.petunia.core.Hit;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorIndex;
import dev.petunia.core.VectorQuery;
import dev.petunia.hnsw.HnswConfig;
import dev.petunia.hnsw.HnswIndex;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Adding 2,000 vectors of 128 components one by one to an empty index; the time is of one add. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up
public abstract class InsertBenchmark {
  private static final int N = 2_000;
  private static final int DIMENSION = 128;

  private float[][] vectors;
  private @Nullable VectorIndex last;

  /** With the vector module. */
  @Fork(
      value = 1,
      jvmArgsAppend = {Forks.VECTOR_MODULE, Forks.HEAP})
  public static class Simd extends InsertBenchmark {}

  /** Without it. */
  @Fork(
      value = 1,
      jvmArgsAppend = {Forks.HEAP})
  public static class Scalar extends InsertBenchmark {}

  /** Makes the vectors. */
  @Setup
  public void setUp() {
    vectors = Generated.vectors(N, DIMENSION, 1);
  }

  /** Each vector of the last index must find itself first. */
  @TearDown
  public void check() {
    VectorIndex index = last;
    if (index == null) {
      throw new IllegalStateException("nothing was measured");
    }
    Forks.require(index.size() == N, index.size() + " vectors, not " + N);
    int first = 0;
    for (int i = 0; i < N; i++) {
      List<Hit> hits = index.search(VectorQuery.builder(vectors[i]).limit(1).build()).hits();
      first += hits.getFirst().id().equals("id" + i) ? 1 : 0;
    }
    Forks.require(first >= N * 0.995, "only " + first + " of " + N + " vectors find themselves");
    index.close();
  }

  /** Builds an index. */
  @Benchmark
  @OperationsPerInvocation(N)
  public VectorIndex add() {
    VectorIndex index =
        HnswIndex.inMemory(HnswConfig.builder(DIMENSION, Similarity.COSINE).build());
    for (int i = 0; i < N; i++) {
      index.add("id" + i, vectors[i]);
    }
    last = index;
    return index;
  }
}
