package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * A candidate to rescore.
 *
 * @param id unique among the candidates
 * @param rrf its score by rank fusion, finite and not negative
 * @param shingles its stored shingles; null when there are none
 */
public record RescoreCandidate(String id, double rrf, @Nullable ShingleSet shingles) {
  /** Checks. */
  public RescoreCandidate {
    Checks.id("id", id);
    Checks.range("rrf", rrf, 0, Double.MAX_VALUE);
  }
}
