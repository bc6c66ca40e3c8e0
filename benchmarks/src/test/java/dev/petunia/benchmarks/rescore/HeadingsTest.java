package dev.petunia.benchmarks.rescore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.petunia.benchmarks.floor.IrSet.Judged;
import dev.petunia.core.Chunk;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HeadingsTest {
  private static Headings of(String... texts) {
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < texts.length; i++) {
      chunks.add(new Chunk("a#" + i, "a", i, texts[i]));
    }
    return Headings.of(new Corpus("a", chunks));
  }

  private static List<Judged> all(Headings h) {
    List<Judged> out = new ArrayList<>(h.dev());
    out.addAll(h.test());
    return out;
  }

  @Test
  void relevantAreTheChunksWithTextDirectlyUnderTheHeading() {
    Headings h = of("# Make a garden\n\nDig.", "Water it.\n\n## Grow old roses", "Cut them.");
    assertEquals(
        List.of("Make a garden", "Grow old roses"), all(h).stream().map(Judged::text).toList());
    assertEquals(Set.of("a#0", "a#1"), all(h).get(0).gains().keySet());
    // the chunk with the heading's line has nothing of its text
    assertEquals(Set.of("a#2"), all(h).get(1).gains().keySet());
  }

  @Test
  void noQuestionIsAHeadingOfCodeOfOneWordUsedTwiceOrWithoutText() {
    assertEquals(
        List.of("The only `one`".replace("`", "")),
        all(
                of(
                    "```\n# not a heading\nx\n```",
                    "# Roses\n\nx\n# Twice used\nx\n# twice USED\nx\n# Nothing under\n## The only `one`"
                        + " ##\nx"))
            .stream()
            .map(Judged::text)
            .toList());
  }

  @Test
  void theCutCorpusHasEveryLineButThoseOfTheQuestions() {
    Headings h = of("# Make a garden", "Dig.\n# Roses\n\nCut them.");
    assertEquals(1, h.cut().chunks().size());
    assertEquals("a#1", h.cut().chunks().getFirst().id());
    assertEquals("Dig.\n# Roses\n\nCut them.\n", h.cut().chunks().getFirst().text());
  }

  @Test
  void headingsOfADocumentAreAllInOneSplit() {
    Corpus corpus = GeneratedDocs.of(160, 3);
    Headings h = Headings.of(corpus);
    Set<String> dev = documents(h.dev());
    Set<String> test = documents(h.test());
    assertEquals(6, dev.size());
    assertEquals(14, test.size());
    dev.forEach(d -> assertFalse(test.contains(d)));
  }

  private static Set<String> documents(List<Judged> questions) {
    Set<String> out = new java.util.HashSet<>();
    questions.forEach(
        q -> q.gains().keySet().forEach(id -> out.add(id.substring(0, id.indexOf('#')))));
    return out;
  }
}
