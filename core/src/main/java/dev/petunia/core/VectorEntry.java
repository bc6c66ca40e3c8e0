package dev.petunia.core;

import dev.petunia.core.internal.Checks;

/**
 * An id and its vector, as given to an index.
 *
 * @param id not empty
 * @param vector at least one component, all finite; not copied, so don't change it until the call
 *     it is passed to has returned
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier of arguments; equality by identity is right
public record VectorEntry(String id, float[] vector) {
  /**
   * Checks, and does not copy.
   *
   * @throws IllegalArgumentException that names the field, the value and what is allowed
   */
  public VectorEntry {
    Checks.id("id", id);
    if (!Checks.isFinite(vector)) { // the name is made only when it is needed
      Checks.finite("vector of " + Checks.show(id), vector);
    }
  }
}
