package dev.petunia.lexical;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.Filter;
import dev.petunia.core.IdFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FilterTest {
  private static final String LONG_A = "ab".repeat(600);
  private static final String LONG_B = LONG_A + "c";
  private static final String LONG_C = "éz".repeat(1_000);

  /** Few, so that equal ones meet; of all kinds and around the borders. */
  private static final List<Object> VALUES =
      List.of(
          0L,
          1L,
          -1L,
          0.0,
          -0.0,
          1.0,
          1.5,
          (1L << 53),
          (1L << 53) + 1,
          (double) (1L << 53),
          Long.MAX_VALUE,
          Long.MIN_VALUE,
          0x1p63,
          -0x1p63,
          1e300,
          true,
          false,
          "",
          "a",
          "ab",
          "b",
          "1",
          "true",
          "中文",
          "文",
          "\uFFFF",
          "👍",
          "👍🏽",
          "é",
          "e\u0301",
          "\u0000",
          "a\u0000",
          LONG_A,
          LONG_B,
          LONG_C,
          "ab".repeat(512),
          "ab".repeat(512) + "a");

  private static final List<String> NAMES = List.of("x", "y", "中", "entryId");

  private final LexicalIndex index = LexicalIndex.inMemory(LexicalConfig.defaults());

  @AfterEach
  void close() {
    index.close();
  }

  private static Object value(SplittableRandom random) {
    return VALUES.get(random.nextInt(VALUES.size()));
  }

  private static String string(SplittableRandom random) {
    return VALUES.get(17 + random.nextInt(VALUES.size() - 17)).toString();
  }

  private static Chunk chunk(String id, SplittableRandom random) {
    Map<String, Object> attributes = new HashMap<>();
    for (String name : NAMES.subList(0, 3)) {
      switch (random.nextInt(4)) {
        case 0 -> {}
        case 1 ->
            attributes.put(
                name, IntStream.range(0, random.nextInt(4)).mapToObj(i -> string(random)).toList());
        default -> attributes.put(name, value(random));
      }
    }
    String entry = string(random);
    return new Chunk(id, entry.isEmpty() ? "e" : entry, 0, "text", attributes);
  }

  private static Filter filter(SplittableRandom random, int depth) {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    if (depth > 0 && random.nextInt(3) > 0) {
      List<Filter> of =
          IntStream.range(0, random.nextInt(4)).mapToObj(i -> filter(random, depth - 1)).toList();
      return switch (random.nextInt(3)) {
        case 0 -> new Filter.And(of);
        case 1 -> new Filter.Or(of);
        default -> Filter.not(filter(random, depth - 1));
      };
    }
    Object v = value(random);
    Object ordered = v instanceof Boolean ? 1L : v;
    return switch (random.nextInt(10)) {
      case 0 -> Filter.eq(name, v);
      case 1 -> Filter.ne(name, v);
      case 2 -> Filter.lt(name, ordered);
      case 3 -> Filter.lte(name, ordered);
      case 4 -> Filter.gt(name, ordered);
      case 5 -> Filter.gte(name, ordered);
      case 6 -> Filter.in(name, List.of(v, value(random), value(random)));
      case 7 -> Filter.notIn(name, List.of(v, value(random)));
      case 8 -> Filter.contains(name, string(random));
      default -> Filter.exists(name);
    };
  }

  private static Set<String> expected(Iterable<Chunk> chunks, Filter filter) {
    Set<String> ids = new TreeSet<>();
    for (Chunk c : chunks) {
      if (filter.matches(c)) {
        ids.add(c.id());
      }
    }
    return ids;
  }

  @Test
  void everyCompiledTreeAgreesWithTheReferenceMeaning() {
    for (long seed = 1; seed <= 4; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Map<String, Chunk> chunks = new HashMap<>();
      for (int batch = 0; batch < 4; batch++) { // several segments, with replaced and deleted ones
        List<Chunk> some = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
          some.add(chunk("c" + (batch * 45 + i), random));
        }
        some.forEach(c -> chunks.put(c.id(), c));
        index.upsert(some);
        String gone = "c" + random.nextInt(batch * 45 + 60);
        chunks.remove(gone);
        index.delete(List.of(gone));
        assertEquals(chunks.size(), index.size());
      }
      for (int i = 0; i < 300; i++) {
        Filter filter = filter(random, 4);
        String what = "seed " + seed + ", filter " + i + ": " + filter;
        Set<String> expected = expected(chunks.values(), filter);
        IdFilter compiled = index.compile(filter);
        assertEquals(expected, compiled.ids(), what);
        assertEquals(expected.size(), index.count(filter), what);
      }
      index.delete(chunks.keySet());
    }
  }

  @Test
  void everyPairOfValuesComparesAsTheReferenceMeaningSays() {
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < VALUES.size(); i++) {
      chunks.add(new Chunk("c" + i, "e", i, "", Map.of("x", VALUES.get(i))));
    }
    index.upsert(chunks);
    for (Object v : VALUES) {
      List<Filter> filters = new ArrayList<>();
      filters.add(Filter.eq("x", v));
      filters.add(Filter.ne("x", v));
      if (!(v instanceof Boolean)) {
        filters.addAll(
            List.of(Filter.lt("x", v), Filter.lte("x", v), Filter.gt("x", v), Filter.gte("x", v)));
      }
      if (v instanceof String s) {
        filters.add(Filter.contains("x", s));
      }
      for (Filter f : filters) {
        assertEquals(expected(chunks, f), index.compile(f).ids(), f::toString);
      }
    }
  }

  @Test
  void aSetTooLargeToListAnswersByIdAndStaysAsItWas() {
    int n = CompiledFilter.MAX_LISTED + 5_000;
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      chunks.add(
          new Chunk("c" + i, "e", i, "", i % 10 == 0 ? Map.of() : Map.of("n", i, "even", i % 2)));
    }
    index.upsert(chunks);
    index.upsert(chunks.subList(200, 300)); // both documents of each id are in the first segment
    assertEquals(n, index.size());
    index.upsert(chunks.subList(0, 100)); // the old documents stay in the first segment
    index.delete(List.of("c11", "c13"));
    IdFilter large = index.compile(Filter.exists("n"));
    assertNull(large.ids());
    IdFilter small = index.compile(Filter.lt("n", 100));
    assertNotNull(small.ids());
    index.delete(List.of("c1", "c21"));
    index.upsert(List.of(new Chunk("new", "e", 0, "", Map.of("n", 5))));
    index.upsert(List.of(new Chunk("c31", "e", 0, "", Map.of())));
    assertEquals(n - 3, index.size());
    index.close();
    for (int i = 0; i < n; i++) {
      boolean expected = i % 10 != 0 && i != 11 && i != 13;
      assertEquals(expected, large.accepts("c" + i), "c" + i);
      assertEquals(expected && i < 100, small.accepts("c" + i), "c" + i);
    }
    assertFalse(large.accepts("new"));
    assertFalse(large.accepts("unknown"));
    assertFalse(large.accepts(""));
  }

  @Test
  void theTableOfASegmentFindsIdsThatCrossItsPagesAndNoOthers() {
    int n = SegmentIds.PAGE_DOCS + 10;
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      chunks.add(new Chunk("a rather long id " + i, "e", i, ""));
    }
    index.upsert(chunks);
    IdFilter all = index.compile(Filter.exists("entryId"));
    assertNull(all.ids());
    for (int i = 0; i < n; i++) {
      assertTrue(all.accepts("a rather long id " + i));
    }
    for (int i = n; i < n + 1000; i++) {
      assertFalse(all.accepts("a rather long id " + i));
    }
  }

  @Test
  void thousandsOfClausesAndValuesAreNotTooMany() {
    index.upsert(
        IntStream.range(0, 50)
            .mapToObj(i -> new Chunk("c" + i, "e", i, "word", Map.of("n", i)))
            .toList());
    List<Filter> any = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    for (int i = 10; i < 6_000; i++) {
      any.add(Filter.eq("n", i));
      values.add(i);
    }
    Filter or = new Filter.Or(any);
    Filter in = Filter.in("n", values);
    assertEquals(40, index.count(or));
    assertEquals(40, index.count(in));
    assertEquals(10, index.count(Filter.not(or)));
    assertEquals(
        40, index.search(LexicalQuery.builder("word").limit(100).filter(or).build()).size());
  }

  @Test
  void anEmptyIndexMatchesNothing() {
    assertEquals(Set.of(), index.compile(Filter.not(Filter.exists("x"))).ids());
    assertEquals(Set.of(), index.compile(Filter.lt("x", 1)).ids());
    assertEquals(Set.of(), index.compile(Filter.contains("x", "a")).ids());
  }

  @Test
  void theSameFilterIsCompiledOncePerStateOfTheIndex() {
    index.upsert(new Chunk("a", "e", 0, "", Map.of("x", 1)));
    IdFilter first = index.compile(Filter.eq("x", 1));
    assertSame(first, index.compile(Filter.eq("x", 1)));
    index.upsert(new Chunk("b", "e", 0, "", Map.of("x", 1)));
    assertEquals(Set.of("a", "b"), index.compile(Filter.eq("x", 1)).ids());
    assertEquals(Set.of("a"), first.ids());
  }
}
