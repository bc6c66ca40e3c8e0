package dev.petunia.benchmarks.rescore;

import dev.petunia.dedup.ShingleSet;
import java.util.ArrayList;
import java.util.List;

/** The pairs with J ≥ 0.90 of some texts, by comparing each with each. */
final class Twins {
  private final List<List<Integer>> twins = new ArrayList<>();
  private final int[] group;

  Twins(List<ShingleSet> sets) {
    int n = sets.size();
    group = new int[n];
    for (int i = 0; i < n; i++) {
      twins.add(new ArrayList<>());
      group[i] = i;
    }
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        if (areTwins(sets.get(i), sets.get(j))) {
          twins.get(i).add(j);
          twins.get(j).add(i);
          group[root(j)] = root(i);
        }
      }
    }
  }

  private static boolean areTwins(ShingleSet a, ShingleSet b) {
    int least = Math.min(a.size(), b.size());
    int most = Math.max(a.size(), b.size());
    // the intersection has at most the smaller's shingles, the union at least the larger's
    return least > 0 && 10L * least >= 9L * most && a.overlap(b).isAtLeast(9, 10);
  }

  private int root(int i) {
    int r = i;
    while (group[r] != r) {
      r = group[r];
    }
    return r;
  }

  /** The other texts with J ≥ 0.90 to one. */
  List<Integer> of(int text) {
    return twins.get(text);
  }

  /** A number that texts share when a chain of pairs joins them. */
  int group(int text) {
    return root(text);
  }
}
