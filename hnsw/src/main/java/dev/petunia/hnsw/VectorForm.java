package dev.petunia.hnsw;

import dev.petunia.core.Similarity;
import dev.petunia.core.internal.Checks;
import java.lang.foreign.MemorySegment;

/**
 * What becomes of a vector before it is stored or searched with: checked, brought to unit length
 * under COSINE, −0.0 made 0.0, padded with zeros.
 *
 * @param dimension components a caller gives
 * @param stride components stored: dimension rounded up to 16, the widest registers, or to 4 where
 *     that would add more than an eighth, and not at all below 16; the same on every machine, as
 *     files hold vectors so
 * @param similarity the metric
 */
record VectorForm(int dimension, int stride, Similarity similarity) {
  static VectorForm of(int dimension, Similarity similarity) {
    return new VectorForm(dimension, stride(dimension), similarity);
  }

  private static int stride(int dimension) {
    if (dimension < 16) {
      return dimension;
    }
    int wide = (dimension + 15) / 16 * 16;
    return wide - dimension <= dimension / 8 ? wide : (dimension + 3) / 4 * 4;
  }

  /** Bytes of a stored vector. */
  long bytes() {
    return 4L * stride;
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

  /** The metric's distance of two stored vectors; offsets in bytes. */
  float distance(MemorySegment a, long ao, MemorySegment b, long bo) {
    return switch (similarity) {
      case COSINE -> 1f - Kernels.BEST.dot(a, ao, b, bo, stride);
      case DOT_PRODUCT -> 0f - Kernels.BEST.dot(a, ao, b, bo, stride); // never -0.0
      case EUCLIDEAN -> Kernels.BEST.squared(a, ao, b, bo, stride);
    };
  }

  /**
   * A hash of a prepared vector's bits: it finds equal vectors, and it is the checksum of a stored
   * one. Each step is a bijection of the state, so a change of one component always changes it.
   * Four chains run side by side, as each would wait for its multiplications.
   */
  long hash(float[] v) {
    long a = 0x9E3779B97F4A7C15L;
    long b = 0xC2B2AE3D27D4EB4FL;
    long c = 0x165667B19E3779F9L;
    long d = 0x27D4EB2F165667C5L;
    int i = 0;
    for (; i + 3 < dimension; i += 4) {
      a = step(a, v[i]);
      b = step(b, v[i + 1]);
      c = step(c, v[i + 2]);
      d = step(d, v[i + 3]);
    }
    for (; i < dimension; i++) {
      a = step(a, v[i]);
    }
    return join(a, b, c, d);
  }

  /** {@link #hash(float[])} of a stored vector. */
  long hash(MemorySegment v, long at) {
    long a = 0x9E3779B97F4A7C15L;
    long b = 0xC2B2AE3D27D4EB4FL;
    long c = 0x165667B19E3779F9L;
    long d = 0x27D4EB2F165667C5L;
    int i = 0;
    for (; i + 3 < dimension; i += 4) {
      a = step(a, v.get(Kernels.FLOAT, at + 4L * i));
      b = step(b, v.get(Kernels.FLOAT, at + 4L * (i + 1)));
      c = step(c, v.get(Kernels.FLOAT, at + 4L * (i + 2)));
      d = step(d, v.get(Kernels.FLOAT, at + 4L * (i + 3)));
    }
    for (; i < dimension; i++) {
      a = step(a, v.get(Kernels.FLOAT, at + 4L * i));
    }
    return join(a, b, c, d);
  }

  private static long step(long h, float x) {
    long g = (h ^ Float.floatToRawIntBits(x)) * 0xFF51AFD7ED558CCDL;
    return g ^ (g >>> 32);
  }

  private static long join(long a, long b, long c, long d) {
    long h = a;
    h = (h ^ b) * 0xC4CEB9FE1A85EC53L;
    h = ((h ^ (h >>> 29)) + c) * 0x9E3779B97F4A7C15L;
    h = ((h ^ (h >>> 31)) + d) * 0xBF58476D1CE4E5B9L;
    return h ^ (h >>> 32);
  }
}
