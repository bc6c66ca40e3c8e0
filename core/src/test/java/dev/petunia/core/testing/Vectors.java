package dev.petunia.core.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Vectors for tests. All are finite and none is zero, so that each metric takes them. */
public final class Vectors {
  private Vectors() {}

  /** Normally distributed components. */
  public static Generator<float[]> gaussian(int dimension) {
    return random -> gaussian(random, dimension);
  }

  /** Of length 1 as exactly as a float allows; uniform over the sphere. */
  public static Generator<float[]> unit(int dimension) {
    return random -> normalise(gaussian(random, dimension));
  }

  /** {@code count} vectors of unit length, uniform over the sphere. */
  public static Generator<List<float[]>> units(int count, int dimension) {
    return random -> {
      List<float[]> out = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        out.add(normalise(gaussian(random, dimension)));
      }
      return out;
    };
  }

  /**
   * {@code count} vectors of unit length around {@code clusters} centres, as embeddings of texts on
   * a few topics are. Vector {@code i} belongs to cluster {@code i % clusters}.
   *
   * @param spread standard deviation of a vector's distance from its centre, relative to the
   *     centre's length: 0 = all of a cluster equal, 0.3 = tight, 1 = barely clusters
   */
  public static Generator<List<float[]>> clustered(
      int count, int dimension, int clusters, double spread) {
    return random -> {
      List<float[]> centres = units(clusters, dimension).generate(random);
      double scale = spread / Math.sqrt(dimension);
      List<float[]> out = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        float[] v = centres.get(i % clusters).clone();
        for (int d = 0; d < dimension; d++) {
          v[d] += (float) (scale * random.nextGaussian());
        }
        out.add(normalise(v));
      }
      return out;
    };
  }

  /**
   * Vectors that make ties: {@code count} vectors of unit length of which about half are exact
   * copies of another.
   */
  public static Generator<List<float[]>> withDuplicates(int count, int dimension) {
    return random -> {
      List<float[]> out = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        out.add(
            i > 0 && random.nextBoolean()
                ? out.get(random.nextInt(i)).clone()
                : normalise(gaussian(random, dimension)));
      }
      return out;
    };
  }

  /** The vector scaled to length 1 in double precision, in place; returns it. */
  public static float[] normalise(float[] v) {
    double sum = 0;
    for (float x : v) {
      sum += (double) x * x;
    }
    double length = Math.sqrt(sum);
    for (int i = 0; i < v.length; i++) {
      v[i] = (float) (v[i] / length);
    }
    return v;
  }

  private static float[] gaussian(RandomGenerator random, int dimension) {
    float[] v = new float[dimension];
    for (int i = 0; i < dimension; i++) {
      v[i] = (float) random.nextGaussian();
    }
    if (dimension > 0 && v[0] == 0) {
      v[0] = 1; // never the zero vector
    }
    return v;
  }
}
