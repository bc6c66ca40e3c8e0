package dev.petunia.benchmarks.rescore;

/**
 * A passage as someone would paste it.
 *
 * @param text the passage, with noise
 * @param source number of the chunk it is from
 * @param length tokens before noise, one of {@link #LENGTHS}; {@link #ALL}: the whole chunk
 * @param noise percent of the tokens that were meant to be altered, one of {@link #NOISE}
 * @param altered how many were
 */
record Span(String text, int source, int length, int noise, int altered) {
  static final int ALL = Integer.MAX_VALUE;

  private static final int[] LENGTHS = {8, 20, 64, 150, ALL};
  private static final int[] NOISE = {0, 2, 5};

  static int[] lengths() {
    return LENGTHS.clone();
  }

  static int[] noises() {
    return NOISE.clone();
  }

  /** How many combinations of length and noise there are. */
  static int cells() {
    return LENGTHS.length * NOISE.length;
  }

  static String label(int length) {
    return length == ALL ? "all" : String.valueOf(length);
  }
}
