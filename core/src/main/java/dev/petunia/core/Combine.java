package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import java.util.Locale;

/** How the distances to several targets become one. */
public enum Combine {
  /**
   * Σ wᵢ·dᵢ with the weights normalised to sum 1. A passage that is good on all targets wins, also
   * one that is in no single target's top list.
   */
  WEIGHTED_SUM,
  /** min dᵢ: near to any one target is near. Weights don't apply and are refused. */
  MIN;

  /**
   * The value of a name as a user types it: {@code weightedSum}, {@code weighted_sum} or {@code
   * min}, in upper or lower case.
   *
   * @throws IllegalArgumentException when the name is none of these
   */
  public static Combine parse(String name) {
    return switch (Checks.present("combine", name).toLowerCase(Locale.ROOT)) {
      case "weightedsum", "weighted_sum" -> WEIGHTED_SUM;
      case "min" -> MIN;
      default -> throw Checks.bad("combine", name, "weightedSum, WEIGHTED_SUM or min");
    };
  }
}
