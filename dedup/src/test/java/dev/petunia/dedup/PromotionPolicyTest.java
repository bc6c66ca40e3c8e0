package dev.petunia.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the default policy leaves out, and what it keeps for what it says. */
class PromotionPolicyTest {
  private static final String LONG =
      IntStream.range(0, 60).mapToObj(i -> "word" + i).collect(Collectors.joining(" "));

  private final Map<String, String> texts = new HashMap<>();

  /** What the default policy makes of the second text, with others around; empty: left out. */
  private String reasonToKeep(String first, String second, int others) {
    texts.put("first", first);
    texts.put("second", second);
    List<Document> documents = new ArrayList<>();
    documents.add(new Document("first", first));
    documents.add(new Document("second", second));
    for (int i = 0; i < others; i++) {
      String text = "number " + i + " stands between these words and is alone " + i * 7;
      documents.add(new Document("other" + i, text));
    }
    try (DedupIndex index = DedupIndex.inMemory(DedupConfig.DEFAULT)) {
      index.ingest(documents);
      assertTrue(index.clusterOf("second").isPresent(), "near-duplicates");
      SuppressionView view = index.view(PromotionPolicy.DEFAULT, texts::get);
      assertEquals(view.isSuppressed("second"), !view.kept().containsKey("second"));
      return view.kept().getOrDefault("second", "");
    }
  }

  @Test
  void aNameThatOnlyOneTextHasIsRareInASmallIndexToo() {
    assertEquals(
        "differs in a rare token: korean", reasonToKeep("korean " + LONG, "albanian " + LONG, 900));
    assertEquals(
        "differs in a rare token: korean", reasonToKeep("korean " + LONG, "albanian " + LONG, 0));
  }

  @Test
  void aWordThatManyTextsHaveTellsNothing() {
    assertEquals("", reasonToKeep("these " + LONG, "words " + LONG, 900));
  }

  @Test
  void textsThatDifferInASignOfComparisonOrCalculationStay() {
    for (List<String> pair :
        List.of(
            List.of("x < limit", "x > limit"),
            List.of("a == b", "a != b"),
            List.of("above -5", "above 5"),
            List.of("a + b", "a = b"),
            List.of("n \u2264 m", "n \u2265 m"))) {
      String reason = reasonToKeep(LONG + " " + pair.getFirst(), LONG + " " + pair.getLast(), 900);
      assertTrue(reason.startsWith("differs in a sign: "), pair + " " + reason);
    }
  }

  @Test
  void layoutAndPunctuationDoNotKeepAText() {
    for (List<String> pair :
        List.of(
            List.of("so it is.", "so it is,"),
            List.of("> quoted\n> more", "quoted\nmore"),
            List.of("- item", "+ item"),
            List.of("well-known", "well known"),
            List.of("title\n=====", "title"),
            List.of("**bold**", "bold"),
            List.of("1998-5", "1998 5"))) {
      assertEquals(
          "", reasonToKeep(LONG + "\n" + pair.getFirst(), LONG + "\n" + pair.getLast(), 900));
    }
  }

  @Test
  void ofEqualTextsNoneIsReadToDecide() {
    List<Document> documents =
        IntStream.range(0, 50).mapToObj(i -> new Document("c" + i, LONG)).toList();
    Set<String> read = new HashSet<>();
    try (DedupIndex index = DedupIndex.inMemory(DedupConfig.DEFAULT)) {
      index.ingest(documents);
      SuppressionView view =
          index.view(
              PromotionPolicy.DEFAULT,
              id -> {
                read.add(id);
                return LONG;
              });
      assertEquals(49, view.canonicalOf().size());
      assertEquals(Set.of(), read);
    }
  }

  @Test
  void aPolicyThatDecidesNothingIsNamed() {
    try (DedupIndex index = DedupIndex.inMemory(DedupConfig.DEFAULT)) {
      index.ingest(List.of(new Document("a", LONG), new Document("b", LONG)));
      assertEquals(
          "the promotion policy decided null about chunk \"b\", allowed: a decision",
          assertThrows(IllegalStateException.class, () -> index.view(c -> null, id -> LONG))
              .getMessage());
    }
  }
}
