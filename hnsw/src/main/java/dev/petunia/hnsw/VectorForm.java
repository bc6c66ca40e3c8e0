package dev.petunia.hnsw;

import dev.petunia.core.Similarity;
import dev.petunia.core.internal.Checks;

/**
 * What becomes of a vector before it is stored or searched with: checked, brought to unit length
 * under COSINE, −0.0 made 0.0, padded with zeros to the kernels' width.
 *
 * @param dimension components a caller gives
 * @param stride components stored: dimension rounded up to the kernels' width (not for tiny
 *     vectors, where padding would cost more than the tail)
 * @param similarity the metric
 */
record VectorForm(int dimension, int stride, Similarity similarity) {
  static VectorForm of(int dimension, Similarity similarity) {
    int lanes = Kernels.BEST.lanes();
    int stride = dimension < 2 * lanes ? dimension : (dimension + lanes - 1) / lanes * lanes;
    return new VectorForm(dimension, stride, similarity);
  }

  /**
   * Checks {@code vector} and writes its stored form to the first {@code stride} places of {@code
   * into}.
   *
   * @throws IllegalArgumentException that begins with {@code name}
   */
  void prepare(String name, float[] vector, int length, float[] into) {
    if (length != dimension) {
      throw Checks.bad(name, length + " components", dimension + " components");
    }
    double sum = 0;
    for (int i = 0; i < length; i++) {
      float x = vector[i];
      if (!Float.isFinite(x)) {
        throw new IllegalArgumentException(
            name + "[" + i + "] is " + x + ", allowed: finite numbers");
      }
      sum += (double) x * x; // can't overflow: 3.4e38² · 2³¹ is far below the largest double
    }
    switch (similarity) {
      case COSINE -> {
        if (sum == 0) {
          throw new IllegalArgumentException(
              name + " is the zero vector, allowed under COSINE: any other vector");
        }
        double inverse = 1 / Math.sqrt(sum);
        for (int i = 0; i < length; i++) {
          into[i] = (float) (vector[i] * inverse) + 0f; // + 0f turns -0.0 into 0.0
        }
      }
      case DOT_PRODUCT -> {
        double norm = Math.sqrt(sum);
        if (Math.abs(norm - 1) > Similarity.UNIT_TOLERANCE) {
          throw new IllegalArgumentException(
              name
                  + " has length "
                  + norm
                  + ", allowed under DOT_PRODUCT: 1 ± "
                  + Similarity.UNIT_TOLERANCE
                  + " (COSINE normalises)");
        }
        copy(vector, length, into);
      }
      case EUCLIDEAN -> copy(vector, length, into);
    }
    for (int i = length; i < stride; i++) {
      into[i] = 0;
    }
  }

  private static void copy(float[] vector, int length, float[] into) {
    for (int i = 0; i < length; i++) {
      into[i] = vector[i] + 0f;
    }
  }

  /** The metric's distance of two prepared vectors. */
  float distance(float[] a, int ao, float[] b, int bo) {
    return switch (similarity) {
      case COSINE -> 1f - Kernels.BEST.dot(a, ao, b, bo, stride);
      case DOT_PRODUCT -> 0f - Kernels.BEST.dot(a, ao, b, bo, stride); // never -0.0
      case EUCLIDEAN -> Kernels.BEST.squared(a, ao, b, bo, stride);
    };
  }

  /** A hash of a prepared vector's bits, for finding equal vectors. */
  long hash(float[] v, int at) {
    long h = 0x9E3779B97F4A7C15L;
    for (int i = 0; i < dimension; i++) {
      h = (h ^ Float.floatToRawIntBits(v[at + i])) * 0xFF51AFD7ED558CCDL;
      h ^= h >>> 32;
    }
    return h;
  }
}
