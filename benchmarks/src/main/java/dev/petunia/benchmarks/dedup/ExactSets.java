package dev.petunia.benchmarks.dedup;

import java.util.Arrays;

/**
 * Shingle sets as sorted numbers of a {@link Trie}: equal numbers are equal shingles, without any
 * chance of a collision.
 *
 * @param sets for each text; empty for one without tokens
 * @param elements numbers are below this
 */
record ExactSets(int[][] sets, int elements) {
  private static final int WIDTH = 5;

  static ExactSets of(int[][] tokens) {
    Trie trie = new Trie();
    int[][] sets = new int[tokens.length][];
    for (int d = 0; d < sets.length; d++) {
      int[] t = tokens[d];
      int width = Math.min(WIDTH, t.length);
      int[] all = new int[t.length == 0 ? 0 : t.length - width + 1];
      for (int i = 0; i < all.length; i++) {
        all[i] = trie.node(t, i, i + width);
      }
      sets[d] = distinct(all);
    }
    return new ExactSets(sets, trie.nodes());
  }

  private static int[] distinct(int[] all) {
    Arrays.sort(all);
    int n = 0;
    for (int i = 0; i < all.length; i++) {
      if (i == 0 || all[i] != all[i - 1]) {
        all[n++] = all[i];
      }
    }
    return Arrays.copyOf(all, n);
  }

  /** What two texts share. */
  Pair pair(int x, int y) {
    int[] a = sets[Math.min(x, y)];
    int[] b = sets[Math.max(x, y)];
    int inter = 0;
    for (int i = 0, j = 0; i < a.length && j < b.length; ) {
      if (a[i] == b[j]) {
        inter++;
        i++;
        j++;
      } else if (a[i] < b[j]) {
        i++;
      } else {
        j++;
      }
    }
    return new Pair(Math.min(x, y), Math.max(x, y), inter, a.length + b.length - inter);
  }
}
