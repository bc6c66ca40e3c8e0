package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A result of a vector search.
 *
 * @param id the chunk's id
 * @param distance combined over the targets, in the metric's own unit; lower is nearer
 * @param score in [0, 1], higher is better: {@link Similarity#score} of the distance
 * @param targetDistances the distance to each target in the query's order; empty when the query has
 *     one target
 * @param seed the seed from which the search walked to this passage first; null when it came from
 *     the entry point's descent, or when the query had no seeds
 */
public record Hit(
    String id, float distance, float score, List<Float> targetDistances, @Nullable String seed) {
  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException that names the field, the value and what is allowed
   */
  public Hit {
    Checks.id("id", id);
    if (Float.isNaN(distance)) {
      throw Checks.bad("distance", distance, "a number");
    }
    Checks.range("score", score, 0f, 1f);
    targetDistances = Checks.list("targetDistances", targetDistances);
    for (int i = 0; i < targetDistances.size(); i++) {
      if (targetDistances.get(i).isNaN()) {
        throw Checks.bad("targetDistances[" + i + "]", Float.NaN, "a number");
      }
    }
  }

  /** The index of the nearest target; 0 when there is one. The first one when equal. */
  public int nearestTarget() {
    int best = 0;
    for (int i = 1; i < targetDistances.size(); i++) {
      if (targetDistances.get(i) < targetDistances.get(best)) {
        best = i;
      }
    }
    return best;
  }
}
