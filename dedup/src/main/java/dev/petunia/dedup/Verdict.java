package dev.petunia.dedup;

import dev.petunia.core.internal.Utf8Order;

/**
 * What a person said about two chunks. It belongs to their ids and raw texts, not to shingles, so
 * it outlives a chunk's removal; it does not count while one of the texts is another.
 */
final class Verdict {
  private final String chunkA;
  private final String chunkB;
  private final boolean isSame;
  private final byte[] shaA;
  private final byte[] shaB;
  private final String note;

  Verdict(String chunkA, String chunkB, boolean isSame, byte[] shaA, byte[] shaB, String note) {
    this.chunkA = chunkA;
    this.chunkB = chunkB;
    this.isSame = isSame;
    this.shaA = shaA;
    this.shaB = shaB;
    this.note = note;
  }

  /** About two chunks with the texts that they have now. */
  static Verdict of(State state, int a, int b, boolean isSame, String note) {
    boolean inOrder = Utf8Order.compare(state.ids.get(a), state.ids.get(b)) < 0;
    int x = inOrder ? a : b;
    int y = inOrder ? b : a;
    return new Verdict(
        state.ids.get(x), state.ids.get(y), isSame, state.shas.get(x), state.shas.get(y), note);
  }

  String chunkA() {
    return chunkA;
  }

  String chunkB() {
    return chunkB;
  }

  boolean isSame() {
    return isSame;
  }

  byte[] shaA() {
    return shaA;
  }

  byte[] shaB() {
    return shaB;
  }

  String note() {
    return note;
  }
}
