package dev.petunia.dedup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The SHA-256 of each chunk's text, 32 bytes each. */
final class Hashes {
  private static final int BYTES = 32;
  private static final int PAGE = 512;

  private final List<byte[]> pages = new ArrayList<>();
  private int size;

  void add(byte[] hash) {
    if (size % PAGE == 0) {
      pages.add(new byte[PAGE * BYTES]);
    }
    System.arraycopy(hash, 0, pages.getLast(), at(size), BYTES);
    size++;
  }

  /** A copy. */
  byte[] get(int i) {
    return Arrays.copyOfRange(pages.get(i / PAGE), at(i), at(i) + BYTES);
  }

  boolean areSame(int i, int j) {
    return Arrays.equals(
        pages.get(i / PAGE), at(i), at(i) + BYTES, pages.get(j / PAGE), at(j), at(j) + BYTES);
  }

  boolean isSame(int i, byte[] hash) {
    return Arrays.equals(pages.get(i / PAGE), at(i), at(i) + BYTES, hash, 0, BYTES);
  }

  private static int at(int i) {
    return i % PAGE * BYTES;
  }
}
