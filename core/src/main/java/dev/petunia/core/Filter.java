package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import dev.petunia.core.internal.Utf8Order;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a chunk's attributes and {@code entryId} (by that name). One tree for all engines;
 * each compiles it, and {@link #matches} is the reference that they are tested against.
 *
 * <p>Semantics:
 *
 * <ul>
 *   <li>Numbers compare by value across Long and Double, exactly: 1 equals 1.0. Strings compare by
 *       their UTF-8 bytes. Values of different kinds are neither equal nor ordered.
 *   <li>A list of String satisfies {@code eq} and {@code in} when one of its elements does.
 *   <li>{@code ne} and {@code notIn} are the exact negations of {@code eq} and {@code in}; so they
 *       match where the attribute is missing.
 *   <li>{@code lt}, {@code lte}, {@code gt}, {@code gte} take a number or a String, and match no
 *       list, no Boolean, and nothing where the attribute is missing.
 *   <li>{@code contains}: a String attribute has the given substring (case matters); a list has it
 *       as an element.
 *   <li>{@code and} of nothing matches all, {@code or} of nothing matches none.
 * </ul>
 */
public sealed interface Filter {
  /** Deepest nesting of and, or, not; deeper trees are refused. */
  int MAX_DEPTH = 100;

  /** Equal to a value. */
  record Eq(String field, Object value) implements Filter {
    /** Checks. */
    public Eq {
      Checks.id("filter field", field);
      value = Attributes.scalar("filter eq(" + field + ")", value);
    }
  }

  /** Below, at most, above or at least a value. */
  record Compare(String field, Op op, Object value) implements Filter {
    /** The comparison. */
    public enum Op {
      /** Below. */
      LT,
      /** At most. */
      LTE,
      /** Above. */
      GT,
      /** At least. */
      GTE
    }

    /** Checks. */
    public Compare {
      Checks.id("filter field", field);
      Checks.present("filter op", op);
      value = Attributes.scalar("filter " + op + "(" + field + ")", value);
      if (value instanceof Boolean) {
        throw Checks.bad("filter " + op + "(" + field + ")", value, "a number or a String");
      }
    }
  }

  /** Equal to one of some values; of none when there are none. */
  record In(String field, List<Object> values) implements Filter {
    /** Checks and copies. */
    public In {
      Checks.id("filter field", field);
      List<Object> copy = new ArrayList<>();
      for (Object v : Checks.present("filter in(" + field + ")", values)) {
        copy.add(Attributes.scalar("filter in(" + field + ")", v));
      }
      values = Collections.unmodifiableList(copy);
    }
  }

  /** A String attribute with this substring, or a list with this element. */
  record Contains(String field, String value) implements Filter {
    /** Checks. */
    public Contains {
      Checks.id("filter field", field);
      Checks.wellFormed("filter contains(" + field + ")", value);
    }
  }

  /** The attribute is there, whatever its value. */
  record Exists(String field) implements Filter {
    /** Checks. */
    public Exists {
      Checks.id("filter field", field);
    }
  }

  /** All of these. */
  record And(List<Filter> of) implements Filter {
    /** Checks and copies. */
    public And {
      of = copy("and", of);
    }
  }

  /** One or more of these. */
  record Or(List<Filter> of) implements Filter {
    /** Checks and copies. */
    public Or {
      of = copy("or", of);
    }
  }

  /** Not this. */
  record Not(Filter of) implements Filter {
    /** Checks. */
    public Not {
      copy("not", List.of(Checks.present("filter not", of)));
    }
  }

  /** {@code field == value}. */
  static Filter eq(String field, Object value) {
    return new Eq(field, value);
  }

  /** Not {@code field == value}; also where the attribute is missing. */
  static Filter ne(String field, Object value) {
    return new Not(new Eq(field, value));
  }

  /** {@code field < value}. */
  static Filter lt(String field, Object value) {
    return new Compare(field, Compare.Op.LT, value);
  }

  /** {@code field <= value}. */
  static Filter lte(String field, Object value) {
    return new Compare(field, Compare.Op.LTE, value);
  }

  /** {@code field > value}. */
  static Filter gt(String field, Object value) {
    return new Compare(field, Compare.Op.GT, value);
  }

  /** {@code field >= value}. */
  static Filter gte(String field, Object value) {
    return new Compare(field, Compare.Op.GTE, value);
  }

  /** {@code field} equals one of the values. */
  static Filter in(String field, Collection<?> values) {
    return new In(field, new ArrayList<>(Checks.present("filter in(" + field + ")", values)));
  }

  /** {@code field} equals none of the values; also where the attribute is missing. */
  static Filter notIn(String field, Collection<?> values) {
    return new Not(in(field, values));
  }

  /** A String attribute has this substring, or a list has this element. */
  static Filter contains(String field, String value) {
    return new Contains(field, value);
  }

  /** The attribute is there. */
  static Filter exists(String field) {
    return new Exists(field);
  }

  /** All of these. */
  static Filter and(Filter... of) {
    return new And(Arrays.asList(of));
  }

  /** One or more of these. */
  static Filter or(Filter... of) {
    return new Or(Arrays.asList(of));
  }

  /** Not this. */
  static Filter not(Filter of) {
    return new Not(of);
  }

  /** Whether a chunk satisfies this: the reference meaning, one chunk at a time. */
  default boolean matches(Chunk chunk) {
    return matches(chunk.entryId(), chunk.attributes());
  }

  /** Whether an entry id and attributes satisfy this. */
  default boolean matches(String entryId, Map<String, Object> attributes) {
    return switch (this) {
      case Eq(String f, Object v) -> FilterValues.equal(get(f, entryId, attributes), v);
      case Compare(String f, Compare.Op op, Object v) ->
          FilterValues.ordered(get(f, entryId, attributes), op, v);
      case In(String f, List<Object> vs) -> {
        Object have = get(f, entryId, attributes);
        yield vs.stream().anyMatch(v -> FilterValues.equal(have, v));
      }
      case Contains(String f, String v) -> {
        Object have = get(f, entryId, attributes);
        yield have instanceof String s ? s.contains(v) : have instanceof List<?> l && l.contains(v);
      }
      case Exists(String f) -> get(f, entryId, attributes) != null;
      case And(List<Filter> of) -> of.stream().allMatch(f -> f.matches(entryId, attributes));
      case Or(List<Filter> of) -> of.stream().anyMatch(f -> f.matches(entryId, attributes));
      case Not(Filter of) -> !of.matches(entryId, attributes);
    };
  }

  private static @Nullable Object get(
      String field, String entryId, Map<String, Object> attributes) {
    return field.equals("entryId") ? entryId : attributes.get(field);
  }

  private static List<Filter> copy(String name, @Nullable List<Filter> of) {
    List<Filter> copy = new ArrayList<>();
    for (Filter f : Checks.present("filter " + name, of)) {
      copy.add(Checks.present("filter " + name, f));
      if (FilterValues.depth(f) >= MAX_DEPTH) {
        throw new IllegalArgumentException(
            "filter " + name + " is nested deeper than " + MAX_DEPTH + " levels");
      }
    }
    return Collections.unmodifiableList(copy);
  }

  /** Comparison of attribute values; here so that the interface stays readable. */
  final class FilterValues {
    private FilterValues() {}

    static int depth(Filter f) {
      return switch (f) {
        case And(List<Filter> of) -> 1 + of.stream().mapToInt(FilterValues::depth).max().orElse(0);
        case Or(List<Filter> of) -> 1 + of.stream().mapToInt(FilterValues::depth).max().orElse(0);
        case Not(Filter of) -> 1 + depth(of);
        case Eq e -> 1;
        case Compare c -> 1;
        case In i -> 1;
        case Contains c -> 1;
        case Exists e -> 1;
      };
    }

    static boolean equal(@Nullable Object have, Object want) {
      if (have instanceof List<?> list) {
        return list.stream().anyMatch(e -> e.equals(want));
      }
      if (have instanceof Number a && want instanceof Number b) {
        return compare(a, b) == 0;
      }
      return want.equals(have);
    }

    static boolean ordered(@Nullable Object have, Compare.Op op, Object want) {
      int c;
      if (have instanceof Number a && want instanceof Number b) {
        c = compare(a, b);
      } else if (have instanceof String a && want instanceof String b) {
        c = Utf8Order.compare(a, b);
      } else {
        return false;
      }
      return switch (op) {
        case LT -> c < 0;
        case LTE -> c <= 0;
        case GT -> c > 0;
        case GTE -> c >= 0;
      };
    }

    private static int compare(Number a, Number b) {
      if (a instanceof Long x && b instanceof Long y) {
        return Long.compare(x, y);
      }
      // exact also where a long has more digits than a double can hold
      return decimal(a).compareTo(decimal(b));
    }

    private static BigDecimal decimal(Number n) {
      return n instanceof Long l ? BigDecimal.valueOf(l) : new BigDecimal(n.doubleValue());
    }
  }
}
