package dev.petunia.core.testing;

import java.nio.file.Path;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Checks that something holds for many random inputs.
 *
 * <pre>{@code
 * Property.check("reverse twice is the same", 200, Generators.listOf(Generators.id(), 0, 20), list ->
 *     assertEquals(list, list.reversed().reversed()));
 * }</pre>
 *
 * <p>The seeds come from the property's name, so each build runs the same ones. A failure prints
 * the seed and the command that runs it alone. System properties:
 *
 * <ul>
 *   <li>{@value #SEED}: run this one seed only; or {@code random}: other seeds than usual.
 *   <li>{@value #RUNS}: run each property this many times as often.
 * </ul>
 */
public final class Property {
  /** A number, or {@code random}. */
  public static final String SEED = "petunia.test.seed";

  /** A factor for the number of runs, at least 1. */
  public static final String RUNS = "petunia.test.runs";

  /** Most checks spent on finding a smaller input that fails. */
  private static final int SHRINK_BUDGET = 2_000;

  private Property() {}

  /**
   * What must hold; throws when it does not.
   *
   * @param <T> the input
   */
  @FunctionalInterface
  public interface Check<T> {
    /** Throws anything when the property does not hold for this value. */
    void accept(T value) throws Throwable;
  }

  /**
   * Checks a property on {@code runs} inputs.
   *
   * @param name a sentence that says what holds
   * @param runs how many inputs, at least 1
   * @throws AssertionError for the first input that fails, with seed and input in its message
   */
  public static <T> void check(String name, int runs, Generator<T> generator, Check<T> check) {
    if (runs < 1) {
      throw new IllegalArgumentException("runs is " + runs + ", allowed: at least 1");
    }
    String setting = System.getProperty(SEED, "");
    if (!setting.isEmpty() && !setting.equals("random")) {
      run(name, "the one run", Long.parseLong(setting), generator, check);
      return;
    }
    SplittableRandom seeds =
        setting.isEmpty() ? new SplittableRandom(name.hashCode()) : new SplittableRandom();
    long all = (long) runs * Integer.getInteger(RUNS, 1);
    for (long i = 1; i <= all; i++) {
      run(name, "run " + i + " of " + all, seeds.nextLong(), generator, check);
    }
  }

  private static <T> void run(
      String name, String which, long seed, Generator<T> generator, Check<T> check) {
    T value = generator.generate(new SplittableRandom(seed));
    Throwable failure = failure(check, value);
    if (failure == null) {
      return;
    }
    // made anew, since the check may have changed it
    T first = generator.generate(new SplittableRandom(seed));
    Shrunk<T> least = shrink(generator, check, first, failure);
    String message =
        "Property \""
            + name
            + "\" fails in "
            + which
            + "\n  seed     "
            + seed
            + "\n  again    mvn test -pl "
            + Path.of("")
                .toAbsolutePath()
                .getFileName() // Maven runs tests in their module's folder
            + " -am -Dsurefire.failIfNoSpecifiedTests=false -Dtest="
            + caller()
            + " -D"
            + SEED
            + "="
            + seed
            + "\n  input    "
            + Show.of(first)
            + (least.steps == 0
                ? ""
                : "\n  smallest " + Show.of(least.value) + " (in " + least.steps + " steps)")
            + "\n  because  "
            + least.failure;
    throw new AssertionError(message, least.failure);
  }

  private record Shrunk<T>(T value, Throwable failure, int steps) {}

  /** Walks to smaller values as long as one fails in the same way. */
  private static <T> Shrunk<T> shrink(
      Generator<T> generator, Check<T> check, T first, Throwable firstFailure) {
    Shrunk<T> least = new Shrunk<>(first, firstFailure, 0);
    int budget = SHRINK_BUDGET;
    boolean found = true;
    while (found) {
      found = false;
      for (T candidate : generator.smaller(least.value)) {
        if (budget-- <= 0) {
          return least;
        }
        Throwable failure = failure(check, candidate);
        // another kind of failure would be another fault
        if (failure != null && failure.getClass() == firstFailure.getClass()) {
          least = new Shrunk<>(candidate, failure, least.steps + 1);
          found = true;
          break;
        }
      }
    }
    return least;
  }

  private static <T> @Nullable Throwable failure(Check<T> check, T value) {
    try {
      check.accept(value);
      return null;
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable t) {
      return t;
    }
  }

  /** The test that called, as Surefire's option wants it. */
  private static String caller() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(f -> !f.getClassName().equals(Property.class.getName()))
                    .findFirst()
                    .map(f -> simpleName(f.getClassName()) + "#" + method(f.getMethodName()))
                    .orElse("?"));
  }

  private static String simpleName(String className) {
    String name = className.substring(className.lastIndexOf('.') + 1);
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  /** The method around a lambda, when the call came from one. */
  private static String method(String name) {
    return name.startsWith("lambda$") ? name.split("\\$", -1)[1] : name;
  }
}
