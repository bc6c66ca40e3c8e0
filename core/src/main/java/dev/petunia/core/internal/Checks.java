package dev.petunia.core.internal;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Argument checks that name the field, the value and what is allowed.
 *
 * <p>Each check returns its value, so that constructors read as assignments.
 */
public final class Checks {
  private static final int MAX_SHOWN = 80;

  private Checks() {}

  /** An error that names {@code field}, what it was, and what is allowed. */
  public static IllegalArgumentException bad(String field, @Nullable Object value, String allowed) {
    return new IllegalArgumentException(field + " is " + show(value) + ", allowed: " + allowed);
  }

  /** An error about a value of a type that is not allowed: names that too. */
  public static IllegalArgumentException badType(
      String field, @Nullable Object value, String allowed) {
    String type = value == null ? "" : " (" + value.getClass().getName() + ")";
    return new IllegalArgumentException(
        field + " is " + show(value) + type + ", allowed: " + allowed);
  }

  /** An error about how much of something there is: {@code targets has 9 vectors, allowed: ...}. */
  public static IllegalArgumentException badSize(String field, String size, String allowed) {
    return new IllegalArgumentException(field + " has " + size + ", allowed: " + allowed);
  }

  /**
   * A value for a message: a String in quotes, on one line, with at most {@value #MAX_SHOWN}
   * characters.
   */
  public static String show(@Nullable Object value) {
    String s = String.valueOf(value);
    boolean quoted = value instanceof String;
    StringBuilder out = new StringBuilder(quoted ? "\"" : "");
    int end = Math.min(s.length(), MAX_SHOWN);
    for (int i = 0; i < end; ) {
      int c = s.codePointAt(i); // keeps pairs of surrogates whole
      i += Character.charCount(c);
      if (Character.isISOControl(c) || (c >= 0xD800 && c <= 0xDFFF)) {
        out.append(String.format(Locale.ROOT, "\\u%04X", c));
      } else {
        out.append(quoted && (c == '"' || c == '\\') ? "\\" : "").appendCodePoint(c);
      }
    }
    out.append(end < s.length() ? "..." : "").append(quoted ? "\"" : "");
    return out.toString();
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

  /** A float in {@code [min, max]}, not NaN. */
  public static float range(String field, float value, float min, float max) {
    if (!(value >= min && value <= max)) {
      throw bad(field, value, min + " to " + max);
    }
    return value;
  }

  /** A long in {@code [min, max]}. */
  public static long range(String field, long value, long min, long max) {
    if (value < min || value > max) {
      throw bad(field, value, min + " to " + max);
    }
    return value;
  }

  private static void requireElement(String field, int i, @Nullable Object value) {
    if (value == null) {
      throw bad(field + "[" + i + "]", null, "a value that is not null");
    }
  }

  /** A list without nulls, copied. */
  public static <T> List<T> list(String field, @Nullable List<? extends T> list) {
    List<? extends T> given = present(field, list);
    if (given instanceof RandomAccess) {
      // by index: each hit of a search comes by here, and an iterator would be garbage for each
      for (int i = 0; i < given.size(); i++) {
        requireElement(field, i, given.get(i));
      }
    } else {
      int i = 0;
      for (T t : given) {
        requireElement(field, i++, t);
      }
    }
    return List.copyOf(given);
  }

  /** A set without nulls, copied; it keeps no order. */
  public static <T> Set<T> set(String field, @Nullable Set<? extends T> set) {
    for (T t : present(field, set)) {
      if (t == null) {
        throw bad(field + "[]", null, "a value that is not null");
      }
    }
    return Set.copyOf(set);
  }

  /** A map without nulls, copied; it keeps no order. */
  public static <K, V> Map<K, V> map(String field, @Nullable Map<? extends K, ? extends V> map) {
    for (Map.Entry<? extends K, ? extends V> e : present(field, map).entrySet()) {
      present(field + "[" + show(present(field + " key", e.getKey())) + "]", e.getValue());
    }
    return Map.copyOf(map);
  }

  /** Whether {@link #finite} accepts it. */
  public static boolean isFinite(float @Nullable [] vector) {
    if (vector == null || vector.length == 0) {
      return false;
    }
    for (float x : vector) {
      if (!Float.isFinite(x)) {
        return false;
      }
    }
    return true;
  }

  /** A vector without NaN or infinite components, and with at least one component. */
  public static float[] finite(String field, float @Nullable [] vector) {
    float[] v = present(field, vector);
    if (v.length == 0) {
      throw badSize(field, "0 components", "at least 1");
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
