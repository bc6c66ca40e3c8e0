package dev.petunia.benchmarks.rescore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.dedup.ShingleSet;
import dev.petunia.dedup.Shingler;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SpansTest {
  private final Corpus corpus = GeneratedDocs.of(480, 7);
  private final List<ShingleSet> sets = corpus.shingles();
  private final Twins twins = new Twins(sets);
  private final Spans spans = Spans.draw(corpus, sets, twins, 75, 150);

  private String source(Span s) {
    return corpus.chunks().get(s.source()).text();
  }

  @Test
  void spansWithoutNoiseAreFromTheirSourceAndHaveTheAskedTokens() {
    int seen = 0;
    for (Span s : Stream.concat(spans.dev().stream(), spans.test().stream()).toList()) {
      if (s.noise() == 0) {
        seen++;
        assertEquals(0, s.altered());
        assertTrue(source(s).contains(s.text()), s.text());
        int wanted = s.length() == Span.ALL ? sets.get(s.source()).tokens() : s.length();
        assertEquals(wanted, Shingler.v1().shingles(s.text()).tokens(), s.text());
      }
    }
    assertEquals(75, seen);
  }

  @Test
  void noiseAltersItsShareOfTheTokensRoundedUpOrDown() {
    double wanted = 0;
    int altered = 0;
    for (Span s : Stream.concat(spans.dev().stream(), spans.test().stream()).toList()) {
      int tokens = s.length() == Span.ALL ? sets.get(s.source()).tokens() : s.length();
      double share = tokens * s.noise() / 100.0;
      assertTrue(Math.abs(s.altered() - share) < 1, () -> s + " of " + tokens);
      int after = Shingler.v1().shingles(s.text()).tokens();
      assertTrue(Math.abs(after - tokens) <= s.altered(), () -> s + " has " + after);
      if (s.altered() == 0) {
        assertTrue(source(s).contains(s.text()), s::toString);
      } else if (source(s).contains(s.text())) {
        // the first or the last word was deleted: the rest is as it was, and shorter
        assertTrue(after < tokens, s::toString);
      }
      wanted += share;
      altered += s.altered();
    }
    // the roundings have a variance of at most 1/4 each, 150 of them: 5 deviations are 31
    assertEquals(wanted, altered, 31);
    assertTrue(altered > 100, "altered: " + altered);
  }

  @Test
  void everyLengthAndNoiseHasAsManySpans() {
    Map<List<Integer>, Integer> cells = new HashMap<>();
    spans.test().forEach(s -> cells.merge(List.of(s.length(), s.noise()), 1, Integer::sum));
    assertEquals(15, cells.size());
    assertEquals(Set.of(10), new HashSet<>(cells.values()));
  }

  @Test
  void devAndTestShareNoChunkAndNoNearDuplicate() {
    Set<Integer> dev = new HashSet<>();
    spans.dev().forEach(s -> assertTrue(dev.add(s.source()), "a chunk gives two spans"));
    Set<Integer> test = new HashSet<>();
    spans.test().forEach(s -> assertTrue(test.add(s.source()), "a chunk gives two spans"));
    int pairs = 0;
    for (int i = 0; i < sets.size(); i++) {
      pairs += twins.of(i).size();
    }
    assertTrue(pairs > 20, "the corpus has no near-duplicates, so nothing is tested");
    for (int d : dev) {
      assertFalse(test.contains(d));
      for (int t : test) {
        assertFalse(sets.get(d).overlap(sets.get(t)).isAtLeast(9, 10), d + " and " + t);
      }
    }
  }

  @Test
  void theSameSeedDrawsTheSameSpans() {
    assertEquals(spans, Spans.draw(corpus, sets, twins, 75, 150));
  }

  @Test
  void aCorpusOfTooFewLongChunksIsRefused() {
    Corpus small = GeneratedDocs.of(40, 7);
    List<ShingleSet> few = small.shingles();
    Twins pairs = new Twins(few);
    assertThrows(IllegalArgumentException.class, () -> Spans.draw(small, few, pairs, 75, 150));
  }
}
