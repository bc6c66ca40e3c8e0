package dev.petunia.benchmarks.ann;

import dev.petunia.core.internal.Checks;
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

  int dimension() {
    return base[0].length;
  }
}
