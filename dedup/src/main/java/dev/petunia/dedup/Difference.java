package dev.petunia.dedup;

import java.util.List;

/**
 * Which tokens tell two texts apart, as multisets: a token that is twice in one and once in the
 * other is there once. Two texts may differ in order only; then both lists are empty.
 *
 * @param onlyInA tokens only in a, in the order of a
 * @param onlyInB tokens only in b, in the order of b
 */
public record Difference(List<DifferingToken> onlyInA, List<DifferingToken> onlyInB) {
  /** Copies. */
  public Difference {
    onlyInA = List.copyOf(onlyInA);
    onlyInB = List.copyOf(onlyInB);
  }
}
