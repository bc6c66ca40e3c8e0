package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
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
 *
 * <p>A field is the name of an attribute or {@code entryId}. The names of a chunk's other fields
 * ({@code id}, {@code ordinal}, {@code text}) are refused, since no attribute has them. To keep
 * certain ids in or out, use {@link IdFilter} or {@link Diversify#exclude}.
 */
public sealed interface Filter {
  /** Deepest nesting of and, or, not, the condition at the bottom included. */
  int MAX_DEPTH = 100;

  /**
   * Most conditions, ands, ors and nots in one filter; a part that is used twice counts twice. The
   * values of an {@code in} are not limited.
   */
  int MAX_NODES = 10_000;

  /** Equal to a value. */
  record Eq(String field, Object value) implements Filter {
    /** Checks. */
    public Eq {
      Attributes.filterField(field);
      value = Attributes.scalar("filter eq(" + field + ")", value);
    }

    @Override
    public String toString() {
      return FilterText.of(this);
    }
  }

  /** Below, at most, above or at least a value. */
  record Compare(String field, Op op, Object value) implements Filter {
    /** The comparison. */
    public enum Op {
      /** Below. */
      LT("<"),
      /** At most. */
      LTE("<="),
      /** Above. */
      GT(">"),
      /** At least. */
      GTE(">=");

      private final String sign;

      Op(String sign) {
        this.sign = sign;
      }

      /** The sign that people write: {@code <}, {@code <=}, {@code >}, {@code >=}. */
      public String sign() {
        return sign;
      }
    }

    /** Checks. */
    public Compare {
      Attributes.filterField(field);
      Checks.present("filter op", op);
      String where = "filter " + op.name().toLowerCase(Locale.ROOT) + "(" + field + ")";
      value = Attributes.scalar(where, value);
      if (value instanceof Boolean) {
        throw Checks.bad(where, value, "a number or a String");
      }
    }

    @Override
    public String toString() {
      return FilterText.of(this);
    }
  }

  /** Equal to one of some values; of none when there are none. */
  record In(String field, List<Object> values) implements Filter {
    /** Checks and copies. */
    public In {
      Attributes.filterField(field);
      values = FilterValues.Values.copy(field, values);
    }

    @Override
    public String toString() {
      return FilterText.of(this);
    }
  }

  /** A String attribute with this substring, or a list with this element. */
  record Contains(String field, String value) implements Filter {
    /** Checks. */
    public Contains {
      Attributes.filterField(field);
      Checks.wellFormed("filter contains(" + field + ")", value);
    }

    @Override
    public String toString() {
      return FilterText.of(this);
    }
  }

  /** The attribute is there, whatever its value. */
  record Exists(String field) implements Filter {
    /** Checks. */
    public Exists {
      Attributes.filterField(field);
    }

    @Override
    public String toString() {
      return FilterText.of(this);
    }
  }

  /** All of these. */
  record And(List<Filter> of) implements Filter {
    /** Checks and copies. */
    public And {
      of = FilterParts.copy("and", of);
    }

    @Override
    public String toString() {
      return FilterText.of(this);
    }
  }

  /** One or more of these. */
  record Or(List<Filter> of) implements Filter {
    /** Checks and copies. */
    public Or {
      of = FilterParts.copy("or", of);
    }

    @Override
    public String toString() {
      return FilterText.of(this);
    }
  }

  /** Not this. */
  record Not(Filter of) implements Filter {
    /** Checks. */
    public Not {
      FilterParts.checkNot(of);
    }

    @Override
    public String toString() {
      return FilterText.of(this);
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
    return new And(Arrays.asList(Checks.present("filter and", of)));
  }

  /** One or more of these. */
  static Filter or(Filter... of) {
    return new Or(Arrays.asList(Checks.present("filter or", of)));
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
      case In(String f, List<Object> vs) -> FilterValues.in(get(f, entryId, attributes), vs);
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
}
