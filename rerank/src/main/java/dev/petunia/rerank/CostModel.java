package dev.petunia.rerank;

/**
 * How long a passage will take: nanoseconds per token, as an exponentially weighted mean of what
 * passages took (weight 1/8 for the newest). Attention makes long passages dearer than that; the
 * mean follows the lengths that are asked for. Safe for many threads.
 */
final class CostModel {
  private static final double NEWEST = 1.0 / 8;

  private double perToken;

  /** Nanoseconds, 0 before anything was measured. */
  synchronized long predict(int tokens) {
    return (long) (perToken * tokens);
  }

  /** A passage (or prefix) of so many tokens took so long. */
  synchronized void took(int tokens, long nanos) {
    double now = (double) Math.max(0, nanos) / Math.max(1, tokens);
    perToken = perToken == 0 ? now : perToken + NEWEST * (now - perToken);
  }
}
