package dev.petunia.dedup;

import java.util.Arrays;

/**
 * Signatures of k minima, by k functions A·x + B mod 2³² of a folded hash (Broder 1997; the family
 * is linear, which is enough here since shingles are well mixed already). Java vectorizes the loop:
 * four elements of the set at a time, so that each constant is loaded once for the four.
 *
 * <p>The constants come from SplitMix64 with a frozen seed; {@link #VERSION} stands in every file
 * of band keys. Immutable.
 */
final class MinHash {
  static final int VERSION = 1;
  private static final long SEED = 0x5065_7475_6E69_6131L; // "Petunia1"

  private final int bands;
  private final int rows;
  private final int[] a;
  private final int[] b;

  MinHash(LshParameters parameters) {
    bands = parameters.bands();
    rows = parameters.rows();
    int k = bands * rows;
    a = new int[k];
    b = new int[k];
    long state = SEED;
    for (int i = 0; i < k; i++) {
      state += 0x9E3779B97F4A7C15L;
      long x = splitMix(state);
      a[i] = (int) x | 1;
      b[i] = (int) (x >>> 32);
    }
  }

  private static long splitMix(long state) {
    long x = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
    x = (x ^ x >>> 27) * 0x94D049BB133111EBL;
    return x ^ x >>> 31;
  }

  int size() {
    return a.length;
  }

  int bands() {
    return bands;
  }

  /** The band keys of a set that is not empty. */
  int[] keys(long[] set) {
    int[] signature = new int[size()];
    signature(set, signature);
    int[] keys = new int[bands];
    keys(signature, keys);
    return keys;
  }

  /** Fills the signature of a set that is not empty. */
  void signature(long[] set, int[] out) {
    Arrays.fill(out, 0, a.length, Integer.MAX_VALUE);
    int n = set.length;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
      minima(a, b, fold(set[i]), fold(set[i + 1]), fold(set[i + 2]), fold(set[i + 3]), out);
    }
    for (; i < n; i++) {
      minima(a, b, fold(set[i]), out);
    }
  }

  private static int fold(long x) {
    return (int) (x ^ x >>> 32);
  }

  private static void minima(int[] a, int[] b, int x, int[] out) {
    for (int i = 0; i < a.length; i++) {
      out[i] = Math.min(out[i], a[i] * x + b[i]);
    }
  }

  private static void minima(int[] a, int[] b, int x, int y, int z, int w, int[] out) {
    for (int i = 0; i < a.length; i++) {
      int p = a[i];
      int q = b[i];
      int least = Math.min(Math.min(p * x + q, p * y + q), Math.min(p * z + q, p * w + q));
      out[i] = Math.min(out[i], least);
    }
  }

  /** The key of each band, from a signature: 32 bits of a mix of its rows and its number. */
  void keys(int[] signature, int[] out) {
    for (int band = 0; band < bands; band++) {
      long h = band * 0x9E3779B97F4A7C15L + 0x632BE59BD9B4E019L;
      for (int r = 0; r < rows; r++) {
        h = (h ^ signature[band * rows + r]) * 0xFF51AFD7ED558CCDL;
        h ^= h >>> 32;
      }
      out[band] = (int) (splitMix(h) >>> 32);
    }
  }
}
