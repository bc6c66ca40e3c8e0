package dev.petunia.core;

/**
 * How near two vectors are. {@code distance} is the metric's own (lower is nearer); {@code score}
 * is in [0, 1] (higher is better) and decreases with the distance.
 *
 * <table>
 * <caption>Formulas; s is the dot product (of unit vectors), d the Euclidean distance</caption>
 * <tr><th>similarity</th><th>distance</th><th>score</th><th>vectors</th></tr>
 * <tr><td>COSINE</td><td>1 − s</td><td>(1 + s) / 2</td><td>any but zero; stored at unit length</td></tr>
 * <tr><td>DOT_PRODUCT</td><td>−s</td><td>(1 + s) / 2</td><td>unit length to 1e-3, else refused</td></tr>
 * <tr><td>EUCLIDEAN</td><td>d²</td><td>1 / (1 + d²)</td><td>any</td></tr>
 * </table>
 *
 * <p>DOT_PRODUCT refuses vectors that are not of unit length: for others the score has no fixed
 * range and the largest vectors win whatever is asked. Use COSINE, which normalises, when lengths
 * vary. Maximum inner product search over vectors of differing length is not supported.
 */
public enum Similarity {
  /** Angle only; vectors are normalised (in double precision) when they come in. */
  COSINE,
  /** The dot product of vectors that their model has already brought to unit length. */
  DOT_PRODUCT,
  /** Squared Euclidean distance. */
  EUCLIDEAN;

  /** How far a DOT_PRODUCT vector's length may be from 1. */
  public static final double UNIT_TOLERANCE = 1e-3;

  /** The score in [0, 1] of a distance; rounding beyond either end is cut. */
  public float score(float distance) {
    float raw =
        switch (this) {
          case COSINE -> 1f - distance / 2f;
          case DOT_PRODUCT -> (1f - distance) / 2f;
          case EUCLIDEAN -> 1f / (1f + distance);
        };
    return Math.clamp(raw, 0f, 1f);
  }
}
