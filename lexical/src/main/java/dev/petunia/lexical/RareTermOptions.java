package dev.petunia.lexical;

import dev.petunia.core.internal.Checks;

/**
 * Which terms of a query are rare.
 *
 * @param maxDocumentFrequencyRatio greatest share of the chunks that may hold a rare term; above 0,
 *     at most 1. With 0.005 an index of fewer than 200 chunks has no rare terms.
 * @param maxTerms most terms used, the rarest ones; 1 to 10,000. What this leaves out is reported.
 */
public record RareTermOptions(double maxDocumentFrequencyRatio, int maxTerms) {
  /** A ratio of 0.005, and 32 terms. */
  public static final RareTermOptions DEFAULT = new RareTermOptions(0.005, 32);

  /** Checks. */
  public RareTermOptions {
    if (!(maxDocumentFrequencyRatio > 0 && maxDocumentFrequencyRatio <= 1)) {
      throw Checks.bad(
          "maxDocumentFrequencyRatio", maxDocumentFrequencyRatio, "above 0, at most 1");
    }
    Checks.range("maxTerms", maxTerms, 1, 10_000);
  }
}
