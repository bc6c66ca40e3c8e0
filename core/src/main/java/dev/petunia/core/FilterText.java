package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import java.util.List;
import java.util.regex.Pattern;

/** A filter as people write conditions: {@code year >= 2020 AND (lang == "en" OR lang == "de")}. */
final class FilterText {
  private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}_.-]+");

  /** Values of an in that are shown; the number of the others is. */
  private static final int MAX_VALUES = 10;

  private FilterText() {}

  static String of(Filter filter) {
    StringBuilder out = new StringBuilder();
    append(out, filter);
    return out.toString();
  }

  private static void append(StringBuilder out, Filter filter) {
    switch (filter) {
      case Filter.Eq(String field, Object v) ->
          out.append(name(field)).append(" == ").append(show(v));
      case Filter.Not(Filter.Eq(String field, Object v)) ->
          out.append(name(field)).append(" != ").append(show(v));
      case Filter.Compare(String field, Filter.Compare.Op op, Object v) ->
          out.append(name(field)).append(' ').append(op.sign()).append(' ').append(show(v));
      case Filter.In(String field, List<Object> vs) -> appendIn(out, field, " in ", vs);
      case Filter.Not(Filter.In(String field, List<Object> vs)) ->
          appendIn(out, field, " not in ", vs);
      case Filter.Contains(String field, String v) ->
          out.append(name(field)).append(" contains ").append(show(v));
      case Filter.Exists(String field) -> out.append(name(field)).append(" exists");
      case Filter.And(List<Filter> of) -> appendAll(out, of, " AND ", "everything");
      case Filter.Or(List<Filter> of) -> appendAll(out, of, " OR ", "nothing");
      case Filter.Not(Filter of) -> {
        out.append("NOT ");
        appendPart(out, of);
      }
    }
  }

  private static void appendAll(
      StringBuilder out, List<Filter> of, String between, String whenEmpty) {
    if (of.isEmpty()) {
      out.append(whenEmpty);
    }
    for (int i = 0; i < of.size(); i++) {
      out.append(i == 0 ? "" : between);
      appendPart(out, of.get(i));
    }
  }

  /** In brackets when it is made of several parts itself. */
  private static void appendPart(StringBuilder out, Filter part) {
    boolean several =
        switch (part) {
          case Filter.And(List<Filter> of) -> !of.isEmpty();
          case Filter.Or(List<Filter> of) -> !of.isEmpty();
          default -> false;
        };
    out.append(several ? "(" : "");
    append(out, part);
    out.append(several ? ")" : "");
  }

  private static void appendIn(StringBuilder out, String field, String in, List<Object> values) {
    out.append(name(field)).append(in).append('[');
    for (int i = 0; i < Math.min(values.size(), MAX_VALUES); i++) {
      out.append(i == 0 ? "" : ", ").append(show(values.get(i)));
    }
    if (values.size() > MAX_VALUES) {
      out.append(", and ").append(values.size() - MAX_VALUES).append(" more");
    }
    out.append(']');
  }

  private static String name(String field) {
    return PLAIN.matcher(field).matches() ? field : Checks.show(field);
  }

  private static String show(Object value) {
    return Checks.show(value);
  }
}
