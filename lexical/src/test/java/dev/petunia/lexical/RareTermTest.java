package dev.petunia.lexical;

import static dev.petunia.lexical.LexicalIndexTest.chunk;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.Filter;
import dev.petunia.core.internal.Utf8Order;
import dev.petunia.lexical.RareTermCandidates.RareTermHit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RareTermTest {
  private final LexicalIndex index =
      LexicalIndex.inMemory(LexicalConfig.builder().analysis(TextAnalysis.plain()).build());

  @AfterEach
  void close() {
    index.close();
  }

  /** Changes over several segments, so that many documents are replaced or deleted. */
  private List<Chunk> fill(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, Chunk> chunks = new LinkedHashMap<>();
    for (int batch = 0; batch < 5; batch++) {
      List<Chunk> some = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        String id = "c" + (batch * 120 + i);
        some.add(new Chunk(id, "e", i, Bm25Test.words(random, 15), Map.of("n", i)));
      }
      some.forEach(c -> chunks.put(c.id(), c));
      index.upsert(some);
      String gone = "c" + (batch * 120 + 3);
      chunks.remove(gone);
      index.delete(List.of(gone));
      assertEquals(chunks.size(), index.size());
    }
    return List.copyOf(chunks.values());
  }

  private final Map<Chunk, Set<String>> words = new IdentityHashMap<>();

  private long df(List<Chunk> chunks, String term) {
    return chunks.stream().filter(c -> holds(c, term)).count();
  }

  private boolean holds(Chunk chunk, String term) {
    return words
        .computeIfAbsent(chunk, c -> new HashSet<>(List.of(c.text().split(" "))))
        .contains(term);
  }

  private static String query(SplittableRandom random) {
    return Bm25Test.words(random, 10) + " w390 unknown w380 w" + (300 + random.nextInt(100));
  }

  @Test
  void frequenciesAreExactAfterReplacementsAndDeletions() {
    List<Chunk> chunks = fill(1);
    List<String> terms = IntStream.range(0, 400).mapToObj(i -> "w" + i).toList();
    var stats = index.termStats(terms);
    assertEquals(chunks.size(), stats.documents());
    for (String term : terms) {
      assertEquals(df(chunks, term), stats.frequency().get(term), term);
    }
    assertEquals(Map.of("unknown", 0L), index.termStats(List.of("unknown")).frequency());
  }

  @Test
  void rareTermsAreThoseOfTheDefinition() {
    List<Chunk> chunks = fill(2);
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 50; i++) {
      String query = query(random);
      double ratio = List.of(0.001, 0.005, 0.05, 1.0).get(i % 4);
      int most = 1 + random.nextInt(12);
      List<String> expected =
          List.of(query.split(" ")).stream()
              .distinct()
              .filter(t -> df(chunks, t) > 0 && df(chunks, t) <= ratio * chunks.size())
              .sorted(
                  Comparator.<String>comparingLong(t -> df(chunks, t))
                      .thenComparing(Utf8Order.COMPARATOR))
              .limit(most)
              .toList();
      List<RareTerm> rare = index.rareTerms(query, ratio, most);
      assertEquals(expected, rare.stream().map(RareTerm::term).toList(), query);
      for (RareTerm t : rare) {
        long df = df(chunks, t.term());
        assertEquals(df, t.documentFrequency());
        assertEquals(Math.log(1 + (chunks.size() - df + 0.5) / (df + 0.5)), t.idf(), 1e-12);
      }
    }
  }

  @Test
  void candidatesAreThoseOfTheDefinitionInItsOrder() {
    List<Chunk> chunks = fill(3);
    SplittableRandom random = new SplittableRandom(3);
    int seen = 0;
    for (int i = 0; i < 40; i++) {
      String text = query(random);
      RareTermOptions options = new RareTermOptions(0.02, 3);
      Filter filter = Filter.lt("n", 150);
      Set<String> exclude = Set.of("c7", "c200");
      LexicalQuery query =
          LexicalQuery.builder(text).filter(filter).exclude(exclude).limit(5).build();
      RareTermCandidates found = index.rareTermCandidates(query, options);
      List<RareTerm> all = index.rareTerms(text, 0.02, 10_000);
      assertEquals(all.subList(0, Math.min(3, all.size())), found.terms());
      assertEquals(Math.max(0, all.size() - 3), found.termsLeftOut());
      Map<String, Float> bm25 =
          index.search(LexicalQuery.builder(text).limit(100_000).build()).stream()
              .collect(Collectors.toMap(LexicalHit::id, LexicalHit::score));
      List<RareTermHit> expected =
          chunks.stream()
              .filter(c -> filter.matches(c) && !exclude.contains(c.id()))
              .map(c -> new RareTermHit(c.id(), idfSum(c, found.terms()), bm25(bm25, c), 1))
              .filter(h -> h.idfSum() > 0)
              .sorted(
                  Comparator.comparingDouble(RareTermHit::idfSum)
                      .thenComparingDouble(RareTermHit::score)
                      .reversed()
                      .thenComparing(RareTermHit::id, Utf8Order.COMPARATOR))
              .limit(5)
              .toList();
      assertEquals(
          expected.stream().map(RareTermHit::id).toList(),
          found.hits().stream().map(RareTermHit::id).toList(),
          text);
      for (int r = 0; r < expected.size(); r++) {
        RareTermHit hit = found.hits().get(r);
        assertEquals(r + 1, hit.rank());
        assertEquals(expected.get(r).idfSum(), hit.idfSum(), 1e-9);
        assertEquals(expected.get(r).score(), hit.score(), 1e-4);
        seen++;
      }
    }
    assertTrue(seen > 100, "the queries should have had candidates: " + seen);
  }

  private static float bm25(Map<String, Float> scores, Chunk c) {
    return scores.getOrDefault(c.id(), 0f);
  }

  private double idfSum(Chunk chunk, List<RareTerm> terms) {
    double sum = 0;
    for (RareTerm t : terms) {
      sum += holds(chunk, t.term()) ? t.idf() : 0;
    }
    return sum;
  }

  @Test
  void aRareTermBringsAChunkThatCommonTermsWouldHide() {
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      chunks.add(chunk("c" + i, "common words here and there, common words"));
    }
    chunks.set(
        500, chunk("needle", "a long text in which zyzzyva is met once " + "x ".repeat(300)));
    index.upsert(chunks);
    String text = "common words here and there zyzzyva common words";
    RareTermCandidates found =
        index.rareTermCandidates(
            LexicalQuery.builder(text).limit(RareTermCandidates.DEFAULT_LIMIT).build(),
            RareTermOptions.DEFAULT);
    assertEquals(List.of("needle"), found.hits().stream().map(RareTermHit::id).toList());
    assertEquals(List.of("zyzzyva"), found.terms().stream().map(RareTerm::term).toList());
  }

  @Test
  void theShareIsCountedInDecimal() {
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      chunks.add(chunk("c" + i, i < 29 ? "some" : "other"));
    }
    index.upsert(chunks);
    assertEquals(1, index.rareTerms("some", 0.29, 5).size()); // 0.29 * 100 is 28.999999999999996
    assertEquals(0, index.rareTerms("some", 0.28, 5).size());
    assertEquals(2, index.rareTerms("some other", 1, 5).size());
  }

  @Test
  void smallAndEmptyIndexesAndEmptyTextsHaveNone() {
    assertEquals(List.of(), index.rareTerms("word", 1, 10));
    for (int i = 0; i < 199; i++) {
      index.upsert(chunk("c" + i, i == 0 ? "unique" : "other"));
    }
    assertEquals(List.of(), index.rareTerms("unique", 0.005, 10));
    index.upsert(chunk("c199", "other"));
    assertEquals(1, index.rareTerms("unique", 0.005, 10).size());
    assertEquals(List.of(), index.rareTerms("?!", 1, 10));
    var none = index.rareTermCandidates(LexicalQuery.builder("").build(), RareTermOptions.DEFAULT);
    assertEquals(new RareTermCandidates(List.of(), 0, List.of()), none);
    assertThrows(IllegalArgumentException.class, () -> index.rareTerms("a", 0, 10));
    assertThrows(IllegalArgumentException.class, () -> index.rareTerms("a", Double.NaN, 10));
    assertThrows(IllegalArgumentException.class, () -> index.rareTerms("a", 1.1, 10));
    assertThrows(IllegalArgumentException.class, () -> index.rareTerms("a", 0.5, 0));
  }
}
