package dev.petunia.core;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * An index of vectors by id.
 *
 * <p>Safe for many threads. A search sees each id at most once, at its newest vector or at the one
 * before when a change runs beside it.
 *
 * <p>Errors: bad input is an {@link IllegalArgumentException} that names the field, the value and
 * what is allowed, and changes nothing; a closed index throws {@link IndexClosedException}; reads
 * and writes of files that fail are {@link java.io.UncheckedIOException}.
 */
public interface VectorIndex extends AutoCloseable {
  /** Number of components of each vector. */
  int dimension();

  /** The metric. */
  Similarity similarity();

  /** Number of ids. */
  int size();

  /** Whether the id is here. */
  boolean contains(String id);

  /** The vector of an id as stored (unit length under COSINE), a copy; null when it is not here. */
  float @Nullable [] vector(String id);

  /**
   * Adds a new id.
   *
   * @throws IllegalArgumentException when the id is here already, or the vector is not {@link
   *     #dimension} finite components, is zero under COSINE, or not of unit length under
   *     DOT_PRODUCT
   */
  void add(String id, float[] vector);

  /** Adds an id or replaces its vector; true when it was here. Errors as {@link #add}. */
  boolean upsert(String id, float[] vector);

  /**
   * Adds or replaces many, in parallel where that helps. All are checked first: one bad vector or
   * an id given twice changes nothing.
   */
  void upsertAll(Collection<VectorEntry> entries, ProgressListener progress);

  /** Removes an id; false when it was not here. */
  boolean delete(String id);

  /**
   * Searches. {@code limit} hits come back unless fewer ids match.
   *
   * @throws IllegalArgumentException when a target has the wrong dimension, is zero under COSINE,
   *     or a number is above this index's cap
   */
  SearchResult search(VectorQuery query);

  @Override
  void close();
}
