package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;
import dev.petunia.core.internal.Utf8Order;
import java.time.Instant;

/**
 * Two chunks that are near-duplicates: a finding, with where it comes from.
 *
 * @param chunkA the id that comes first by its UTF-8 bytes
 * @param chunkB the other id
 * @param jaccard similarity of the shingle sets, 0.9 to 1
 * @param method how it was established
 * @param runId the run that found it
 * @param normalizerVersion the version of normalizer and shingles
 * @param createdAt when that run began, by the index's clock
 * @param overlap the numbers behind {@code jaccard}, so that other thresholds can be decided
 *     exactly
 */
public record Edge(
    String chunkA,
    String chunkB,
    double jaccard,
    EdgeMethod method,
    String runId,
    int normalizerVersion,
    Instant createdAt,
    Overlap overlap) {
  /** Checks. */
  public Edge {
    Checks.id("chunkA", chunkA);
    Checks.id("chunkB", chunkB);
    if (Utf8Order.compare(chunkA, chunkB) >= 0) {
      throw Checks.bad("chunkA", chunkA, "an id before chunkB, " + Checks.show(chunkB));
    }
    Checks.range("jaccard", jaccard, 0, 1);
    Checks.present("method", method);
    Checks.present("runId", runId);
    Checks.present("createdAt", createdAt);
    Checks.present("overlap", overlap);
  }
}
