package dev.petunia.hnsw;

/**
 * A random rotation that costs n log n: signs are flipped at random, then the Hadamard transform of
 * the greatest power of two that fits mixes the first components, and after another flip the last
 * ones; twice. It keeps lengths and inner products, and spreads a vector whose length sits in few
 * components over all of them. A function of dimension and seed alone.
 */
final class Rotation {
  private static final long SEED = 0x5065_7475_6E69_61L;
  private static final int ROUNDS = 4;

  private final int dimension;
  private final int block;
  private final float scale;

  /** +1 or −1 for each round and component. */
  private final float[] signs;

  Rotation(int dimension) {
    this.dimension = dimension;
    block = Integer.highestOneBit(dimension);
    scale = (float) (1 / Math.sqrt(block));
    signs = new float[ROUNDS * dimension];
    long z = SEED;
    for (int i = 0; i < signs.length; i++) {
      z += 0x9E3779B97F4A7C15L; // SplitMix64
      long x = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
      x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
      signs[i] = (x >>> 63) == 0 ? 1 : -1;
    }
  }

  /** Rotates {@code v[0..dimension-1]} in place. */
  void apply(float[] v) {
    for (int round = 0; round < ROUNDS; round++) {
      int at = round * dimension;
      for (int i = 0; i < dimension; i++) {
        v[i] *= signs[at + i];
      }
      transform(v, (round & 1) == 0 ? 0 : dimension - block);
    }
  }

  private void transform(float[] v, int from) {
    for (int half = 1; half < block; half *= 2) {
      for (int i = from; i < from + block; i += 2 * half) {
        butterflies(v, i, half);
      }
    }
    for (int i = from; i < from + block; i++) {
      v[i] *= scale;
    }
  }

  private static void butterflies(float[] v, int i, int half) {
    for (int k = i; k < i + half; k++) {
      float a = v[k];
      float b = v[k + half];
      v[k] = a + b;
      v[k + half] = a - b;
    }
  }
}
