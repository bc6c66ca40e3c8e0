package dev.petunia.hnsw;

import dev.petunia.core.SearchTrace;

/**
 * Why a search returned an id, or did not. Made by {@link HnswIndex#explain}, which compares every
 * vector to know where the id really stands.
 *
 * @param id the id asked about
 * @param outcome the reason
 * @param rank how many matching ids are nearer, by exact distances, or equally far with a lower id;
 *     −1 when the id can't be a result
 * @param distance the exact distance; NaN when the id is not in the index
 * @param score its score, 0 to 1; NaN when the id is not in the index
 * @param foundAtEf for {@link Outcome#MISSED}: the first of ef·2, ef·4, ... up to maxEf at which
 *     the search returns it; 0 when none does, or for other outcomes
 * @param trace what the search did
 */
public record Explanation(
    String id,
    Outcome outcome,
    int rank,
    float distance,
    float score,
    int foundAtEf,
    SearchTrace trace) {
  /** Why an id is or is not among the hits. */
  public enum Outcome {
    /** It is among the hits. */
    RETURNED,
    /** No such id. */
    NOT_IN_INDEX,
    /** The filter refuses it. */
    FILTERED_OUT,
    /** {@code diversify.exclude} names it. */
    EXCLUDED,
    /** Its score is below the query's minScore. */
    BELOW_MIN_SCORE,
    /** It stands before the page: its rank is below the offset. */
    BEFORE_PAGE,
    /** Enough others are nearer. */
    BEYOND_LIMIT,
    /** It is near enough; others were chosen for their difference to what was chosen before. */
    LESS_DIVERSE,
    /** It is near enough, and the walk did not find it: the answer was not exact. */
    MISSED
  }

  /** A sentence for a log. */
  @Override
  public String toString() {
    String where = rank < 0 ? "" : ", exact rank " + rank + ", distance " + distance;
    return "\""
        + id
        + "\": "
        + outcome
        + where
        + (foundAtEf > 0 ? ", found at ef " + foundAtEf : "")
        + " ("
        + trace.strategy()
        + ", ef "
        + trace.effectiveEf()
        + ", visited "
        + trace.nodesVisited()
        + ")";
  }
}
