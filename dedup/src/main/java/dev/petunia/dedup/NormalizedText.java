package dev.petunia.dedup;

import java.util.List;

/**
 * A text as the normalizer sees it.
 *
 * @param text the folded text with single blanks, to look at; tokens don't depend on its blanks
 * @param tokens its tokens in order
 * @param report what was taken out or replaced
 * @param version the normalizer's version
 */
public record NormalizedText(
    String text, List<String> tokens, NormalizeReport report, int version) {
  /** Copies. */
  public NormalizedText {
    tokens = List.copyOf(tokens);
  }
}
