package dev.petunia.dedup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which pairs of sets share a band and have J ≥ 0.8. The answer is a function of the sets alone:
 * crowded buckets are joined by prefix ({@link HotJoin}), and of what that finds only pairs that
 * share a band count, so that it does not matter what was crowded when.
 */
final class Lsh {
  private final State state;
  private final Sets sets;
  private final KeySource keySource;
  private final int bands;
  private final int hot;
  final BandTable table;
  final List<BandRun> runs = new ArrayList<>();
  private final HotJoin hotJoin;

  /** Band and key of buckets that are joined. */
  private final Set<Long> hotBuckets = new HashSet<>();

  /** What a batch found. */
  static final class Found {
    final List<int[]> pairs = new ArrayList<>(); // for each new group: other, inter, other, ...
    long candidates;
    long hotBuckets;
    long hotSets;
  }

  Lsh(State state, Sets sets, LshParameters parameters, int hot) {
    this(state, sets, new MinHash(parameters)::keys, parameters.bands(), hot);
  }

  /** With band keys from elsewhere: other families of hashes are measured on the same rest. */
  Lsh(State state, Sets sets, KeySource keySource, int bands, int hot) {
    this.state = state;
    this.sets = sets;
    this.keySource = keySource;
    this.bands = bands;
    this.hot = hot;
    table = new BandTable(bands);
    hotJoin = new HotJoin(sets);
  }

  /** The band keys of sets. */
  interface KeySource {
    int[] keys(long[] set);
  }

  int[] keys(long[] set) {
    return keySource.keys(set);
  }

  /** Adds groups {@code from} to the last, and finds the pairs of each with smaller numbers. */
  Found add(int from, Crew crew) {
    int count = state.groups() - from;
    int[][] keys = new int[count][];
    crew.run(count, i -> keys[i] = keys(sets.set(from + i)));
    int at = table.size();
    table.reserve(count);
    crew.run(bands, 1, band -> table.addBand(band, at, keys));

    IntList[] found = new IntList[count];
    BitSet[] crowded = new BitSet[count];
    long[] compared = new long[count];
    crew.run(
        count,
        i -> {
          found[i] = new IntList();
          crowded[i] = new BitSet(0);
          compared[i] = search(from + i, keys[i], found[i], crowded[i]);
        });
    Found out = new Found();
    joinCrowded(from, keys, crowded, found, compared, out, crew);
    for (int i = 0; i < count; i++) {
      out.pairs.add(found[i].toArray());
      out.candidates += compared[i];
    }
    return out;
  }

  private int bucket(int band, int key, int[] out) {
    int n = 0;
    for (BandRun run : runs) {
      n = run.collect(band, key, out, n);
    }
    return table.collect(band, key, out, n);
  }

  private long search(int group, int[] keys, IntList found, BitSet crowded) {
    int[] bucket = new int[hot + 1];
    IntList candidates = new IntList();
    for (int band = 0; band < keys.length; band++) {
      int n = bucket(band, keys[band], bucket);
      if (n > hot) {
        crowded.set(band);
        continue;
      }
      for (int i = 0; i < n; i++) {
        if (bucket[i] < group) {
          candidates.add(bucket[i]);
        }
      }
    }
    candidates.sort();
    long[] set = sets.set(group);
    long compared = 0;
    for (int i = 0; i < candidates.size(); i++) {
      if (i == 0 || candidates.get(i) != candidates.get(i - 1)) {
        compared++;
        compare(set, candidates.get(i), found);
      }
    }
    return compared;
  }

  private void compare(long[] set, int other, IntList found) {
    if (!Jaccard.canReach(set.length, state.setSizes.get(other), Jaccard.COUNTED_TENTHS)) {
      return; // without reading the set
    }
    long[] o = sets.set(other);
    int inter = Jaccard.intersectionIfAtLeast(set, set.length, o, o.length, Jaccard.COUNTED_TENTHS);
    if (inter >= 0) {
      found.add(other);
      found.add(inter);
    }
  }

  private void joinCrowded(
      int from,
      int[][] keys,
      BitSet[] crowded,
      IntList[] found,
      long[] compared,
      Found out,
      Crew crew) {
    IntList waiting = new IntList();
    int before = hotJoin.size();
    for (int i = 0; i < keys.length; i++) {
      if (crowded[i].isEmpty()) {
        continue;
      }
      waiting.add(i);
      hotJoin.add(from + i);
      for (int band = crowded[i].nextSetBit(0); band >= 0; band = crowded[i].nextSetBit(band + 1)) {
        if (hotBuckets.add(((long) band << 32) | (keys[i][band] & 0xFFFFFFFFL))) {
          out.hotBuckets++;
          for (int group : wholeBucket(band, keys[i][band])) {
            hotJoin.add(group);
          }
        }
      }
    }
    if (waiting.size() == 0) {
      return;
    }
    out.hotSets = (long) hotJoin.size() - before;
    hotJoin.index();
    crew.run(
        waiting.size(),
        w -> {
          int i = waiting.get(w);
          long[] set = sets.set(from + i);
          IntList both = new IntList();
          hotJoin.probe(
              from + i,
              set,
              other -> {
                compared[i]++;
                int at = both.size();
                compare(set, other, both);
                if (both.size() > at && !shareABand(keys[i], keys(sets.set(other)))) {
                  both.truncate(at);
                }
              });
          found[i] = merged(found[i], both);
        });
  }

  /** Whether a group is in the buckets of its own keys. */
  boolean finds(int group) {
    int[] keys = keys(sets.set(group));
    for (int band = 0; band < keys.length; band++) {
      boolean isThere = false;
      for (int g : wholeBucket(band, keys[band])) {
        isThere |= g == group;
      }
      if (!isThere) {
        return false;
      }
    }
    return true;
  }

  private int[] wholeBucket(int band, int key) {
    for (int size = 4 * hot; ; size *= 2) {
      int[] out = new int[size];
      int n = bucket(band, key, out);
      if (n < size) {
        return Arrays.copyOf(out, n);
      }
    }
  }

  static boolean shareABand(int[] a, int[] b) {
    for (int i = 0; i < a.length; i++) {
      if (a[i] == b[i]) {
        return true;
      }
    }
    return false;
  }

  /** Two lists of (other, inter), each ascending and without repeats. */
  private static IntList merged(IntList a, IntList b) {
    IntList out = new IntList();
    int i = 0;
    int j = 0;
    while (i < a.size() || j < b.size()) {
      boolean fromA = j == b.size() || (i < a.size() && a.get(i) <= b.get(j));
      if (fromA && j < b.size() && a.get(i) == b.get(j)) {
        j += 2;
      }
      out.add(fromA ? a.get(i) : b.get(j));
      out.add(fromA ? a.get(i + 1) : b.get(j + 1));
      if (fromA) {
        i += 2;
      } else {
        j += 2;
      }
    }
    return out;
  }
}
