package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import java.util.List;

/**
 * Hits, nearest first (in order of selection under {@link Diversify}), and how they were found.
 *
 * @param hits at most {@code limit}; fewer only when fewer match
 * @param trace how they were found
 */
public record SearchResult(List<Hit> hits, SearchTrace trace) {
  /** Checks and copies. */
  public SearchResult {
    hits = Checks.list("hits", hits);
    Checks.present("trace", trace);
  }
}
