package dev.petunia.core;

import static dev.petunia.core.testing.Expect.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.testing.Filters;
import dev.petunia.core.testing.Property;
import dev.petunia.core.testing.Threads;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked // nulls are among the bad values
class FilterTest {
  private static final Filter LEAF = Filter.exists("a");

  @Test
  void everyConditionRefusesABadFieldName() {
    List<Function<String, Filter>> makers =
        List.of(
            f -> Filter.eq(f, 1),
            f -> Filter.ne(f, 1),
            f -> Filter.lt(f, 1),
            f -> Filter.lte(f, 1),
            f -> Filter.gt(f, 1),
            f -> Filter.gte(f, 1),
            f -> Filter.in(f, List.of()),
            f -> Filter.notIn(f, List.of()),
            f -> Filter.contains(f, ""),
            Filter::exists);
    for (Function<String, Filter> maker : makers) {
      refused("filter field", "null", "a non-empty String", () -> maker.apply(null));
      refused("filter field", "\"\"", "a non-empty String", () -> maker.apply(""));
      refused("filter field", "U+D800", "valid Unicode", () -> maker.apply("\uD800"));
      for (String own : List.of("id", "ordinal", "text")) {
        refused(
            "filter field",
            '"' + own + '"',
            "entryId or the name of an attribute",
            () -> maker.apply(own));
      }
      maker.apply("entryId");
      maker.apply("名 with spaces");
    }
  }

  @Test
  void everyConditionRefusesABadValue() {
    String kinds = "String, Long, Double, Boolean";
    refused("filter eq(a)", "null", kinds, () -> Filter.eq("a", null));
    refused("filter eq(a)", "[x] (java.util.", kinds, () -> Filter.eq("a", List.of("x")));
    refused("filter eq(a)", "NaN", "finite", () -> Filter.eq("a", Double.NaN));
    refused("filter eq(a)", "Infinity", "finite", () -> Filter.eq("a", Float.POSITIVE_INFINITY));
    refused("filter eq(a)", "U+DC00", "valid Unicode", () -> Filter.eq("a", "\uDC00"));
    refused("filter eq(a)", "1 (java.math.Big", kinds, () -> Filter.eq("a", BigInteger.ONE));
    refused("filter lt(a)", "true", "a number or a String", () -> Filter.lt("a", true));
    refused("filter gte(a)", "null", kinds, () -> Filter.gte("a", null));
    refused("filter gt(a)", "NaN", "finite", () -> Filter.gt("a", Double.NaN));
    refused("filter op", "null", "a value", () -> new Filter.Compare("a", null, 1));
    refused("filter in(a)", "null", "a value that is not null", () -> Filter.in("a", null));
    refused("filter in(a)", "null", "a value", () -> new Filter.In("a", null));
    refused("filter in(a)[1]", "null", kinds, () -> Filter.in("a", Arrays.asList("x", null)));
    refused("filter in(a)[0]", "[] (java.", kinds, () -> Filter.in("a", List.of(List.of())));
    refused("filter in(a)[0]", "NaN", "finite", () -> Filter.notIn("a", List.of(Double.NaN)));
    refused("filter contains(a)", "null", "a value", () -> Filter.contains("a", null));
    refused("filter contains(a)", "U+D800", "valid", () -> Filter.contains("a", "\uD800"));
    refused("filter not", "null", "a value", () -> Filter.not(null));
    refused("filter and", "null", "a value", () -> Filter.and((Filter[]) null));
    refused("filter or", "null", "a value", () -> Filter.or((Filter[]) null));
    refused("filter and", "null", "a value", () -> new Filter.And(null));
    refused("filter or[1]", "null", "a value", () -> Filter.or(LEAF, null));
  }

  @Test
  void nestingIsAllowedToTheLimitAndRefusedBeyond() {
    for (Function<Filter, Filter> wrap :
        List.<Function<Filter, Filter>>of(
            Filter::not, f -> Filter.and(f), f -> Filter.or(LEAF, f, LEAF))) {
      Filter f = LEAF;
      for (int depth = 2; depth <= Filter.MAX_DEPTH; depth++) {
        f = wrap.apply(f);
      }
      f.matches("e", Map.of());
      Filter deepest = f;
      assertEquals(deepest.hashCode(), deepest.hashCode());
      refused("nesting of filter", "101", "1 to 100 levels", () -> wrap.apply(deepest));
    }
  }

  @Test
  void aFilterNested100000DeepIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> {
          Filter f = LEAF;
          for (int i = 0; i < 100_000; i++) {
            f = i % 2 == 0 ? Filter.not(f) : Filter.and(f, LEAF);
          }
        });
  }

  @Test
  void aPartUsedAgainAndAgainIsCountedEachTime() {
    // 2^90 conditions when walked; must be refused while it is built, not when it is used
    assertEquals(12, doublings(f -> Filter.and(f, f)));
    assertEquals(12, doublings(f -> Filter.or(f, f)));
    // each not is a condition too: n becomes 2n + 3, which is 8,189 after 11 times
    assertEquals(11, doublings(f -> Filter.and(Filter.not(Filter.not(f)), f)));
  }

  private static int doublings(UnaryOperator<Filter> twice) {
    Filter f = LEAF;
    for (int i = 0; i < 90; i++) {
      try {
        f = twice.apply(f);
      } catch (IllegalArgumentException e) {
        assertTrue(e.getMessage().contains("allowed: 1 to 10000"), e.getMessage());
        return i;
      }
    }
    throw new AssertionError("2^90 conditions were accepted");
  }

  @Test
  void conditionsAreCountedToTheLimit() {
    Filter most = new Filter.And(Collections.nCopies(Filter.MAX_NODES - 1, LEAF));
    refused(
        "number of conditions in filter not",
        "10001",
        "1 to 10000; many values of one field are one condition with in",
        () -> Filter.not(most));
    refused(
        "number of conditions in filter or",
        "10001",
        "1 to 10000",
        () -> new Filter.Or(Collections.nCopies(2_000_000_000, LEAF)));
  }

  @Test
  void aWideTreeOfTheGreatestDepthIsBuiltAndAsked() {
    // 98 levels of 100 leaves: recounting a level's whole subtree on each level would show
    Filter f = LEAF;
    for (int i = 0; i < 98; i++) {
      List<Filter> level = new ArrayList<>(Collections.nCopies(99, Filter.eq("a", 1)));
      level.add(f);
      f = i % 2 == 0 ? new Filter.And(level) : new Filter.Or(level);
    }
    assertTrue(f.matches("e", Map.of("a", 1L)));
  }

  @Test
  void anInOf100000ValuesIsAskedByHash() {
    List<Object> ids = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      ids.add("entry-" + i);
    }
    Filter in = Filter.in("entryId", ids);
    Chunk last = new Chunk("c", "entry-99999", 0, "");
    Chunk none = new Chunk("c", "entry-100000", 0, "");
    // 4·10^9 comparisons when looked up one by one
    for (int i = 0; i < 20_000; i++) {
      assertTrue(in.matches(last));
      assertTrue(Filter.not(in).matches(none));
    }
    assertTrue(in.toString().endsWith("\"entry-9\", and 99990 more]"), in.toString());
  }

  @Test
  void manyThreadsMayAskANewFilterAtOnce() throws InterruptedException {
    List<Integer> even = IntStream.range(0, 5_000).map(i -> 2 * i).boxed().toList();
    for (int round = 0; round < 20; round++) {
      Filter in = Filter.in("a", even); // its set is made by whoever asks first
      Threads.run(
          4,
          thread -> {
            for (int i = 0; i < 200; i++) {
              long n = 49L * i + thread;
              assertEquals(n % 2 == 0, in.matches("e", Map.of("a", n)));
            }
          });
    }
  }

  @Test
  void changingWhatWasGivenChangesNothing() {
    List<Object> values = new ArrayList<>(List.of(1, 2.5f));
    Filter in = Filter.in("a", values);
    Filter.In record = new Filter.In("a", values);
    Filter[] array = {LEAF};
    Filter and = Filter.and(array);
    List<Filter> parts = new ArrayList<>(List.of(LEAF));
    Filter.Or or = new Filter.Or(parts);
    values.set(0, "changed");
    array[0] = Filter.exists("changed");
    parts.clear();
    assertEquals(new Filter.In("a", List.of(1L, 2.5)), in);
    assertEquals(in, record);
    assertEquals(new Filter.And(List.of(LEAF)), and);
    assertEquals(List.of(LEAF), or.of());
    assertThrows(UnsupportedOperationException.class, () -> or.of().clear());
    assertThrows(UnsupportedOperationException.class, () -> record.values().add("x"));
    assertThrows(UnsupportedOperationException.class, () -> record.values().set(0, "x"));
  }

  @Test
  void filtersOfTheSamePartsAreEqual() {
    Property.check(
        "rebuilt part by part, a filter is equal",
        300,
        Filters.filter(4),
        f -> {
          Filter copy = rebuild(f);
          assertEquals(f, copy);
          assertEquals(f.hashCode(), copy.hashCode());
          assertEquals(f.toString(), copy.toString());
          assertNotEquals(f, Filter.not(f));
        });
    assertNotEquals(Filter.and(LEAF), Filter.or(LEAF));
    assertEquals(Filter.eq("a", 1), Filter.eq("a", (short) 1));
  }

  private static Filter rebuild(Filter f) {
    return switch (f) {
      case Filter.Eq(String field, Object v) -> Filter.eq(field, v);
      case Filter.Compare(String field, Filter.Compare.Op op, Object v) ->
          new Filter.Compare(field, op, v);
      case Filter.In(String field, List<Object> vs) -> Filter.in(field, new ArrayList<>(vs));
      case Filter.Contains(String field, String v) -> Filter.contains(field, v);
      case Filter.Exists(String field) -> Filter.exists(field);
      case Filter.And(List<Filter> of) ->
          Filter.and(of.stream().map(FilterTest::rebuild).toArray(Filter[]::new));
      case Filter.Or(List<Filter> of) ->
          Filter.or(of.stream().map(FilterTest::rebuild).toArray(Filter[]::new));
      case Filter.Not(Filter of) -> Filter.not(rebuild(of));
    };
  }

  @Test
  void aFilterReadsAsPeopleWriteConditions() {
    assertEquals(
        "year >= 2020 AND lang == \"en\"",
        Filter.and(Filter.gte("year", 2020), Filter.eq("lang", "en")).toString());
    assertEquals(
        "(a < 1.5 OR b > \"x\") AND NOT (c exists AND d <= 2) AND e != true",
        Filter.and(
                Filter.or(Filter.lt("a", 1.5), Filter.gt("b", "x")),
                Filter.not(Filter.and(Filter.exists("c"), Filter.lte("d", 2))),
                Filter.ne("e", true))
            .toString());
    assertEquals(
        "tags in [\"a\", 1] OR tags not in [] OR tags contains \"q\\\"\"",
        Filter.or(
                Filter.in("tags", List.of("a", 1)),
                Filter.notIn("tags", List.of()),
                Filter.contains("tags", "q\""))
            .toString());
    assertEquals("tags contains \"a\"", Filter.contains("tags", "a").toString());
    assertEquals(
        "n in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]",
        Filter.in("n", IntStream.range(0, 10).boxed().toList()).toString());
    assertEquals("everything", Filter.and().toString());
    assertEquals("NOT nothing", Filter.not(Filter.or()).toString());
    assertEquals("NOT NOT a exists", Filter.not(Filter.not(LEAF)).toString());
    assertEquals("java.lang exists", Filter.exists("java.lang").toString());
    assertEquals("\"a \\\"b\\\" c\" exists", Filter.exists("a \"b\" c").toString());
    assertEquals(
        "n in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, and 1 more]",
        Filter.in("n", IntStream.rangeClosed(0, 10).boxed().toList()).toString());
    assertEquals("t == \"line\\u000Abreak\"", Filter.eq("t", "line\nbreak").toString());
  }
}
