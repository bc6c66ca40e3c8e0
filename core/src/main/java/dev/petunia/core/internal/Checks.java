package dev.petunia.core.internal;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Argument checks that name the field, the value and what is allowed.
 *
 * <p>Each check returns its value, so that constructors read as assignments.
 */
public final class Checks {
  private Checks() {}

  /** An error that names {@code field}, what it was, and what is allowed. */
  public static IllegalArgumentException bad(String field, @Nullable Object value, String allowed) {
    return new IllegalArgumentException(field + " is " + show(value) + ", allowed: " + allowed);
  }

  private static String show(@Nullable Object value) {
    if (value instanceof String s) {
      return '"' + (s.length() <= 80 ? s : s.substring(0, 77) + "...") + '"';
    }
    return String.valueOf(value);
  }

  /** A non-null value. */
  public static <T> T present(String field, @Nullable T value) {
    if (value == null) {
      throw bad(field, null, "a value that is not null");
    }
    return value;
  }

  /** A String with at least one character, all of it valid UTF-16 (so that it survives UTF-8). */
  public static String id(String field, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      throw bad(field, value, "a non-empty String");
    }
    return wellFormed(field, value);
  }

  /** A String without unpaired surrogates: those would change on their way through UTF-8. */
  public static String wellFormed(String field, @Nullable String value) {
    String s = present(field, value);
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < s.length()
          && Character.isLowSurrogate(s.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s has an unpaired surrogate U+%04X at index %d, allowed: valid Unicode text",
                field,
                (int) c,
                i));
      }
    }
    return s;
  }

  /** An int in {@code [min, max]}. */
  public static int range(String field, int value, int min, int max) {
    if (value < min || value > max) {
      throw bad(field, value, min + " to " + max);
    }
    return value;
  }

  /** A finite double in {@code [min, max]}. */
  public static double range(String field, double value, double min, double max) {
    if (!(value >= min && value <= max)) {
      throw bad(field, value, min + " to " + max);
    }
    return value;
  }

  /** A vector without NaN or infinite components, and with at least one component. */
  public static float[] finite(String field, float @Nullable [] vector) {
    float[] v = present(field, vector);
    if (v.length == 0) {
      throw new IllegalArgumentException(field + " has 0 components, allowed: at least 1");
    }
    for (int i = 0; i < v.length; i++) {
      if (!Float.isFinite(v[i])) {
        throw new IllegalArgumentException(
            field + "[" + i + "] is " + v[i] + ", allowed: finite numbers");
      }
    }
    return v;
  }
}
