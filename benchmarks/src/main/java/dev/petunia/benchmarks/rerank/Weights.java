package dev.petunia.benchmarks.rerank;

/**
 * Weights drawn at random, each computed from seed, name and place alone: they can be written in
 * any order without being kept.
 *
 * <p>A matrix is int8 numbers times one scale per output, so that both precisions of a model hold
 * the same weights exactly, and their outputs differ by the quantised activations only. A trained
 * model loses more.
 */
final class Weights {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final long seed;

  Weights(long seed) {
    this.seed = seed;
  }

  /**
   * A matrix for rows of {@code in} components.
   *
   * @param gain standard deviation of an output for inputs of standard deviation 1
   */
  Matrix matrix(String name, int in, int out, double gain) {
    return new Matrix(base(name), in, out, gain);
  }

  /** A component of a norm's weights: near 1. */
  float norm(String name, int i) {
    return (float) (0.9 + 0.2 * unit(mix(base(name) + i * GOLDEN)));
  }

  private long base(String name) {
    long h = mix(seed);
    for (int i = 0; i < name.length(); i++) {
      h = mix(h + name.charAt(i) * GOLDEN);
    }
    return h;
  }

  /** The finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
  private static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
    return b ^ (b >>> 31);
  }

  /** In [0, 1). */
  private static double unit(long bits) {
    return (bits >>> 11) * 0x1.0p-53;
  }

  /** One matrix. */
  static final class Matrix {
    private final long base;
    private final int in;
    private final int out;
    private final double bound;

    private Matrix(long base, int in, int out, double gain) {
      this.base = base;
      this.in = in;
      this.out = out;
      // numbers that are uniform in [-bound, bound] have standard deviation bound / sqrt(3)
      this.bound = gain * Math.sqrt(3.0 / in);
    }

    int in() {
      return in;
    }

    int out() {
      return out;
    }

    /** The int8 number from input {@code i} to output {@code o}: -127 to 127. */
    byte quantised(int i, int o) {
      byte b = (byte) (mix(base + ((long) o * in + i) * GOLDEN) >>> 56);
      return b == Byte.MIN_VALUE ? 0 : b; // symmetric, as quantisers make it
    }

    /** The scale of an output. */
    float scale(int o) {
      return (float) (bound / 127 * (0.75 + 0.5 * unit(mix(~base + o * GOLDEN))));
    }

    /** The weight. */
    float at(int i, int o) {
      return quantised(i, o) * scale(o);
    }
  }
}
