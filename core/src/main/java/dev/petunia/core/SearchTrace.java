package dev.petunia.core;

import dev.petunia.core.internal.Checks;

/**
 * What a search did.
 *
 * @param strategy how the candidates were found
 * @param effectiveEf the beam width used: max(ef, offset + limit, pool)
 * @param nodesVisited graph nodes whose distance was looked at, the upper layers' included
 * @param distancesComputed vector comparisons, those to each of several targets and those of MMR
 *     included, estimates from codes too
 * @param reranked nodes that a walk by estimated distances found and whose exact distances were
 *     computed, from the nearest on, until no other could come among the hits; 0 when the walk's
 *     own distances were exact
 * @param filterEvaluations ids that the filter was asked about
 * @param seedsUsed seeds that the beam started from
 * @param seedsUnknown seeds whose id is not in the index
 * @param seedsFilteredOut seeds among the used that the filter or the exclusion keeps from being
 *     results
 * @param seedsDuplicate seeds that stand for a vector already among the seeds
 * @param poolSize candidates that MMR saw; 0 without {@link Diversify}
 * @param againstUnknown ids of {@link Diversify#against} that are not in the index
 * @param excluded ids of {@link Diversify#against} that were kept out
 * @param budgetExhausted the graph walk met its visit budget before it had enough matches, and an
 *     exact scan answered instead
 * @param nanos time taken
 */
public record SearchTrace(
    Strategy strategy,
    int effectiveEf,
    int nodesVisited,
    long distancesComputed,
    int reranked,
    int filterEvaluations,
    int seedsUsed,
    int seedsUnknown,
    int seedsFilteredOut,
    int seedsDuplicate,
    int poolSize,
    int againstUnknown,
    int excluded,
    boolean budgetExhausted,
    long nanos) {
  /** Checks that the strategy is there and no count is negative. */
  public SearchTrace {
    Checks.present("strategy", strategy);
    count("effectiveEf", effectiveEf);
    count("nodesVisited", nodesVisited);
    count("distancesComputed", distancesComputed);
    count("reranked", reranked);
    count("filterEvaluations", filterEvaluations);
    count("seedsUsed", seedsUsed);
    count("seedsUnknown", seedsUnknown);
    count("seedsFilteredOut", seedsFilteredOut);
    count("seedsDuplicate", seedsDuplicate);
    count("poolSize", poolSize);
    count("againstUnknown", againstUnknown);
    count("excluded", excluded);
    count("nanos", nanos);
  }

  private static void count(String field, long value) {
    Checks.range(field, value, 0, Long.MAX_VALUE);
  }

  /** How the candidates were found. */
  public enum Strategy {
    /** Beam search on the graph. */
    GRAPH,
    /**
     * Beam search on the graph that looks through nodes that fail the filter at their neighbours.
     */
    TWO_HOP,
    /** Every vector that may match was compared. */
    EXACT_SCAN
  }
}
