package dev.petunia.dedup;

import java.util.List;

/**
 * The candidates in their new order.
 *
 * @param ranked all of them
 * @param stale ids whose shingles have another version than the query's, counted as J = 0; make
 *     their shingles anew
 * @param missing ids among those within the limit that came without shingles, counted as J = 0
 * @param isBoilerplateQuery more than 20 candidates contained the query, so that tier was left out
 */
public record RescoreResult(
    List<Rescored> ranked, List<String> stale, List<String> missing, boolean isBoilerplateQuery) {
  /** Copies. */
  public RescoreResult {
    ranked = List.copyOf(ranked);
    stale = List.copyOf(stale);
    missing = List.copyOf(missing);
  }
}
