package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;

/**
 * What two shingle sets share, in whole numbers, so that thresholds are decided exactly.
 *
 * @param intersection shingles in both
 * @param union shingles in either
 */
public record Overlap(int intersection, int union) implements Comparable<Overlap> {
  /** Checks. */
  public Overlap {
    Checks.range("union", union, 0, Integer.MAX_VALUE);
    Checks.range("intersection", intersection, 0, union);
  }

  /** The Jaccard similarity, correctly rounded; 0 when both are empty. */
  public double jaccard() {
    return union == 0 ? 0 : (double) intersection / union;
  }

  /** Whether the similarity is at least numerator / denominator; of two empty sets it never is. */
  public boolean isAtLeast(int numerator, int denominator) {
    return union > 0 && (long) denominator * intersection >= (long) numerator * union;
  }

  /** By exact similarity. */
  @Override
  public int compareTo(Overlap o) {
    if (union == 0 || o.union == 0) {
      return Double.compare(jaccard(), o.jaccard());
    }
    return Long.compare((long) intersection * o.union, (long) o.intersection * union);
  }
}
