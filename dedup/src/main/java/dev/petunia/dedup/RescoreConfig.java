package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;

/**
 * Options of the rescorer.
 *
 * @param limit how many of the best candidates by rank fusion are rescored, 1 to 10,000; those
 *     after them keep their order
 * @param tierPercent from this Jaccard similarity on, in percent, a candidate comes before all
 *     others; 1 to 100
 * @param rrfWeight the part of rank fusion in the others' score, 0 to 1; Jaccard has the rest
 * @param tie scores less than this below the leader of a group are as good as its own; 0 to 0.005,
 *     so that no group reaches over the border of the tier
 * @param containment whether a candidate that contains most of a long query goes before those that
 *     do not, too
 * @param containedPercent from this part of the query's shingles on, in percent, a candidate
 *     contains most of it; 1 to 100; only with containment
 * @param containedShingles from so many shingles on a query is long; 1 to 1,000; only with
 *     containment
 */
public record RescoreConfig(
    int limit,
    int tierPercent,
    double rrfWeight,
    double tie,
    boolean containment,
    int containedPercent,
    int containedShingles) {
  /**
   * Version 1: 100 candidates, J ≥ 0.60 → 1 + J, else 0.85·rrf + 0.15·J, ties within 0.005;
   * containment, when it is switched on, from 0.80 of a query of 16 shingles.
   */
  public static final RescoreConfig DEFAULT =
      new RescoreConfig(100, 60, 0.85, 0.005, false, 80, 16);

  /** Checks. */
  public RescoreConfig {
    Checks.range("limit", limit, 1, 10_000);
    Checks.range("tierPercent", tierPercent, 1, 100);
    Checks.range("rrfWeight", rrfWeight, 0, 1);
    Checks.range("tie", tie, 0, 0.005);
    Checks.range("containedPercent", containedPercent, 1, 100);
    Checks.range("containedShingles", containedShingles, 1, 1000);
  }

  /** These options with another number of candidates. */
  public RescoreConfig withLimit(int candidates) {
    return new RescoreConfig(
        candidates, tierPercent, rrfWeight, tie, containment, containedPercent, containedShingles);
  }

  /** These options with another border of the tier. */
  public RescoreConfig withTierPercent(int percent) {
    return new RescoreConfig(
        limit, percent, rrfWeight, tie, containment, containedPercent, containedShingles);
  }

  /** These options with other weights. */
  public RescoreConfig withRrfWeight(double weight) {
    return new RescoreConfig(
        limit, tierPercent, weight, tie, containment, containedPercent, containedShingles);
  }

  /** These options with or without containment. */
  public RescoreConfig withContainment(boolean isOn) {
    return new RescoreConfig(
        limit, tierPercent, rrfWeight, tie, isOn, containedPercent, containedShingles);
  }

  /** These options with containment on, of this part of queries of so many shingles or more. */
  public RescoreConfig withContainment(int percent, int shingles) {
    return new RescoreConfig(limit, tierPercent, rrfWeight, tie, true, percent, shingles);
  }
}
