package dev.petunia.benchmarks.dedup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * All pairs with J ≥ 0.8, without bands: the prefix filter of Chaudhuri, Ganti, Kaushik 2006 and
 * Bayardo, Ma, Srikant 2007. Elements are numbered anew, the rarest first; two such sets have one
 * of their first |x| − ⌈0.8·|x|⌉ + 1 elements in common. Sets come by size, so that a posting list
 * can forget those that are too small for all that follow. Each candidate is counted exactly.
 */
final class ExactJoin {
  private static final int TENTHS = 8;

  private final ExactSets given;
  private final int[][] ranked;

  private ExactJoin(ExactSets given) {
    this.given = given;
    int[] frequency = new int[given.elements()];
    for (int[] set : given.sets()) {
      for (int e : set) {
        frequency[e]++;
      }
    }
    long[] order = new long[given.elements()];
    for (int e = 0; e < order.length; e++) {
      order[e] = (long) frequency[e] << 32 | e;
    }
    Arrays.sort(order);
    int[] rank = new int[order.length];
    for (int r = 0; r < order.length; r++) {
      rank[(int) order[r]] = r;
    }
    ranked = new int[given.sets().length][];
    for (int d = 0; d < ranked.length; d++) {
      ranked[d] = Arrays.stream(given.sets()[d]).map(e -> rank[e]).sorted().toArray();
    }
  }

  /** The pairs by their places. */
  static List<Pair> pairs(ExactSets sets) {
    return new ExactJoin(sets).join();
  }

  private List<Pair> join() {
    Integer[] bySize = new Integer[ranked.length];
    Arrays.setAll(bySize, i -> i);
    Arrays.sort(bySize, Comparator.comparingInt(d -> ranked[d].length));
    int[][] postings = new int[given.elements()][];
    int[] starts = new int[given.elements()];
    int[] ends = new int[given.elements()];
    int[] seenBy = new int[ranked.length];
    Arrays.fill(seenBy, -1);
    List<Pair> out = new ArrayList<>();
    for (int d : bySize) {
      int[] set = ranked[d];
      int n = set.length;
      if (n == 0) {
        continue;
      }
      int least = (TENTHS * n + 9) / 10;
      for (int i = 0; i < n - least + 1; i++) {
        int e = set[i];
        int[] list = postings[e] == null ? new int[2] : postings[e];
        while (starts[e] < ends[e] && ranked[list[starts[e]]].length < least) {
          starts[e]++;
        }
        for (int p = starts[e]; p < ends[e]; p++) {
          int other = list[p];
          if (seenBy[other] != d) {
            seenBy[other] = d;
            Pair pair = given.pair(d, other);
            if (pair.isAtLeast(TENTHS)) {
              out.add(pair);
            }
          }
        }
        if (ends[e] == list.length) {
          list = Arrays.copyOf(list, 2 * list.length);
        }
        list[ends[e]++] = d;
        postings[e] = list;
      }
    }
    out.sort(Comparator.comparingLong(Pair::key));
    return out;
  }
}
