package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;

/**
 * Maximal marginal relevance (Carbonell and Goldstein 1998, §2) against what this answer and
 * earlier ones already hold.
 *
 * <p>Greedy: the next passage is the one with the greatest {@code λ·relevance − (1−λ)·maxSim},
 * where maxSim is the greatest similarity to a passage already selected. Relevance and similarity
 * are scores of the same formula ({@link Similarity#score}), so lambda means the same for each
 * metric. The result is in the order of selection, not of score.
 *
 * @param lambda 1 = pure relevance, 0 = pure diversity; in [0, 1]
 * @param against ids of passages already served; unknown ids are ignored and counted in the trace
 * @param exclude true: {@code against} can't be served again (removed before the search, so that
 *     {@code limit} is still filled); false: similarity to them is penalised, but they may be
 *     served
 * @param poolSize how many of the nearest candidates the greedy choice sees; empty: max(ef,
 *     4·limit), at most 512. Pages of one query are cut from the order of one pool.
 */
public record Diversify(
    double lambda, List<String> against, boolean exclude, OptionalInt poolSize) {
  /** The default of lambda. */
  public static final double DEFAULT_LAMBDA = 0.5;

  /** No pool is larger: the greedy choice costs pool·(offset+limit) similarities. */
  public static final int MAX_POOL = 512;

  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException that names the field, the value and what is allowed
   */
  public Diversify {
    Checks.range("diversify.lambda", lambda, 0, 1);
    LinkedHashSet<String> distinct = new LinkedHashSet<>();
    for (String id : Checks.present("diversify.against", against)) {
      distinct.add(Checks.id("diversify.against[]", id));
    }
    against = Collections.unmodifiableList(new ArrayList<>(distinct));
    Checks.present("diversify.poolSize", poolSize);
    if (poolSize.isPresent()) {
      Checks.range("diversify.poolSize", poolSize.getAsInt(), 1, MAX_POOL);
    }
  }

  /** MMR within the answer, nothing served before. */
  public static Diversify of(double lambda) {
    return new Diversify(lambda, List.of(), true, OptionalInt.empty());
  }

  /** No diversity, only: never serve these again. */
  public static Diversify excluding(Iterable<String> served) {
    return of(1).against(served);
  }

  /** This with other ids already served. */
  public Diversify against(Iterable<String> ids) {
    List<String> list = new ArrayList<>();
    Checks.present("diversify.against", ids).forEach(list::add);
    return new Diversify(lambda, list, exclude, poolSize);
  }

  /** This with {@code exclude} set. */
  public Diversify exclude(boolean newExclude) {
    return new Diversify(lambda, against, newExclude, poolSize);
  }

  /** This with an explicit pool size, 1 to {@value #MAX_POOL}. */
  public Diversify poolSize(int size) {
    return new Diversify(lambda, against, exclude, OptionalInt.of(size));
  }
}
