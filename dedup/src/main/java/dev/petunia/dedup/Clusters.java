package dev.petunia.dedup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Describes clusters: members, and how far they are apart. */
final class Clusters {
  /** Up to so many distinct sets all pairs are compared. */
  private static final int ALL_PAIRS = 64;

  private final State state;
  private final Sets sets;

  Clusters(State state, Sets sets) {
    this.state = state;
    this.sets = sets;
  }

  /** All clusters of two or more, by their canonical member's place in the order of ingest. */
  List<Cluster> all() {
    List<Cluster> out = new ArrayList<>();
    for (int d = 0; d < state.ids.size(); d++) {
      if (!state.removed.get(d) && state.canonical(d) == d && state.clusterSize(d) > 1) {
        out.add(describe(d));
      }
    }
    return out;
  }

  /** Which chunk stands for which. */
  CanonicalMap map() {
    Map<String, String> out = new HashMap<>();
    state.live.forEach(
        (id, d) -> {
          if (state.canonical(d) != d) {
            out.put(id, state.ids.get(state.canonical(d)));
          }
        });
    return new CanonicalMap(state.mapVersion, out);
  }

  Cluster describe(int canonical) {
    int home = state.groupOf.get(canonical);
    int[] groups = state.component(home);
    long[] homeSet = sets.set(home);
    Map<Integer, Overlap> toCanonical = new HashMap<>();
    IntList docs = new IntList();
    Overlap least = new Overlap(1, 1);
    for (int g : groups) {
      Overlap o = overlap(homeSet, sets.set(g));
      toCanonical.put(g, o);
      least = least.compareTo(o) <= 0 ? least : o;
      for (int d : state.members(g)) {
        docs.add(d);
      }
    }
    docs.sort();
    boolean isSmall = groups.length <= ALL_PAIRS;
    int hops = farthest(home, groups);
    if (isSmall) {
      for (int i = 0; i < groups.length; i++) {
        long[] set = sets.set(groups[i]);
        hops = Math.max(hops, farthest(groups[i], groups));
        for (int j = 0; j < i; j++) {
          Overlap o = overlap(set, sets.set(groups[j]));
          least = least.compareTo(o) <= 0 ? least : o;
        }
      }
    }
    List<Cluster.Member> members = new ArrayList<>();
    for (int d : docs.toArray()) {
      Overlap o = toCanonical.getOrDefault(state.groupOf.get(d), new Overlap(0, 0));
      members.add(
          new Cluster.Member(
              state.ids.get(d), state.sequences.get(d), o, o.isAtLeast(Jaccard.EDGE_TENTHS, 10)));
    }
    // members with equal sets are one edge apart
    int within = docs.size() > groups.length ? 1 : 0;
    return new Cluster(
        state.ids.get(canonical), members, least.jaccard(), isSmall, Math.max(hops, within));
  }

  /** For tests: the chunks whose labels differ from what a walk over all edges gives. */
  List<String> wrongLabels() {
    List<String> out = new ArrayList<>();
    for (int g = 0; g < state.groups(); g++) {
      if (state.first(g) != State.NONE) {
        int least = Integer.MAX_VALUE;
        for (int other : state.component(g)) {
          least = Math.min(least, state.first(other));
        }
        if (state.canonical(state.first(g)) != least) {
          out.add(state.ids.get(state.first(g)));
        }
      }
    }
    return out;
  }

  static Overlap overlap(long[] a, long[] b) {
    int inter = Jaccard.intersection(a, a.length, b, b.length);
    return new Overlap(inter, a.length + b.length - inter);
  }

  /** Edges to the group that is farthest from this one. */
  private int farthest(int from, int[] groups) {
    BitSet seen = new BitSet();
    seen.set(from);
    IntList level = new IntList();
    level.add(from);
    int hops = 0;
    while (true) {
      IntList next = new IntList();
      for (int i = 0; i < level.size(); i++) {
        state.pairsOf(
            level.get(i),
            (p, other) -> {
              if (!seen.get(other) && Arrays.binarySearch(groups, other) >= 0) {
                seen.set(other);
                next.add(other);
              }
            });
      }
      if (next.size() == 0) {
        return hops;
      }
      hops++;
      level = next;
    }
  }
}
