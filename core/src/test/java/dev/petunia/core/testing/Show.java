package dev.petunia.core.testing;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values as text for a failure report: characters outside ASCII are named by number. */
public final class Show {
  /** Longer texts are cut, and the cut is reported. */
  private static final int MAX = 8_000;

  private Show() {}

  /** The value, at most about 8,000 characters of it. */
  public static String of(@Nullable Object value) {
    StringBuilder out = new StringBuilder();
    append(out, value);
    return out.length() <= MAX
        ? out.toString()
        : out.substring(0, MAX) + "... and " + (out.length() - MAX) + " more characters";
  }

  private static void append(StringBuilder out, @Nullable Object value) {
    switch (value) {
      case null -> out.append("null");
      case String s -> quote(out, s);
      case Map<?, ?> map -> {
        String gap = "{";
        for (Map.Entry<?, ?> e : map.entrySet()) {
          out.append(gap);
          append(out, e.getKey());
          out.append('=');
          append(out, e.getValue());
          gap = ", ";
        }
        out.append(map.isEmpty() ? "{}" : "}");
      }
      case Iterable<?> many -> {
        out.append('[');
        String gap = "";
        for (Object o : many) {
          out.append(gap);
          append(out, o);
          gap = ", ";
        }
        out.append(']');
      }
      case float[] a -> out.append(Arrays.toString(a));
      case double[] a -> out.append(Arrays.toString(a));
      case int[] a -> out.append(Arrays.toString(a));
      case long[] a -> out.append(Arrays.toString(a));
      case byte[] a -> out.append(Arrays.toString(a));
      case Object[] a -> append(out, Arrays.asList(a));
      case Record r -> {
        out.append(r.getClass().getSimpleName()).append('[');
        String gap = "";
        for (var c : r.getClass().getRecordComponents()) {
          out.append(gap).append(c.getName()).append('=');
          append(out, component(r, c.getAccessor()));
          gap = ", ";
        }
        out.append(']');
      }
      default -> escape(out, value.toString());
    }
  }

  private static @Nullable Object component(Record r, java.lang.reflect.Method accessor) {
    try {
      accessor.setAccessible(true); // a test's own records are often private
      return accessor.invoke(r);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return "(unreadable: " + e + ")";
    }
  }

  private static void quote(StringBuilder out, String s) {
    out.append('"');
    escape(out, s);
    out.append('"');
  }

  private static void escape(StringBuilder out, String s) {
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      if (c >= ' ' && c < 127) {
        out.append(c);
      } else {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      }
    }
  }
}
