package dev.petunia.core.internal;

/**
 * Greedy maximal marginal relevance (Carbonell and Goldstein 1998, §2). Each candidate keeps its
 * greatest similarity to what was selected so far, so that a round costs one comparison per
 * candidate left. Equal values go to the earlier candidate. Values are never NaN as long as
 * relevance and similarity are not; each round selects one candidate, so it ends.
 *
 * <p>Arrays are kept between calls, so one object serves one thread at a time.
 */
public abstract class GreedyMmr {
  private int[] left = new int[0];
  private float[] similar = new float[0];
  private float[] closest = new float[0];
  private int[] order = new int[0];
  private int remaining;

  /** Begins with {@code pool} candidates, numbered by falling relevance; nothing is selected. */
  public final void begin(int pool) {
    if (left.length < pool) {
      left = new int[pool];
      similar = new float[pool];
      closest = new float[pool];
      order = new int[pool];
    }
    for (int i = 0; i < pool; i++) {
      left[i] = i;
      closest[i] = 0;
    }
    remaining = pool;
  }

  /** How relevant a candidate is, in [0, 1]. */
  protected abstract float relevance(int candidate);

  /**
   * How similar candidates are to something, in [0, 1].
   *
   * @param selected a candidate's number, or what {@link #penalise} was called with
   * @param candidates the candidates' numbers, in the first {@code n} places
   * @param out takes the similarities
   */
  protected abstract void similarities(int selected, int[] candidates, int n, float[] out);

  /**
   * Counts something that is no candidate as selected; {@link #similarities} knows it by its
   * number.
   */
  public final void penalise(int selected) {
    similarities(selected, left, remaining, similar);
    for (int i = 0; i < remaining; i++) {
      closest[left[i]] = Math.max(closest[left[i]], similar[i]);
    }
  }

  /**
   * Selects {@code count} of the candidates.
   *
   * @param lambda 1 = relevance only, 0 = diversity only
   * @return the candidates' numbers in order of selection, in the first {@code count} places; valid
   *     until the next call
   */
  public final int[] select(double lambda, int count) {
    for (int round = 0; round < count; round++) {
      int best = 0;
      double bestValue = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < remaining; i++) {
        double value = lambda * relevance(left[i]) - (1 - lambda) * closest[left[i]];
        if (value > bestValue) {
          bestValue = value;
          best = i;
        }
      }
      order[round] = left[best];
      remaining--;
      System.arraycopy(left, best + 1, left, best, remaining - best);
      if (round + 1 < count) {
        penalise(order[round]);
      }
    }
    return order;
  }
}
