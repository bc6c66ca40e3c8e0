package dev.petunia.retriever;

/**
 * How many candidates the channels are asked for. Near-duplicates may fill their pools; they are
 * then asked again for four times as many, up to what the indexes allow.
 */
final class PoolSizes {
  private static final int FACTOR = 4;

  /** The most that a lexical pool may have. */
  private static final int MAX_LEXICAL = 100_000;

  private final int maxDense;
  private int dense;
  private int lexical;
  private boolean isWidened;

  PoolSizes(int dense, int lexical, int maxDense) {
    this.dense = dense;
    this.lexical = lexical;
    this.maxDense = maxDense;
  }

  int dense() {
    return dense;
  }

  int lexical() {
    return lexical;
  }

  boolean isWidened() {
    return isWidened;
  }

  /**
   * Asks for more where as many were found as were asked for.
   *
   * @return false when there is no more to be had
   */
  boolean widen(int denseFound, int lexicalFound) {
    boolean isDenseFull = denseFound >= dense && dense < maxDense;
    boolean isLexicalFull = lexicalFound >= lexical && lexical < MAX_LEXICAL;
    if (isDenseFull) {
      dense = Math.min(maxDense, dense * FACTOR);
    }
    if (isLexicalFull) {
      lexical = (int) Math.min(MAX_LEXICAL, (long) lexical * FACTOR);
    }
    isWidened |= isDenseFull || isLexicalFull;
    return isDenseFull || isLexicalFull;
  }
}
