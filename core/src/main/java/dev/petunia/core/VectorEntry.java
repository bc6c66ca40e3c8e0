package dev.petunia.core;

import dev.petunia.core.internal.Checks;

/**
 * An id and its vector, as given to an index.
 *
 * @param id not empty
 * @param vector finite components; not copied, so don't change it until the call it is passed to
 *     has returned
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier of arguments; equality by identity is right
public record VectorEntry(String id, float[] vector) {
  /** Checks that the id is not empty and the components are finite. */
  public VectorEntry {
    Checks.id("id", id);
    Checks.finite("vector of \"" + id + "\"", vector);
  }
}
