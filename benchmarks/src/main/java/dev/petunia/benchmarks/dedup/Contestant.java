package dev.petunia.benchmarks.dedup;

import dev.petunia.dedup.SetAccess;
import java.util.List;

/** A family of signatures. Bands, tables and comparisons are the same for all. */
interface Contestant extends SetAccess.Keys {
  String name();

  /** Makes what its API wants of the sets; does not count. */
  default void prepare(List<long[]> sets) {}

  /**
   * The signature alone, in whatever form it comes; something of it, so that it is not left out.
   */
  int sign(long[] set);
}
