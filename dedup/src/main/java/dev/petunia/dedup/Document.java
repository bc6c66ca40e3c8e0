package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;

/**
 * A chunk's text to be checked.
 *
 * @param id not empty, unique in an index
 * @param text of any content, also malformed
 * @param sequence place in the order of ingest, or {@link #NEXT}; the earliest of a cluster is its
 *     canonical member
 */
public record Document(String id, String text, long sequence) {
  /** The next free place. */
  public static final long NEXT = -1;

  /** Above it no number is taken, so that there are always next ones. */
  private static final long LAST = 1L << 62;

  /** Checks. */
  public Document {
    Checks.id("id", id);
    Checks.present("text", text);
    Checks.range("sequence", sequence, NEXT, LAST);
  }

  /** At the next free place. */
  public Document(String id, String text) {
    this(id, text, NEXT);
  }
}
