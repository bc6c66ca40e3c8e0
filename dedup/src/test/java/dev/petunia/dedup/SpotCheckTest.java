package dev.petunia.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.testing.Generators;
import dev.petunia.core.testing.Property;
import dev.petunia.dedup.SpotCheck.Answer;
import dev.petunia.dedup.SpotCheck.Says;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SpotCheckTest {
  private final DedupIndex index = DedupIndex.inMemory(DedupConfig.DEFAULT);
  private final Map<String, String> texts = new HashMap<>();

  /**
   * 60 pairs that differ in a word, with commas, quotes and lines in their texts; 20 equal ones.
   */
  @BeforeEach
  void fill() {
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      List<String> words = Texts.words(new SplittableRandom(i), 150, 9_000);
      String text = "He said: \"héllo, 你好\",\n" + String.join(" ", words);
      documents.add(new Document("a" + i, text));
      documents.add(new Document("b" + i, text + " end"));
      if (i < 20) {
        documents.add(new Document("c" + i, text));
      }
    }
    documents.forEach(d -> texts.put(d.id(), d.text()));
    index.ingest(documents);
  }

  @AfterEach
  void close() {
    index.close();
  }

  private static String filled(String sheet, int rows, String verdict) {
    List<List<String>> all = Csv.parse(sheet);
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < all.size(); i++) {
      List<String> row = new ArrayList<>(all.get(i));
      if (i > 0 && i <= rows) {
        row.set(9, verdict);
      }
      Csv.row(out, row);
    }
    return out.toString();
  }

  @Test
  void sampleDependsOnEdgesSizeAndSeedOnly() {
    SpotCheck one = SpotCheck.sample(index.edges(), 25, 7, false);
    SpotCheck two = SpotCheck.sample(index.edges(), 25, 7, false);
    assertEquals(one.edges(), two.edges());
    assertEquals(one.fingerprint(), two.fingerprint());
    assertEquals(25, one.edges().stream().distinct().count());
    assertEquals(60, one.population());
    assertFalse(one.edges().equals(SpotCheck.sample(index.edges(), 25, 8, false).edges()));
    assertEquals(80, SpotCheck.sample(index.edges(), 200, 7, true).edges().size());
  }

  @Test
  void nothingJudgedIsAwaitingAReaderAndNeverAPrecision() {
    SpotCheck check = SpotCheck.sample(index.edges(), 25, 7, false);
    String sheet = check.sheet(index, texts::get);
    assertEquals(List.of(), check.answers(sheet));
    assertTrue(check.summary(List.of()).endsWith("awaiting a reader"));
    assertFalse(check.summary(List.of()).contains("precision"));
    List<Answer> unsure = check.answers(filled(sheet, 25, "unsure"));
    assertTrue(check.summary(unsure).endsWith("awaiting a reader"), check.summary(unsure));
  }

  @Test
  void verdictsComeBackFromTheSheetAndGoIntoTheIndex() {
    SpotCheck check = SpotCheck.sample(index.edges(), 20, 3, false);
    String sheet = check.sheet(index, texts::get);
    assertTrue(sheet.contains("He said: \"\"héllo, 你好\"\","), sheet.substring(0, 400));
    assertTrue(Csv.parse(sheet).get(1).get(7).startsWith("He said: \"héllo, 你好\",\n"));
    List<Answer> answers = check.answers("\uFEFF" + filled(sheet, 10, " Template "));
    assertEquals(10, answers.size());
    assertEquals(check.edges().subList(0, 10), answers.stream().map(Answer::edge).toList());
    assertEquals(Says.TEMPLATE, answers.getFirst().says());
    String summary = check.summary(answers);
    assertTrue(summary.contains("10 judged, 0 same, 10 template"), summary);
    assertTrue(summary.endsWith("precision 0.000 [0.000, 0.278]; 10 awaiting a reader"), summary);
    SpotCheck.judge(index, answers);
    SuppressionView view = index.view(PromotionPolicy.DEFAULT, texts::get);
    assertEquals(10, view.kept().values().stream().filter("judged different"::equals).count());
  }

  @Test
  void wrongSheetsAreRefusedByRowAndField() {
    SpotCheck check = SpotCheck.sample(index.edges(), 5, 3, false);
    String sheet = check.sheet(index, texts::get);
    SpotCheck other = SpotCheck.sample(index.edges(), 5, 4, false);
    refused(other, sheet, "as this sample's sheet has");
    refused(check, "a,b\r\n", "first row");
    refused(check, "", "first row");
    refused(check, filled(sheet, 2, "yes"), "same, template, different, unsure, or nothing");
    List<List<String>> rows = Csv.parse(sheet);
    StringBuilder twice = new StringBuilder(sheet);
    Csv.row(twice, rows.get(1));
    refused(check, twice.toString(), "each pair once");
    StringBuilder ghost = new StringBuilder(sheet);
    List<String> row = new ArrayList<>(rows.get(1));
    row.set(2, "ghost");
    Csv.row(ghost, row);
    refused(check, ghost.toString(), "a pair of the sample");
    refused(check, sheet + "x,y\r\n", "11 fields");
    refused(check, sheet + "\"open", "quotes are closed");
    assertThrows(IllegalArgumentException.class, () -> SpotCheck.sample(index.edges(), 0, 1, true));
  }

  private static void refused(SpotCheck check, String sheet, String expected) {
    var e = assertThrows(IllegalArgumentException.class, () -> check.answers(sheet));
    assertTrue(e.getMessage().contains(expected), e.getMessage());
  }

  @Test
  void intervalIsThatOfTheLiterature() {
    // Newcombe 1998, table I: 81 of 263 and 0 of 20
    assertEquals(0.2553, SpotCheck.wilson(81, 263)[0], 5e-5);
    assertEquals(0.3662, SpotCheck.wilson(81, 263)[1], 5e-5);
    assertEquals(0.0, SpotCheck.wilson(0, 20)[0], 1e-12);
    assertEquals(0.1611, SpotCheck.wilson(0, 20)[1], 5e-5);
  }

  @Test
  void anyFieldsComeBackFromCsvAsTheyWere() {
    Property.check(
        "parse is the inverse of row",
        200,
        Generators.listOf(Generators.text(30), 2, 6),
        fields -> {
          StringBuilder out = new StringBuilder();
          Csv.row(out, fields);
          Csv.row(out, fields.reversed());
          assertEquals(List.of(fields, fields.reversed()), Csv.parse(out.toString()));
        });
  }
}
