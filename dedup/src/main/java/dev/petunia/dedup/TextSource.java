package dev.petunia.dedup;

import org.jspecify.annotations.Nullable;

/** Where the texts of chunks are; the index keeps shingles only. */
@FunctionalInterface
public interface TextSource {
  /** The text of a chunk, or null when it is not known. */
  @Nullable String text(String chunkId);
}
