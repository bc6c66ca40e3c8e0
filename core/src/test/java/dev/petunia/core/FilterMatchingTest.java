package dev.petunia.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.testing.Chunks;
import dev.petunia.core.testing.Filters;
import dev.petunia.core.testing.Generator;
import dev.petunia.core.testing.Generators;
import dev.petunia.core.testing.Property;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What filters mean: cases by hand, then against a second evaluator that was written apart. */
class FilterMatchingTest {
  private static boolean matches(Filter f, String name, Object value) {
    return f.matches(new Chunk("c", "e", 0, "", Map.of(name, value)));
  }

  private static boolean missing(Filter f) {
    return f.matches(new Chunk("c", "e", 0, ""));
  }

  @Test
  void numbersCompareByValueAcrossTypes() {
    assertTrue(matches(Filter.eq("a", 1), "a", 1.0));
    assertTrue(matches(Filter.eq("a", 1.0f), "a", 1));
    assertTrue(matches(Filter.eq("a", -0.0), "a", 0));
    assertTrue(matches(Filter.eq("a", -0.0), "a", 0.0));
    assertTrue(matches(Filter.in("a", List.of("x", 2.0)), "a", 2L));
    assertFalse(matches(Filter.eq("a", "1"), "a", 1));
    assertFalse(matches(Filter.eq("a", true), "a", 1));
    assertFalse(matches(Filter.eq("a", 0.1), "a", 0.1f));
  }

  @Test
  void longsThatADoubleCannotHoldCompareExactly() {
    long odd = (1L << 53) + 1;
    assertFalse(matches(Filter.eq("a", 0x1p53), "a", odd));
    assertTrue(matches(Filter.gt("a", 0x1p53), "a", odd));
    assertTrue(matches(Filter.lt("a", odd), "a", 0x1p53));
    assertTrue(matches(Filter.lt("a", 0x1p63), "a", Long.MAX_VALUE));
    assertFalse(matches(Filter.eq("a", 0x1p63), "a", Long.MAX_VALUE));
    assertFalse(matches(Filter.in("a", List.of(0x1p63)), "a", Long.MAX_VALUE));
    assertTrue(matches(Filter.eq("a", -0x1p63), "a", Long.MIN_VALUE));
    assertTrue(matches(Filter.in("a", List.of(-0x1p63)), "a", Long.MIN_VALUE));
    assertTrue(matches(Filter.gt("a", -0x1.0000000000001p63), "a", Long.MIN_VALUE));
  }

  @Test
  void numbersOrderAsTheirExactDecimalsDo() {
    Generator<Number> number = Generators.anyOf(Generators.longs(), Generators.doubles());
    record Pair(Number a, Number b) {}
    Property.check(
        "compare agrees with BigDecimal",
        20_000,
        random -> {
          Number a = number.generate(random);
          boolean near = a instanceof Long && random.nextInt(4) == 0;
          return new Pair(a, near ? (Number) a.doubleValue() : number.generate(random));
        },
        p -> {
          int want = decimal(p.a).compareTo(decimal(p.b));
          assertEquals(want, Integer.signum(FilterValues.compare(p.a, p.b)));
          assertEquals(want == 0, FilterValues.equal(p.a, p.b));
        });
  }

  @Test
  void stringsOrderByTheirBytes() {
    assertTrue(matches(Filter.lt("a", "\uD83D\uDC33"), "a", "\uE000"));
    assertTrue(matches(Filter.gt("a", "Z"), "a", "a"));
    assertTrue(matches(Filter.gte("a", ""), "a", ""));
    assertFalse(matches(Filter.lt("a", ""), "a", "x"));
    // composed and decomposed are two strings: nothing normalises
    assertFalse(matches(Filter.eq("a", "é"), "a", "e\u0301"));
  }

  @Test
  void kindsDoNotMix() {
    assertFalse(matches(Filter.lt("a", 5), "a", "1"));
    assertFalse(matches(Filter.gte("a", 5), "a", "9"));
    assertFalse(matches(Filter.lt("a", "x"), "a", 1));
    assertFalse(matches(Filter.lte("a", "x"), "a", true));
    assertFalse(matches(Filter.gte("a", ""), "a", List.of("x")));
  }

  @Test
  void aListSatisfiesWhenAnElementDoes() {
    List<String> tags = List.of("x", "yz");
    assertTrue(matches(Filter.eq("a", "x"), "a", tags));
    assertFalse(matches(Filter.ne("a", "x"), "a", tags));
    assertTrue(matches(Filter.in("a", List.of("q", "yz")), "a", tags));
    assertFalse(matches(Filter.eq("a", "y"), "a", tags));
    assertFalse(matches(Filter.contains("a", "y"), "a", tags), "an element, not a part of one");
    assertTrue(matches(Filter.contains("a", "yz"), "a", tags));
    assertFalse(matches(Filter.eq("a", "1"), "a", List.of()));
    assertFalse(matches(Filter.eq("a", 1), "a", List.of("1")));
    assertTrue(matches(Filter.exists("a"), "a", List.of()));
  }

  @Test
  void aStringContainsItsParts() {
    assertTrue(matches(Filter.contains("a", ""), "a", ""));
    assertTrue(matches(Filter.contains("a", "بح"), "a", "مرحبا بحر"));
    assertFalse(matches(Filter.contains("a", "EN"), "a", "english"));
    assertFalse(matches(Filter.contains("a", "1"), "a", 1));
  }

  @Test
  void negationsMatchWhereTheAttributeIsMissing() {
    assertTrue(missing(Filter.ne("a", 1)));
    assertTrue(missing(Filter.notIn("a", List.of(1))));
    assertTrue(missing(Filter.not(Filter.exists("a"))));
    assertTrue(missing(Filter.not(Filter.lt("a", 1))));
    assertFalse(missing(Filter.eq("a", 1)));
    assertFalse(missing(Filter.in("a", List.of(1))));
    assertFalse(missing(Filter.contains("a", "")));
    assertFalse(missing(Filter.lt("a", 1)));
    assertFalse(missing(Filter.gte("a", 1)));
  }

  @Test
  void emptyCombinations() {
    assertTrue(missing(Filter.and()));
    assertFalse(missing(Filter.or()));
    assertFalse(missing(Filter.in("a", List.of())));
    assertTrue(missing(Filter.notIn("a", List.of())));
  }

  @Test
  void theEntryIsAskedByItsName() {
    Chunk c = new Chunk("c", "java.util.List", 3, "");
    assertTrue(Filter.eq("entryId", "java.util.List").matches(c));
    assertTrue(Filter.contains("entryId", "util").matches(c));
    assertTrue(Filter.exists("entryId").matches(c));
    assertTrue(Filter.gte("entryId", "java").matches(c));
    assertTrue(Filter.in("entryId", List.of("x", "java.util.List")).matches(c));
    assertFalse(Filter.ne("entryId", "java.util.List").matches(c));
  }

  private record Case(Filter filter, Chunk chunk) {}

  private static Generator<Case> cases() {
    Generator<Filter> filter = Filters.filter(5);
    Generator<Chunk> chunk = Chunks.chunk();
    return new Generator<>() {
      @Override
      public Case generate(java.util.random.RandomGenerator random) {
        return new Case(filter.generate(random), chunk.generate(random));
      }

      @Override
      public Iterable<Case> smaller(Case c) {
        return java.util.stream.StreamSupport.stream(filter.smaller(c.filter).spliterator(), false)
            .map(f -> new Case(f, c.chunk))
            .toList();
      }
    };
  }

  @Test
  void everyFilterMeansWhatTheNaiveEvaluatorSays() {
    int[] yes = new int[1];
    Property.check(
        "matches agrees with the naive evaluator",
        20_000,
        cases(),
        c -> {
          boolean want = naive(c.filter, c.chunk);
          yes[0] += want ? 1 : 0;
          assertEquals(want, c.filter.matches(c.chunk), c.filter::toString);
        });
    assertTrue(
        !System.getProperty(Property.SEED, "").isEmpty() || (yes[0] > 4_000 && yes[0] < 16_000),
        () -> yes[0] + " of 20000 matched: the cases are lopsided");
  }

  @Test
  void theLawsOfLogicHold() {
    Property.check(
        "de Morgan, and double negation",
        5_000,
        cases(),
        c -> {
          Filter other = Filter.exists("tags");
          boolean m = c.filter.matches(c.chunk);
          assertEquals(!m, Filter.not(c.filter).matches(c.chunk));
          assertEquals(m, Filter.not(Filter.not(c.filter)).matches(c.chunk));
          assertEquals(
              Filter.not(Filter.and(c.filter, other)).matches(c.chunk),
              Filter.or(Filter.not(c.filter), Filter.not(other)).matches(c.chunk));
        });
  }

  // The second evaluator: exact decimals for numbers, real bytes for strings, one loop per case.

  private static boolean naive(Filter filter, Chunk chunk) {
    if (filter instanceof Filter.And and) {
      boolean all = true;
      for (Filter part : and.of()) {
        all &= naive(part, chunk);
      }
      return all;
    }
    if (filter instanceof Filter.Or or) {
      boolean any = false;
      for (Filter part : or.of()) {
        any |= naive(part, chunk);
      }
      return any;
    }
    if (filter instanceof Filter.Not not) {
      return !naive(not.of(), chunk);
    }
    if (filter instanceof Filter.Exists exists) {
      return value(chunk, exists.field()) != null;
    }
    if (filter instanceof Filter.Contains contains) {
      Object v = value(chunk, contains.field());
      if (v instanceof List<?> list) {
        return list.stream().anyMatch(e -> same(e, contains.value()));
      }
      return v instanceof String s && s.indexOf(contains.value()) >= 0;
    }
    if (filter instanceof Filter.Eq eq) {
      return anySame(value(chunk, eq.field()), List.of(eq.value()));
    }
    if (filter instanceof Filter.In in) {
      return anySame(value(chunk, in.field()), in.values());
    }
    Filter.Compare compare = (Filter.Compare) filter;
    Integer order = order(value(chunk, compare.field()), compare.value());
    if (order == null) {
      return false;
    }
    return switch (compare.op().sign()) {
      case "<" -> order < 0;
      case "<=" -> order < 0 || order == 0;
      case ">" -> order > 0;
      default -> order > 0 || order == 0;
    };
  }

  private static @Nullable Object value(Chunk chunk, String field) {
    return field.equals("entryId") ? chunk.entryId() : chunk.attributes().get(field);
  }

  private static boolean anySame(@Nullable Object have, List<?> wanted) {
    List<?> haves = have instanceof List<?> list ? list : have == null ? List.of() : List.of(have);
    for (Object h : haves) {
      for (Object w : wanted) {
        if (same(h, w)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean same(Object a, Object b) {
    Integer order = order(a, b);
    return order == null ? a instanceof Boolean && a == b : order == 0;
  }

  /** Negative, 0 or positive; null when the two have no order. */
  private static @Nullable Integer order(@Nullable Object a, Object b) {
    if (a instanceof Number x && b instanceof Number y) {
      return decimal(x).compareTo(decimal(y));
    }
    if (a instanceof String x && b instanceof String y) {
      return Arrays.compareUnsigned(
          x.getBytes(StandardCharsets.UTF_8), y.getBytes(StandardCharsets.UTF_8));
    }
    return null;
  }

  private static BigDecimal decimal(Number n) {
    return n instanceof Long l ? BigDecimal.valueOf(l) : new BigDecimal(n.doubleValue());
  }
}
