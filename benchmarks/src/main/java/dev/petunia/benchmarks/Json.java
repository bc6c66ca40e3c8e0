package dev.petunia.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes maps, lists, strings, numbers and booleans as JSON (RFC 8259). */
final class Json {
  private Json() {}

  /** The text of a value, indented by two spaces for each level. */
  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, 0, out);
    return out.append('\n').toString();
  }

  private static void write(Object value, int depth, StringBuilder out) {
    switch (value) {
      case Map<?, ?> map -> {
        out.append('{');
        String separator = "";
        // an innermost object stays on one line: a list of metrics then reads as a table
        boolean flat = map.values().stream().noneMatch(v -> v instanceof List || v instanceof Map);
        for (Map.Entry<?, ?> e : map.entrySet()) {
          out.append(separator);
          newline(flat ? -1 : depth + 1, out);
          quote(String.valueOf(e.getKey()), out);
          out.append(flat ? ":" : ": ");
          write(e.getValue(), depth + 1, out);
          separator = ",";
        }
        newline(flat || map.isEmpty() ? -1 : depth, out);
        out.append('}');
      }
      case List<?> list -> {
        out.append('[');
        String separator = "";
        for (Object item : list) {
          out.append(separator);
          newline(depth + 1, out);
          write(item, depth + 1, out);
          separator = ",";
        }
        newline(list.isEmpty() ? -1 : depth, out);
        out.append(']');
      }
      case String s -> quote(s, out);
      case Boolean b -> out.append(b);
      case Integer i -> out.append(i);
      case Long l -> out.append(l);
      case Double d -> out.append(number(d));
      default -> throw new IllegalArgumentException("no JSON form for " + value.getClass());
    }
  }

  private static String number(double d) {
    if (!Double.isFinite(d)) {
      throw new IllegalArgumentException("value is " + d + ", allowed: finite numbers");
    }
    return d == Math.rint(d) && Math.abs(d) < 1e15
        ? String.valueOf((long) d)
        : String.format(Locale.ROOT, "%.6g", d);
  }

  private static void newline(int depth, StringBuilder out) {
    if (depth >= 0) {
      out.append('\n').append("  ".repeat(depth));
    }
  }

  private static void quote(String s, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < 0x20 || Character.isSurrogate(c)) {
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
