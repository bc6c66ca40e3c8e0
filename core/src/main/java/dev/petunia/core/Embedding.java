package dev.petunia.core;

import dev.petunia.core.internal.Checks;

/**
 * The vector of a text.
 *
 * @param vector unit length
 * @param tokens tokens that the model read, its special tokens included
 * @param truncated the text was longer than the model reads, and its end was cut
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier of results; equality by identity is right
public record Embedding(float[] vector, int tokens, boolean truncated) {
  /** Checks that the components are finite; their length is the model's promise. Not copied. */
  public Embedding {
    Checks.finite("vector", vector);
    Checks.range("tokens", tokens, 0, Integer.MAX_VALUE);
  }
}
