package dev.petunia.examples.conversation;

import dev.petunia.core.Filter;
import dev.petunia.retriever.RetrievalRequest;
import dev.petunia.retriever.RetrievalRequest.Mode;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** The options that a user changes while talking. */
final class Settings {
  int k = 5;
  OptionalInt ef = OptionalInt.empty();
  double lambda = 1;
  Mode mode = Mode.HYBRID;
  boolean exclude = true;
  boolean compare;
  Optional<Filter> filter = Optional.empty();

  /** A request with these options. */
  RetrievalRequest request(String text) {
    RetrievalRequest r =
        RetrievalRequest.of(text).mode(mode).limit(k).lambda(lambda).exclude(exclude);
    if (ef.isPresent()) {
      r = r.ef(ef.getAsInt());
    }
    return filter.isPresent() ? r.filter(filter.get()) : r;
  }

  /**
   * Changes an option.
   *
   * @return what to tell the user
   * @throws IllegalArgumentException that says what is allowed
   */
  String set(String name, String value) {
    switch (name) {
      case "k" -> k = number("k", value, 1, 100);
      case "ef" ->
          ef =
              value.equals("auto")
                  ? OptionalInt.empty()
                  : OptionalInt.of(number("ef", value, 1, 1000));
      case "lambda" -> lambda = share(value);
      case "mode" -> mode = modeOf(value);
      case "exclude" -> exclude = onOff("exclude", value);
      case "compare" -> compare = onOff("compare", value);
      case "filter" ->
          filter =
              value.isEmpty() || value.equals("off")
                  ? Optional.empty()
                  : Optional.of(FilterParser.parse(value));
      default ->
          throw new IllegalArgumentException("there is no option :" + name + "; :help lists them");
    }
    return toString();
  }

  private static int number(String name, String value, int min, int max) {
    try {
      int n = Integer.parseInt(value);
      if (n >= min && n <= max) {
        return n;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        ":" + name + " is \"" + value + "\", allowed: " + min + " to " + max);
  }

  private static double share(String value) {
    try {
      double d = Double.parseDouble(value);
      if (d >= 0 && d <= 1) {
        return d;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(":lambda is \"" + value + "\", allowed: 0 to 1");
  }

  private static Mode modeOf(String value) {
    for (Mode m : Mode.values()) {
      if (m.name().equalsIgnoreCase(value)) {
        return m;
      }
    }
    throw new IllegalArgumentException(
        ":mode is \"" + value + "\", allowed: hybrid, dense, lexical");
  }

  private static boolean onOff(String name, String value) {
    return switch (value) {
      case "on" -> true;
      case "off" -> false;
      default ->
          throw new IllegalArgumentException(
              ":" + name + " is \"" + value + "\", allowed: on, off");
    };
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "k %d, ef %s, lambda %s, mode %s, exclude %s, compare %s, filter %s",
        k,
        ef.isPresent() ? ef.getAsInt() : "auto",
        lambda,
        mode.name().toLowerCase(Locale.ROOT),
        exclude ? "on" : "off",
        compare ? "on" : "off",
        filter.map(Object::toString).orElse("off"));
  }
}
