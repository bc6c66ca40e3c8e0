package dev.petunia.onnx.internal;

import dev.petunia.core.internal.Checks;

/**
 * How texts are tokenised. All three are always told to the tokenizer: left alone it cuts at 512
 * tokens and pads, or does what its file happens to say. Padding is always off.
 *
 * @param maxTokens most tokens of a text, special ones included; {@link #NO_LIMIT} for all
 * @param addSpecialTokens put the model's own around a text, as its post-processor says
 * @param readSpecialTokens take the characters {@code [SEP]} in a text for the special token; with
 *     false, text stays text
 * @param readAddedTokens with false, also those that the file lists as added but not as special
 *     stay text, such as {@code <think>} of Qwen3
 */
public record TokenizerSettings(
    int maxTokens, boolean addSpecialTokens, boolean readSpecialTokens, boolean readAddedTokens) {
  /** No truncation. */
  public static final int NO_LIMIT = Integer.MAX_VALUE;

  /** Checks. */
  public TokenizerSettings {
    Checks.range("maxTokens", maxTokens, 3, NO_LIMIT);
  }

  /** With the added tokens that aren't special read in the text. */
  public TokenizerSettings(int maxTokens, boolean addSpecialTokens, boolean readSpecialTokens) {
    this(maxTokens, addSpecialTokens, readSpecialTokens, true);
  }

  /** Cuts at {@code maxTokens}, adds special tokens, and reads none in the text. */
  public static TokenizerSettings truncatingAt(int maxTokens) {
    return new TokenizerSettings(maxTokens, true, false);
  }

  /** Neither cuts nor adds nor reads special tokens: for the pieces of a prompt. */
  public static TokenizerSettings plain() {
    return new TokenizerSettings(NO_LIMIT, false, false);
  }

  /** Cuts at {@code maxTokens}, adds none and reads none, special or not: for users' texts. */
  public static TokenizerSettings literal(int maxTokens) {
    return new TokenizerSettings(maxTokens, false, false, false);
  }

  /** Whether texts are cut. */
  boolean limited() {
    return maxTokens != NO_LIMIT;
  }
}
