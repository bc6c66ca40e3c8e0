package dev.petunia.benchmarks.ann;

import dev.petunia.core.internal.Checks;
import java.util.Arrays;
import java.util.Optional;

/**
 * Vectors to index and vectors to ask with, all of unit length.
 *
 * @param name as in the metrics' names
 * @param note where they come from, in a few words
 * @param base rows to index; a row's number is its id
 * @param queries rows to ask with
 * @param givenTruth rows of the nearest base vectors of each query when the set brings them along
 */
@SuppressWarnings("ArrayRecordComponent") // large and shared on purpose; never compared
record AnnSet(
    String name, String note, float[][] base, float[][] queries, Optional<int[][]> givenTruth) {
  AnnSet {
    Checks.id("name", name);
    if (base.length == 0 || queries.length == 0) {
      throw new IllegalArgumentException("set " + name + " is empty, allowed: at least 1 vector");
    }
    if (base[0].length != queries[0].length) {
      throw Checks.bad("dimension of the queries", queries[0].length, base[0].length + "");
    }
  }

  /** Some of the rows and some of the queries, in the order given. */
  AnnSet part(int[] rows, int[] ask) {
    float[][] someRows = new float[rows.length][];
    for (int i = 0; i < rows.length; i++) {
      someRows[i] = base[rows[i]];
    }
    float[][] someQueries = new float[ask.length][];
    for (int i = 0; i < ask.length; i++) {
      someQueries[i] = queries[ask[i]];
    }
    return new AnnSet(name, note, someRows, someQueries, Optional.empty());
  }

  /** The first queries only. */
  AnnSet firstQueries(int count) {
    float[][] some = Arrays.copyOf(queries, Math.min(count, queries.length));
    return new AnnSet(name, note, base, some, Optional.empty());
  }

  int dimension() {
    return base[0].length;
  }
}
