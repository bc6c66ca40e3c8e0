package dev.petunia.dedup;

import java.util.List;

/**
 * Which tokens tell two texts apart, as multisets: a token that is twice in one and once in the
 * other is there once. Two texts may differ in order only, or in signs that are no tokens; then
 * both lists are empty.
 *
 * @param onlyInA tokens only in a, in the order of a
 * @param onlyInB tokens only in b, in the order of b
 * @param signs of comparison or calculation ({@code <}, {@code !=}, {@code +}, the minus of a
 *     number) that one of them has more often, first those of a
 */
public record Difference(
    List<DifferingToken> onlyInA, List<DifferingToken> onlyInB, List<String> signs) {
  /** Of equal texts. */
  static final Difference NONE = new Difference(List.of(), List.of(), List.of());

  /** Copies. */
  public Difference {
    onlyInA = List.copyOf(onlyInA);
    onlyInB = List.copyOf(onlyInB);
    signs = List.copyOf(signs);
  }
}
