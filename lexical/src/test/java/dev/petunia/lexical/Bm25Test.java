package dev.petunia.lexical;

import static dev.petunia.lexical.LexicalIndexTest.chunk;
import static dev.petunia.lexical.LexicalIndexTest.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.Filter;
import dev.petunia.core.internal.Utf8Order;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class Bm25Test {
  private final LexicalConfig config =
      LexicalConfig.builder().analysis(TextAnalysis.plain()).k1(1.1).b(0.7).build();
  private final LexicalIndex index = LexicalIndex.inMemory(config);

  @AfterEach
  void close() {
    index.close();
  }

  /** Words of a skewed distribution: w0 is common, w400 rare. */
  static String words(SplittableRandom random, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "w" + (int) (400 * Math.pow(random.nextDouble(), 3)))
        .collect(Collectors.joining(" "));
  }

  /** BM25 by its formula, over all chunks. Texts have at most 39 words: their lengths are exact. */
  private final class Oracle {
    private final List<Chunk> chunks;
    private final List<List<String>> words;
    private final Map<String, Long> df = new HashMap<>();
    private final double average;

    Oracle(List<Chunk> chunks) {
      this.chunks = chunks;
      words = chunks.stream().map(c -> List.of(c.text().split(" "))).toList();
      words.forEach(w -> new HashSet<>(w).forEach(term -> df.merge(term, 1L, Long::sum)));
      average = words.stream().mapToInt(List::size).average().orElse(0);
    }

    List<LexicalHit> search(String query) {
      List<LexicalHit> hits = new ArrayList<>();
      for (int i = 0; i < chunks.size(); i++) {
        double score = 0;
        for (String term : query.split(" ")) {
          score += df.containsKey(term) ? score(words.get(i), term, df.get(term)) : 0;
        }
        if (score > 0) {
          hits.add(new LexicalHit(chunks.get(i).id(), (float) score, 1));
        }
      }
      hits.sort(Comparator.comparingDouble(h -> -h.score()));
      return hits;
    }

    private double score(List<String> words, String term, long df) {
      double idf = Math.log(1 + (chunks.size() - df + 0.5) / (df + 0.5));
      double tf = Collections.frequency(words, term);
      return idf * tf / (tf + config.k1() * (1 - config.b() + config.b() * words.size() / average));
    }
  }

  private static void assertSameRanking(List<LexicalHit> expected, List<LexicalHit> actual) {
    assertEquals(expected.size(), actual.size());
    for (int i = 0; i < actual.size(); i++) {
      assertEquals(i + 1, actual.get(i).rank());
      assertEquals(expected.get(i).score(), actual.get(i).score(), 1e-4f * actual.get(i).score());
      if (i > 0) {
        LexicalHit before = actual.get(i - 1);
        int order = Float.compare(before.score(), actual.get(i).score());
        assertTrue(order >= 0);
        assertTrue(order > 0 || Utf8Order.compare(before.id(), actual.get(i).id()) < 0);
      }
    }
    // ids may change places only where scores are closer than floats tell
    Map<String, Float> scores =
        expected.stream().collect(Collectors.toMap(LexicalHit::id, LexicalHit::score));
    actual.forEach(
        h -> assertEquals(scores.get(h.id()), h.score(), 1e-4f * h.score(), h::toString));
  }

  @Test
  void scoresAreThoseOfTheFormulaInTheOrderOfTheFormula() {
    for (long seed = 1; seed <= 3; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<Chunk> chunks = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        chunks.add(chunk("s" + seed + "c" + i, words(random, 1 + random.nextInt(39))));
      }
      Oracle oracle = new Oracle(chunks);
      try (LexicalIndex fresh = LexicalIndex.inMemory(config)) {
        fresh.upsert(chunks.subList(0, 100));
        assertEquals(100, fresh.size());
        fresh.upsert(chunks.subList(100, 300));
        for (int q = 0; q < 30; q++) {
          String query = words(random, 1 + random.nextInt(8));
          List<LexicalHit> expected = oracle.search(query);
          assertSameRanking(
              expected, fresh.search(LexicalQuery.builder(query).limit(1000).build()));
          int limit = Math.min(7, Math.max(1, expected.size()));
          List<LexicalHit> top = fresh.search(LexicalQuery.builder(query).limit(limit).build());
          List<LexicalHit> all = fresh.search(LexicalQuery.builder(query).limit(1000).build());
          assertEquals(ids(all.subList(0, Math.min(limit, all.size()))), ids(top), query);
        }
      }
    }
  }

  @Test
  void equalScoresGoByTheIdsInTheOrderOfUtf8() {
    List<String> ids = List.of("b", "\uFFFF", "👍", "a", "中", "B", "aa", "é");
    for (String id : ids) {
      index.upsert(chunk(id, "same words here"));
      assertTrue(index.size() > 0); // a segment each
    }
    List<String> sorted = ids.stream().sorted(Utf8Order.COMPARATOR).toList();
    LexicalQuery.Builder query = LexicalQuery.builder("words");
    assertEquals(sorted, ids(index.search(query.build())));
    assertEquals(sorted.subList(0, 3), ids(index.search(query.limit(3).build())));
  }

  @Test
  void filterExcludeLimitAndMinimumScoreCompose() {
    List<Chunk> chunks = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 400; i++) {
      chunks.add(new Chunk("c" + i, "e" + i % 7, i, words(random, 20), Map.of("n", i)));
    }
    index.upsert(chunks);
    String text = "w1 w2 w3 w10 w100";
    List<LexicalHit> all = index.search(LexicalQuery.builder(text).limit(400).build());
    assertTrue(all.size() > 100);
    float minimum = all.get(60).score();
    Filter filter = Filter.and(Filter.lt("n", 300), Filter.ne("entryId", "e3"));
    Set<String> exclude = Set.of(all.get(0).id(), all.get(2).id(), all.get(30).id(), "unknown");
    List<String> expected =
        all.stream()
            .filter(h -> h.score() >= minimum && !exclude.contains(h.id()))
            .filter(h -> filter.matches(chunks.get(Integer.parseInt(h.id().substring(1)))))
            .map(LexicalHit::id)
            .toList();
    assertTrue(expected.size() > 20);
    LexicalQuery.Builder query =
        LexicalQuery.builder(text).filter(filter).exclude(exclude).minScore(minimum);
    List<LexicalHit> hits = index.search(query.limit(400).build());
    assertEquals(expected, ids(hits));
    assertEquals(expected.subList(0, 5), ids(index.search(query.limit(5).build())));
    Map<String, Float> scores =
        all.stream().collect(Collectors.toMap(LexicalHit::id, LexicalHit::score));
    hits.forEach(h -> assertEquals(scores.get(h.id()), h.score(), h.id()));
    assertEquals(
        List.of(), index.search(LexicalQuery.builder(text).filter(Filter.eq("n", -1)).build()));
  }

  @Test
  void aQueryOfTenThousandDifferentWordsUsesThemAll() {
    SplittableRandom random = new SplittableRandom(9);
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      chunks.add(chunk("c" + i, words(random, 30) + " only" + i));
    }
    index.upsert(chunks);
    String many =
        IntStream.range(0, 10_000).mapToObj(i -> "unknown" + i).collect(Collectors.joining(" "));
    List<String> words = new ArrayList<>(List.of(many.split(" ")));
    IntStream.range(0, 50).forEach(i -> words.add(i * 200, "only" + i));
    words.addAll(List.of("w1", "w2", "w2"));
    List<LexicalHit> hits =
        index.search(LexicalQuery.builder(String.join(" ", words)).limit(100).build());
    String known =
        IntStream.range(0, 50).mapToObj(i -> "only" + i).collect(Collectors.joining(" "));
    assertSameRanking(new Oracle(chunks).search(known + " w1 w2 w2"), hits);
  }

  @Test
  void aChunkIsTheBestHitOfItsOwnText() {
    SplittableRandom random = new SplittableRandom(11);
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      chunks.add(chunk("c" + i, words(random, 1_000)));
    }
    index.upsert(chunks);
    for (Chunk c : chunks.subList(0, 5)) {
      assertEquals(c.id(), index.search(LexicalQuery.builder(c.text()).build()).getFirst().id());
    }
  }

  @Test
  void anEmptyIndexAndAnUnknownWordFindNothing() {
    assertEquals(List.of(), index.search(LexicalQuery.builder("word").build()));
    index.upsert(List.of(chunk("a", ""), chunk("b", "word")));
    assertEquals(List.of(), index.search(LexicalQuery.builder("other").build()));
    assertEquals(
        List.of("b"), ids(index.search(LexicalQuery.builder("word").limit(100_000).build())));
  }

  @Test
  void theDefaultsAreTheMeasuredOnes() {
    assertEquals(1.5f, LexicalConfig.defaults().k1());
    assertEquals(0.6f, LexicalConfig.defaults().b());
    assertEquals(config.toString(), config.toBuilder().build().toString());
  }

  @Test
  void badOptionsAreNamed() {
    Map<String, Executable> bad =
        Map.of(
            "k1 is -1.0", () -> LexicalConfig.builder().k1(-1),
            "k1 is NaN", () -> LexicalConfig.builder().k1(Double.NaN),
            "b is 1.5", () -> LexicalConfig.builder().b(1.5),
            "ramBufferMegabytes is 0", () -> LexicalConfig.builder().ramBufferMegabytes(0),
            "limit is 0", () -> LexicalQuery.builder("a").limit(0),
            "limit is 100001", () -> LexicalQuery.builder("a").limit(100_001),
            "minScore is NaN", () -> LexicalQuery.builder("a").minScore(Double.NaN),
            "minScore is -1.0", () -> LexicalQuery.builder("a").minScore(-1),
            "exclude is \"\"", () -> LexicalQuery.builder("a").exclude(List.of("")),
            "text has an unpaired surrogate", () -> LexicalQuery.builder("\uDC00"));
    bad.forEach(
        (message, call) -> {
          String actual = assertThrows(IllegalArgumentException.class, call).getMessage();
          assertTrue(actual.startsWith(message), () -> actual + " should begin " + message);
        });
  }
}
