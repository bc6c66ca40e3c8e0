package dev.petunia.benchmarks.jmh;

import dev.petunia.core.Embedder;
import dev.petunia.core.Embedding;
import dev.petunia.core.TextForm;
import dev.petunia.onnx.AllMiniLm;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Texts through all-MiniLM-L6-v2: a question of ten words, and a passage of about 110. Beforehand:
 * vectors have unit length, a text embedded beside others has the bits it has alone, and a question
 * is nearer to the passage about it than another question is.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up
public abstract class EmbeddingBenchmark {
  private static final String QUESTION = "how do bees tell each other where the flowers are?";
  private static final String OTHER = "what was the price of wheat in the last war?";
  private static final String PASSAGE =
      """
      A worker bee that has found a rich field of flowers comes home and dances on the comb. She \
      walks straight ahead while shaking her body, turns in a half circle back to where she began, \
      walks ahead again, and turns to the other side. The direction of the straight part, measured \
      against the vertical, is the direction of the flowers measured against the sun, and the \
      longer the straight part takes, the farther away they are. Other workers follow her in the \
      dark with their feelers, and after a few rounds they fly out and search where she has been. \
      The scent on her body tells them which kind of flower it is.""";

  private Embedder embedder;

  /** With the vector module; the model itself is native code and does not use it. */
  @Fork(
      value = 1,
      jvmArgsAppend = {Forks.VECTOR_MODULE, Forks.HEAP, Forks.NATIVE})
  public static class Simd extends EmbeddingBenchmark {}

  /** Without it. */
  @Fork(
      value = 1,
      jvmArgsAppend = {Forks.HEAP, Forks.NATIVE})
  public static class Scalar extends EmbeddingBenchmark {}

  /** Loads the model and checks vectors. */
  @Setup
  public void setUp() {
    embedder = AllMiniLm.open();
    Embedding question = question();
    Embedding passage = passage();
    List<Embedding> together = embedder.embed(List.of(PASSAGE, QUESTION, OTHER), TextForm.DOCUMENT);
    Forks.require(
        Math.abs(dot(question.vector(), question.vector()) - 1) < 1e-5, "the length is not 1");
    Forks.require(
        Arrays.equals(passage.vector(), together.getFirst().vector()),
        "a text has other bits beside others");
    Forks.require(!passage.truncated(), "the passage was cut");
    float[] other = embedder.embed(OTHER, TextForm.QUERY).vector();
    Forks.require(
        dot(question.vector(), passage.vector()) > dot(other, passage.vector()) + 0.3,
        "the passage is not near to the question about it");
  }

  private static double dot(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }

  /** Unloads the model. */
  @TearDown
  public void tearDown() {
    embedder.close();
  }

  /** A question. */
  @Benchmark
  public Embedding question() {
    return embedder.embed(QUESTION, TextForm.QUERY);
  }

  /** A passage. */
  @Benchmark
  public Embedding passage() {
    return embedder.embed(PASSAGE, TextForm.DOCUMENT);
  }
}
