package dev.petunia.benchmarks.crash;

import dev.petunia.core.VectorEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** An endless sequence of changes, commits and compactions; a seed stands for one sequence. */
final class Workload {
  static final int DIMENSION = 24;

  /**
   * Ids there are. In the long run almost all of them are in the index, which is more than the
   * 1,000 from which on an index has codes; a new directory crosses that within some 500 steps.
   */
  static final int IDS = 2000;

  private static final int BATCH = 48;

  private final SplittableRandom random;

  Workload(long seed) {
    random = new SplittableRandom(seed);
  }

  /** One thing to do. */
  sealed interface Step {}

  /** Puts one or several ids, each with a new vector. */
  record Put(List<VectorEntry> entries) implements Step {}

  /** Takes an id out, if it is there. */
  record Delete(String id) implements Step {}

  /** Commits. */
  record Commit() implements Step {}

  /** Compacts, which is a commit as well. */
  record Compact() implements Step {}

  /** The next thing to do. */
  Step next() {
    int kind = random.nextInt(100);
    if (kind < 2) {
      return new Compact();
    }
    if (kind < 20) {
      return new Commit();
    }
    if (kind < 32) {
      return new Delete(id(random.nextInt(IDS)));
    }
    return new Put(entries(kind < 40 ? BATCH : 1));
  }

  private List<VectorEntry> entries(int count) {
    List<VectorEntry> entries = new ArrayList<>(count);
    int first = random.nextInt(IDS);
    for (int i = 0; i < count; i++) {
      float[] vector = new float[DIMENSION];
      for (int j = 0; j < DIMENSION; j++) {
        vector[j] = (float) random.nextGaussian();
      }
      // a stride that has no factor in common with the number of ids: no id comes twice
      entries.add(new VectorEntry(id((first + 7 * i) % IDS), vector));
    }
    return entries;
  }

  static String id(int i) {
    return "k" + i;
  }
}
