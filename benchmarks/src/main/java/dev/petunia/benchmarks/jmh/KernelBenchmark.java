package dev.petunia.benchmarks.jmh;

import dev.petunia.benchmarks.ann.Generated;
import dev.petunia.hnsw.KernelAccess;
import java.lang.foreign.MemorySegment;
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
import org.openjdk.jmh.annotations.Warmup;

/** Distances between vectors in the first-level cache: the cost of arithmetic, not of memory. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up
public abstract class KernelBenchmark {
  private static final double TOLERANCE = 1e-5;

  /** Components: of MiniLM's vectors, and a number that is no multiple of a vector register. */
  @Param({"384", "100"})
  int dimension;

  private MemorySegment a;
  private MemorySegment[] four;
  private final float[] out = new float[4];

  /** With the vector module. */
  @Fork(
      value = 1,
      jvmArgsAppend = {Forks.VECTOR_MODULE})
  public static class Simd extends KernelBenchmark {
    @Override
    String twin() {
      return "panama";
    }
  }

  /** Without it. */
  @Fork(1)
  public static class Scalar extends KernelBenchmark {
    @Override
    String twin() {
      return "scalar";
    }
  }

  abstract String twin();

  /** Makes vectors and compares each kernel with a plain loop in double precision. */
  @Setup
  public void setUp() {
    Forks.require(
        KernelAccess.name().startsWith(twin()),
        "kernels " + KernelAccess.name() + ", not " + twin());
    float[][] vectors = Generated.vectors(5, dimension, 1);
    a = KernelAccess.outside(vectors[0]);
    four = new MemorySegment[4];
    for (int i = 0; i < 4; i++) {
      four[i] = KernelAccess.outside(vectors[i + 1]);
    }
    float[] x = vectors[0];
    float[] y = vectors[1];
    near("dot", plainDot(x, y), KernelAccess.dot(a, four[0]));
    near(
        "squared",
        plainDot(x, x) + plainDot(y, y) - 2 * plainDot(x, y),
        KernelAccess.squared(a, four[0]));
    KernelAccess.dot4(a, four, out);
    for (int i = 0; i < 4; i++) {
      near("dot4[" + i + "]", plainDot(x, vectors[i + 1]), out[i]);
    }
  }

  private static double plainDot(float[] x, float[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += (double) x[i] * y[i];
    }
    return sum;
  }

  private static void near(String what, double right, float got) {
    Forks.require(Math.abs(got - right) <= TOLERANCE, what + " is " + got + ", not " + right);
  }

  /** One dot product. */
  @Benchmark
  public float dot() {
    return KernelAccess.dot(a, four[0]);
  }

  /** One squared distance. */
  @Benchmark
  public float squared() {
    return KernelAccess.squared(a, four[0]);
  }

  /** Four dot products of one query. */
  @Benchmark
  public float[] dotOfFour() {
    KernelAccess.dot4(a, four, out);
    return out;
  }
}
