package dev.petunia.dedup;

import java.util.ArrayList;
import java.util.List;

/**
 * Lets the benchmarks at the engine between shingles and edges: signatures, bands, comparisons. It
 * is no part of the API, so the class that measures it has to stand in its package; the benchmarks
 * run on the class path, where that is allowed.
 */
public final class SetAccess {
  private static final int BATCH = 4096; // as in an ingest
  private static final int HOT = DedupConfig.DEFAULT.hotBucket();
  private static final MinHash MIN_HASH = new MinHash(LshParameters.DEFAULT);

  private SetAccess() {}

  /** Band keys of a set. */
  public interface Keys {
    /** 18 keys of 32 bits. */
    int[] of(long[] set);
  }

  /** Two sets with J ≥ 0.8, by their places in the list; {@code later} is larger. */
  public record Similar(int earlier, int later, int intersection) {}

  /**
   * What a join found.
   *
   * @param pairs of sets that were compared; of equal sets only the first takes part when they were
   *     collapsed
   * @param firsts for each set the place of the first one that is equal to it, itself when none is
   *     or nothing was collapsed
   * @param candidates pairs of sets that were compared
   */
  public record Join(List<Similar> pairs, int[] firsts, long candidates) {}

  /** Minima in a signature of 18 × 7. */
  public static int size() {
    return MIN_HASH.size();
  }

  /** Fills the signature of a set of sorted hashes that is not empty. */
  public static void signature(long[] set, int[] out) {
    MIN_HASH.signature(set, out);
  }

  /** The module's own band keys. */
  public static int[] keys(long[] set) {
    return MIN_HASH.keys(set);
  }

  /** Band keys from a signature of any family. */
  public static int[] keysOf(int[] signature) {
    int[] out = new int[MIN_HASH.bands()];
    MIN_HASH.keys(signature, out);
    return out;
  }

  /**
   * All pairs of sets that share a band and have J ≥ 0.8, by the index's own tables and comparison,
   * on one thread.
   *
   * @param isCollapsed whether equal sets are joined as one, as the index does
   */
  public static Join join(List<long[]> given, Keys keys, boolean isCollapsed) {
    State state = new State();
    Sets sets = new Sets(state);
    Lsh lsh = new Lsh(state, sets, keys::of, MIN_HASH.bands(), HOT);
    int[] firsts = new int[given.size()];
    IntList places = new IntList();
    List<Similar> out = new ArrayList<>();
    long candidates = 0;
    try (Crew crew = new Crew(1)) {
      for (int at = 0; at < firsts.length; at += BATCH) {
        int firstGroup = state.groups();
        for (int i = at; i < Math.min(firsts.length, at + BATCH); i++) {
          long[] set = given.get(i);
          firsts[i] = i;
          if (set.length == 0) {
            continue;
          }
          long fingerprint = Prepared.fingerprint(set);
          int g = isCollapsed ? state.findGroup(fingerprint, set, sets) : State.NONE;
          if (g == State.NONE) {
            state.addGroup(isCollapsed ? fingerprint : i, set.length, set.length, 0);
            sets.add(set);
            places.add(i);
          } else {
            firsts[i] = places.get(g);
          }
        }
        Lsh.Found found = lsh.add(firstGroup, crew);
        candidates += found.candidates;
        for (int i = 0; i < found.pairs.size(); i++) {
          int[] p = found.pairs.get(i);
          for (int k = 0; k < p.length; k += 2) {
            out.add(new Similar(places.get(p[k]), places.get(firstGroup + i), p[k + 1]));
          }
        }
      }
    }
    return new Join(out, firsts, candidates);
  }
}
