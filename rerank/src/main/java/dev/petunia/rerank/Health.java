package dev.petunia.rerank;

import java.util.Optional;

/**
 * Tells a passage that fails from a model that does: after {@value #TOO_MANY} failures in a row,
 * with no score between them, the model is given up. Safe for many threads.
 */
final class Health {
  static final int TOO_MANY = 8;

  private int inARow;
  private volatile Optional<String> cause = Optional.empty();

  synchronized void scored() {
    inARow = 0;
  }

  /** A run failed, or computed no number. */
  synchronized void failed(String why) {
    if (++inARow >= TOO_MANY && cause.isEmpty()) {
      cause = Optional.of(inARow + " failures in a row, the last: " + why);
    }
  }

  /** Why the model was given up; empty while it wasn't. */
  Optional<String> cause() {
    return cause;
  }
}
