package dev.petunia.benchmarks.ann;

import dev.petunia.core.internal.Checks;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * As many vectors as are wanted, alike to real ones. Each is a mixture of two real neighbours plus
 * noise, brought to unit length:
 *
 * <ol>
 *   <li>a is a real vector at random; b is the nearest to a of {@value #TRIED} others at random
 *       from a's cell, where the cells are those of {@value #CELLS} real vectors chosen at random,
 *       each vector in the cell of the nearest one;
 *   <li>the mixture is t·a + (1 − t)·b with t uniform in [0.5, 1);
 *   <li>the noise is Gaussian in all components, of {@value #NOISE} times the length of a − b.
 * </ol>
 *
 * <p>Groups keep their size and place, and the space between the real vectors fills up as more are
 * drawn, as it would with more texts of the same kind. What comes out is not real: compare sizes
 * with each other, not with the set it came from. Drawn one after the other, so that the first n of
 * a greater number are those of n.
 */
final class Resampled {
  private static final int CELLS = 300;
  private static final int TRIED = 64;
  private static final double NOISE = 0.5;

  private final float[][] real;
  private final int[][] cells;
  private final int[] cellOf;
  private final RandomGenerator random;

  private Resampled(float[][] real, long seed) {
    this.real = real;
    this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    int count = Math.min(CELLS, Math.max(1, real.length / 10));
    float[][] centres = new float[count][];
    for (int c = 0; c < count; c++) {
      centres[c] = real[random.nextInt(real.length)];
    }
    cellOf = new int[real.length];
    int[] sizes = new int[count];
    for (int i = 0; i < real.length; i++) {
      cellOf[i] = nearest(real[i], centres);
      sizes[cellOf[i]]++;
    }
    cells = new int[count][];
    for (int c = 0; c < count; c++) {
      cells[c] = new int[sizes[c]];
    }
    for (int i = real.length - 1; i >= 0; i--) {
      cells[cellOf[i]][--sizes[cellOf[i]]] = i;
    }
  }

  /**
   * Draws vectors.
   *
   * @param real vectors of unit length, at least one
   */
  static float[][] vectors(float[][] real, int n, long seed) {
    Checks.range("n", n, 1, 10_000_000);
    Resampled resampled = new Resampled(real, seed);
    float[][] out = new float[n][];
    for (int i = 0; i < n; i++) {
      out[i] = resampled.next();
    }
    return out;
  }

  private float[] next() {
    int i = random.nextInt(real.length);
    float[] a = real[i];
    float[] b = neighbour(i);
    float t = 0.5f + random.nextFloat() / 2;
    double apart = Math.sqrt(Math.max(0, 2 * ExactTruth.distance(a, b)));
    double noise = NOISE * apart / Math.sqrt(a.length);
    float[] v = new float[a.length];
    for (int j = 0; j < v.length; j++) {
      v[j] = t * a[j] + (1 - t) * b[j] + (float) (noise * random.nextGaussian());
    }
    VectorFiles.normalise(v);
    return v;
  }

  private float[] neighbour(int i) {
    int[] cell = cells[cellOf[i]];
    float[] best = real[i];
    double least = Double.POSITIVE_INFINITY;
    for (int tries = Math.min(TRIED, cell.length); tries > 0; tries--) {
      int other = cell[random.nextInt(cell.length)];
      double distance = ExactTruth.distance(real[i], real[other]);
      if (other != i && distance < least) {
        least = distance;
        best = real[other];
      }
    }
    return best;
  }

  private static int nearest(float[] v, float[][] centres) {
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int c = 0; c < centres.length; c++) {
      double distance = ExactTruth.distance(v, centres[c]);
      if (distance < least) {
        least = distance;
        best = c;
      }
    }
    return best;
  }
}
