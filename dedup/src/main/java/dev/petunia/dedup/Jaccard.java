package dev.petunia.dedup;

/** Exact overlaps of sorted sets. */
final class Jaccard {
  /** Added to a hash, it makes the signed order the unsigned one. */
  private static final long FLIP = Long.MIN_VALUE;

  /** Pairs from 0.80 on are verified and counted; from 0.90 on they are edges. */
  static final int COUNTED_TENTHS = 8;

  static final int EDGE_TENTHS = 9;

  private Jaccard() {}

  static int intersection(long[] a, int n, long[] b, int m) {
    int i = 0;
    int j = 0;
    int inter = 0;
    while (i < n && j < m) {
      long x = a[i] + FLIP;
      long y = b[j] + FLIP;
      // without branches: which of two hashes is smaller can't be predicted
      inter += x == y ? 1 : 0;
      i += x <= y ? 1 : 0;
      j += x >= y ? 1 : 0;
    }
    return inter;
  }

  /** Whether sets of these sizes can have a similarity of at least {@code tenths} / 10. */
  static boolean canReach(int n, int m, int tenths) {
    return 10L * Math.min(n, m) >= (long) tenths * Math.max(n, m);
  }

  /** The least intersection with which sets of these sizes have a similarity of tenths / 10. */
  static int need(int n, int m, int tenths) {
    return Math.toIntExact((tenths * ((long) n + m) + 9 + tenths) / (10 + tenths));
  }

  /**
   * The intersection, or −1 as soon as a similarity of {@code tenths} / 10 is out of reach.
   *
   * <p>J ≥ t/10 means inter ≥ need = ⌈t·(n + m) / (10 + t)⌉, so at most n − need elements of a and
   * m − need of b may be without a partner.
   */
  static int intersectionIfAtLeast(long[] a, int n, long[] b, int m, int tenths) {
    if (n == 0 || m == 0 || !canReach(n, m, tenths)) {
      return -1;
    }
    int need = need(n, m, tenths);
    int i = 0;
    int j = 0;
    int inter = 0;
    while (i < n && j < m) {
      int stop = Math.min(Math.min(n - i, m - j), 32);
      for (int k = 0; k < stop && i < n && j < m; k++) {
        long x = a[i] + FLIP;
        long y = b[j] + FLIP;
        inter += x == y ? 1 : 0;
        i += x <= y ? 1 : 0;
        j += x >= y ? 1 : 0;
      }
      if (inter + Math.min(n - i, m - j) < need) {
        return -1;
      }
    }
    return inter >= need ? inter : -1;
  }
}
