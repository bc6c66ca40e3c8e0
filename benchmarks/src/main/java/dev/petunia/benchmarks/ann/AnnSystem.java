package dev.petunia.benchmarks.ann;

import java.nio.file.Path;

/**
 * An index under test, in the thinnest form that lets all be driven alike. One thread calls {@link
 * #search}.
 */
interface AnnSystem extends AutoCloseable {
  /** As {@code ef} of a search: whatever the system takes when a user names none. */
  int DEFAULT_EF = 0;

  /** What runs: versions, parameters, kernels. */
  String describe();

  /** Builds a new index over all rows, with a row's number as its id. */
  void build(float[][] base, int m, int efConstruction, int threads) throws Exception;

  /**
   * Writes the built index into a folder that is there, so that a child started later can {@link
   * #restore} it.
   */
  default void save(Path folder) throws Exception {
    throw new UnsupportedOperationException(describe() + " can't save");
  }

  /**
   * Takes over an index that was saved, instead of building one. What this system adds to it, such
   * as codes, is made here. The other parameters are those that it was built with.
   */
  default void restore(Path folder, float[][] base, int m, int efConstruction, int threads)
      throws Exception {
    throw new UnsupportedOperationException(describe() + " can't restore");
  }

  /**
   * Searches. What a user of the library would have to make for each search, such as a query
   * object, is made here, inside the measured time.
   *
   * @param ef at least 1, or {@link #DEFAULT_EF} where the system has one
   * @param rows gets the k nearest rows, nearest first
   * @param distances gets their cosine distances
   * @return how many came back
   */
  int search(float[] query, int ef, int k, int[] rows, float[] distances) throws Exception;

  /**
   * Bytes allocated by one search, on average over the queries: of the search itself, and of the
   * result that it returned. For systems other than Petunia only the first is measured, with
   * whatever their query objects need.
   */
  default Allocation allocation(float[][] queries, int ef, int k) throws Exception {
    int[] rows = new int[k];
    float[] distances = new float[k];
    long before = Allocation.bytes();
    for (float[] q : queries) {
      search(q, ef, k, rows, distances);
    }
    return new Allocation((double) (Allocation.bytes() - before) / queries.length, -1);
  }

  @Override
  void close() throws Exception;
}
