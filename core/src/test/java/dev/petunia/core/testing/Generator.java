package dev.petunia.core.testing;

import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Makes values from random numbers: the same numbers make an equal value.
 *
 * @param <T> what it makes
 */
@FunctionalInterface
public interface Generator<T> {
  /** The next value. */
  T generate(RandomGenerator random);

  /**
   * Values simpler than one that failed, the simplest first; each must be one that {@link
   * #generate} could make. Nothing when there is no simpler one or none is known.
   */
  default Iterable<T> smaller(T value) {
    return List.of();
  }

  /** This, changed by a function. Its values are not shrunk. */
  default <R> Generator<R> map(Function<? super T, ? extends R> function) {
    return random -> function.apply(generate(random));
  }
}
