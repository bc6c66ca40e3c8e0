package dev.petunia.benchmarks.ann;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

/**
 * An index under test, in the thinnest form that lets all be driven alike. One thread calls {@link
 * #search}. What only some systems are asked for is refused by the others.
 */
interface AnnSystem extends AutoCloseable {
  /** As {@code ef} of a search: whatever the system takes when a user names none. */
  int DEFAULT_EF = 0;

  /**
   * The parameters of an index.
   *
   * @param m neighbours for a new node; layer 0 holds up to twice as many
   */
  record Parameters(int dimension, int m, int efConstruction, int threads) {}

  /** What runs: versions, parameters, kernels. */
  String describe();

  /** Builds a new index over all rows, with a row's number as its id. */
  void build(float[][] base, Parameters parameters) throws Exception;

  /**
   * Writes the built index into a folder that is there, so that a child started later can {@link
   * #restore} it.
   */
  default void save(Path folder) throws Exception {
    throw refused("save");
  }

  /**
   * Takes over an index that was saved, instead of building one. What this system adds to it, such
   * as codes, is made here.
   *
   * @param base the rows it was built from; may be empty where {@link #save} wrote the vectors too
   */
  default void restore(Path folder, float[][] base, Parameters parameters) throws Exception {
    throw refused("restore");
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

  /** How a filter is handed over. */
  enum Form {
    /** As what the index made of it beforehand, as its users do with a filter that comes often. */
    PREPARED,
    /** As the set of all that pass. */
    LISTED,
    /** As a predicate; how many pass is not told. */
    PREDICATE
  }

  /** Takes filters, each as the rows that pass; what a user would keep between searches is made. */
  default void filters(List<BitSet> passing) throws Exception {
    throw refused("filters");
  }

  /**
   * Searches among the rows that pass.
   *
   * @param filter which of {@link #filters}
   */
  default int search(
      float[] query, int filter, Form form, int ef, int k, int[] rows, float[] distances)
      throws Exception {
    throw refused("filtered search");
  }

  /** Distances that one search computes. */
  default long distances(float[] query, int ef, int k) throws Exception {
    throw refused("distances");
  }

  /** Puts a row into the index; other threads may search beside it. */
  default void upsert(int row, float[] vector) throws Exception {
    throw refused("upsert");
  }

  /** Takes a row out of the index; other threads may search beside it. */
  default void delete(int row) throws Exception {
    throw refused("delete");
  }

  /** What the index says it takes. */
  default Footprint footprint() throws Exception {
    throw refused("footprint");
  }

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

  private UnsupportedOperationException refused(String what) {
    return new UnsupportedOperationException(describe() + ": " + what + " is not driven");
  }
}
