package dev.petunia.retriever;

import dev.petunia.core.Similarity;
import org.jspecify.annotations.Nullable;

/** Small vector arithmetic of conversations; searches do theirs in the index. */
final class Vectors {
  private Vectors() {}

  /** The metric's distance of two stored vectors. */
  static float distance(Similarity similarity, float[] x, float[] y) {
    double dot = 0;
    double squares = 0;
    for (int i = 0; i < x.length; i++) {
      dot += (double) x[i] * y[i];
      double d = (double) x[i] - y[i];
      squares += d * d;
    }
    return switch (similarity) {
      case COSINE -> (float) (1 - dot);
      case DOT_PRODUCT -> (float) -dot;
      case EUCLIDEAN -> (float) squares;
    };
  }

  /** {@code a·x + b·y} at unit length; null when that is the zero vector. */
  static float @Nullable [] unitSum(double a, float[] x, double b, float[] y) {
    double[] sum = new double[x.length];
    double squares = 0;
    for (int i = 0; i < x.length; i++) {
      sum[i] = a * x[i] + b * y[i];
      squares += sum[i] * sum[i];
    }
    if (!(squares > 1e-24)) {
      return null;
    }
    double norm = Math.sqrt(squares);
    float[] unit = new float[x.length];
    for (int i = 0; i < unit.length; i++) {
      unit[i] = (float) (sum[i] / norm);
    }
    return unit;
  }
}
