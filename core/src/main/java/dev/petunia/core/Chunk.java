package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import java.util.Map;

/**
 * A passage of text: the unit that is indexed, found and served.
 *
 * @param id unique in an index; not empty
 * @param entryId the document, article, class or transcript that the passage is a part of; not
 *     empty
 * @param ordinal position among the passages of its entry, from 0
 * @param text the passage itself; may be empty
 * @param attributes facts to filter on and to show, by name. A value is a String, Long, Double,
 *     Boolean or List of String; Integer, Short and Byte are taken as Long and Float as Double, so
 *     that a value read back always has one of the five types. Names are not empty and are none of
 *     {@code id}, {@code entryId}, {@code ordinal}, {@code text}. The map is copied and iterates in
 *     the order of its names.
 */
public record Chunk(
    String id, String entryId, int ordinal, String text, Map<String, Object> attributes) {
  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException that names the field, the value and what is allowed
   */
  public Chunk {
    Checks.id("id", id);
    Checks.id("entryId", entryId);
    Checks.range("ordinal", ordinal, 0, Integer.MAX_VALUE);
    Checks.wellFormed("text", text);
    attributes = Attributes.copy(attributes);
  }

  /** A chunk without attributes. */
  public Chunk(String id, String entryId, int ordinal, String text) {
    this(id, entryId, ordinal, text, Map.of());
  }
}
