package dev.petunia.dedup;

/**
 * A token that is in one of two texts only.
 *
 * @param token as the normalizer has it
 * @param texts in how many distinct shingle sets of the index it is or was; removed ones count on
 * @param share {@code texts} as a part of all distinct sets, 0 to 1
 */
public record DifferingToken(String token, int texts, double share) {
  /** Whether it has a digit of any script: a version, a size, a date. */
  public boolean hasDigit() {
    return token.codePoints().anyMatch(Character::isDigit);
  }
}
