package dev.petunia.benchmarks.ann;

import dev.petunia.core.internal.Checks;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * A set for when no data folder is named. Vectors of texts lie in groups of very different size,
 * and inside a group they vary in few directions; independent Gaussian components have neither, and
 * an index that is tuned on them is tuned on nothing. So: group sizes by Zipf's law, a Gaussian
 * centre for each, around it a Gaussian in {@value #LOCAL} random directions of the group's own,
 * and a little noise in all.
 */
public final class Generated {
  /** Its name as a set. */
  static final String NAME = "generated";

  private static final int LOCAL = 12;
  private static final float SPREAD = 0.6f;
  private static final float NOISE = 0.02f;

  private final RandomGenerator random;
  private final int dimension;
  private final float[][] centres;
  private final float[][][] directions;
  private final double[] cumulative;

  private Generated(int groups, int dimension, long seed) {
    // a stated algorithm, so that a seed means the same vectors on each JDK
    this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    this.dimension = dimension;
    this.centres = new float[groups][];
    this.directions = new float[groups][LOCAL][];
    this.cumulative = new double[groups];
    double sum = 0;
    for (int g = 0; g < groups; g++) {
      centres[g] = gaussian(1 / Math.sqrt(dimension));
      for (int l = 0; l < LOCAL; l++) {
        directions[g][l] = gaussian(SPREAD / Math.sqrt((double) dimension * LOCAL));
      }
      sum += 1.0 / (g + 1);
      cumulative[g] = sum;
    }
  }

  /** A set of {@code n} base vectors; the same seed gives the same set. */
  static AnnSet set(int n, int queries, int dimension, long seed) {
    Checks.range("n", n, 1, 10_000_000);
    Checks.range("queries", queries, 1, 1_000_000);
    Checks.range("dimension", dimension, 2, 4096);
    Generated g = new Generated(Math.max(1, (int) Math.sqrt(n)), dimension, seed);
    float[][] base = new float[n][];
    for (int i = 0; i < n; i++) {
      base[i] = g.next();
    }
    float[][] ask = new float[queries][];
    for (int i = 0; i < queries; i++) {
      ask[i] = g.next();
    }
    return new AnnSet(
        NAME, "clustered vectors made with seed " + seed, base, ask, Optional.empty());
  }

  /** Vectors of unit length; the same seed gives the same ones. */
  public static float[][] vectors(int n, int dimension, long seed) {
    return set(n, 1, dimension, seed).base();
  }

  private float[] next() {
    double at = random.nextDouble() * cumulative[cumulative.length - 1];
    int group = java.util.Arrays.binarySearch(cumulative, at);
    group = group < 0 ? -group - 1 : group;
    float[] v = gaussian(NOISE / Math.sqrt(dimension));
    for (int j = 0; j < dimension; j++) {
      v[j] += centres[group][j];
    }
    for (float[] direction : directions[group]) {
      float weight = (float) random.nextGaussian();
      for (int j = 0; j < dimension; j++) {
        v[j] += weight * direction[j];
      }
    }
    VectorFiles.normalise(v);
    return v;
  }

  private float[] gaussian(double scale) {
    float[] v = new float[dimension];
    for (int j = 0; j < dimension; j++) {
      v[j] = (float) (random.nextGaussian() * scale);
    }
    return v;
  }
}
