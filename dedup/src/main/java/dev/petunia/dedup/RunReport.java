package dev.petunia.dedup;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What one call of {@link DedupIndex#ingest} did: when it found nothing new, only {@code documents}
 * and {@code unchanged} are above 0.
 *
 * @param runId 128 bits of SHA-256 over versions, parameters and the sorted (id, SHA-256 of the
 *     text), in base32: the same input has the same id
 * @param createdAt when it began, by the index's clock; decides nothing
 * @param counts see {@link Counts}
 * @param histogram verified pairs of distinct sets by similarity: 20 numbers for [0.80, 0.81) to
 *     [0.99, 1). Those from 0.90 on are edges, those below are only counted here
 * @param stripped how often each boilerplate rule took something; see {@link NormalizeReport}
 * @param canonicalChanges clusters that have another canonical member than before
 */
public record RunReport(
    String runId,
    Instant createdAt,
    Counts counts,
    List<Long> histogram,
    Map<String, Integer> stripped,
    List<CanonicalChange> canonicalChanges) {
  /** Copies. */
  public RunReport {
    histogram = List.copyOf(histogram);
    stripped = Map.copyOf(stripped);
    canonicalChanges = List.copyOf(canonicalChanges);
  }

  /**
   * Numbers.
   *
   * @param documents how many were given
   * @param unchanged of these, how many were there already with the same text
   * @param replaced how many were there with another text
   * @param unshinglable without tokens, such as "!!!" or emoji alone: such a text has no edges and
   *     is in no cluster, not even with a chunk of the same text
   * @param exactDuplicates with a raw text that an earlier chunk has
   * @param identicalSets with another raw text, but the shingle set of an earlier chunk
   * @param newSets shingle sets not seen before; only these are looked up
   * @param candidates pairs of sets that a band nominated and that were compared
   * @param edges new edges
   * @param hotBuckets crowded buckets that were joined by prefix instead
   * @param hotSets sets in these
   */
  public record Counts(
      long documents,
      long unchanged,
      long replaced,
      long unshinglable,
      long exactDuplicates,
      long identicalSets,
      long newSets,
      long candidates,
      long edges,
      long hotBuckets,
      long hotSets) {}
}
