package dev.petunia.dedup;

import java.util.Optional;

/**
 * A candidate at its place.
 *
 * @param id the candidate
 * @param rrf its score by rank fusion, as given
 * @param overlap what its shingles share with the query's; empty when they were not compared: it
 *     was beyond the limit, had no shingles, or shingles of another version
 * @param detail how the score came about; empty beyond the limit
 */
public record Rescored(String id, double rrf, Optional<Overlap> overlap, Optional<Detail> detail) {
  /** Which rule gave the score. */
  public enum Tier {
    /** Similar enough to come before all others. */
    JACCARD,
    /** Contains most of the query. */
    CONTAINMENT,
    /** Weighted with rank fusion. */
    FUSED
  }

  /**
   * How a score came about.
   *
   * @param tier the rule
   * @param rrfNorm rank fusion divided by the best candidate's, 0 to 1
   * @param jaccard the similarity; 0 when the shingles were not compared
   * @param score what the order is by: 0 to 1, or more in the first two tiers
   */
  public record Detail(Tier tier, double rrfNorm, double jaccard, double score) {}
}
