package dev.petunia.lexical;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TextAnalysisTest {
  private final LexicalIndex index = LexicalIndex.inMemory(LexicalConfig.defaults());

  @AfterEach
  void close() {
    index.close();
  }

  private void assertFinds(String text, String... queries) {
    index.upsert(List.of(new Chunk("x", "e", 0, text), new Chunk("y", "e", 1, "unrelated")));
    for (String query : queries) {
      List<LexicalHit> hits = index.search(LexicalQuery.builder(query).build());
      assertEquals(List.of("x"), LexicalIndexTest.ids(hits), query + " in " + text);
    }
  }

  private void assertDoesNotFind(String text, String... queries) {
    index.upsert(List.of(new Chunk("x", "e", 0, text)));
    for (String query : queries) {
      List<LexicalHit> hits = index.search(LexicalQuery.builder(query).build());
      assertEquals(List.of(), hits, query + " in " + text);
    }
  }

  private static List<String> terms(String text) {
    return List.copyOf(TextAnalysis.english().queryTerms(text).keySet());
  }

  @Test
  void wordsMeetTheirInflectedForms() {
    assertFinds("The foxes were running over houses", "fox", "run", "FOXES", "house", "running");
    assertFinds("the reader's guide", "reader", "readers", "reader’s", "guides");
    assertDoesNotFind("house", "horse");
  }

  @Test
  void aNameOfCodeIsFoundWholeByItsPartsAndByItsWords() {
    assertFinds(
        "Calls Files.readAllLines on a ConcurrentHashMap, up to Integer.MAX_VALUE times.",
        "Files.readAllLines",
        "readAllLines",
        "files.readalllines",
        "read all lines",
        "ConcurrentHashMap",
        "concurrenthashmap",
        "hash map",
        "HashMap",
        "MAX_VALUE",
        "max value");
  }

  @Test
  void theWholeNameRanksAboveItsScatteredWords() {
    index.upsert(
        List.of(
            new Chunk("words", "e", 0, "a concurrent reader of a map with a hash for a key"),
            new Chunk("name", "e", 1, "a reader of a ConcurrentHashMap with no other key in it")));
    List<LexicalHit> hits = index.search(LexicalQuery.builder("ConcurrentHashMap").build());
    assertEquals(List.of("name", "words"), LexicalIndexTest.ids(hits));
  }

  @Test
  void chineseIsFoundByWordByPartAndByOneCharacter() {
    assertFinds("今天我们在北京学习自然语言处理。", "北京", "自然语言", "语言处理", "水 京", "习");
    assertDoesNotFind("今天我们在北京", "东");
  }

  @Test
  void japaneseAndKoreanAreFound() {
    assertFinds("東京都でラーメンを食べました", "東京", "ラーメン", "ﾗｰﾒﾝ", "食べ");
    assertFinds("서울에서 만나요", "서울", "서울에서");
  }

  @Test
  void arabicIsFoundWithoutArticleVowelsAndInOtherSpellings() {
    assertFinds("الكِتَابُ عَلَى الطَّاوِلَةِ", "كتاب", "الكتاب", "طاولة", "طاوله");
    assertFinds("أحمد وإبراهيم ٢٠٢٦", "احمد", "2026");
  }

  @Test
  void thaiIsFoundInsideItsSentence() {
    assertFinds("ฉันรักภาษาไทยมาก", "ภาษา", "ไทย", "ภาษาไทย");
    assertDoesNotFind("ฉันรักภาษาไทย", "แมว");
  }

  @Test
  void russianAndGreekAreFoundInAnyCase() {
    assertFinds("Быстрая лиса прыгает", "быстрая", "ЛИСА");
    assertFinds("Η γρήγορη αλεπού", "γρήγορη", "ΑΛΕΠΟΎ");
  }

  @Test
  void emojiAreWords() {
    assertFinds("launch day 🚀 with the team 👩‍🚀", "🚀", "👩‍🚀");
    assertDoesNotFind("launch 🚀", "👍");
  }

  @Test
  void composedDecomposedAndFoldedAccentsAreTheSame() {
    assertFinds("Café Zürich naïve", "café", "cafe\u0301", "CAFE", "zurich", "naive");
    assertFinds(Normalizer.normalize("Ångström", Normalizer.Form.NFD), "ångström", "angstrom");
  }

  @Test
  void invisibleAndCompatibilityCharactersDoNotMatter() {
    assertFinds("con\u00ADcur\u00ADrent ﬁle ＦＵＬＬ x²", "concurrent", "file", "full", "x2");
    assertFinds("\uFEFFbegin", "begin");
    assertFinds("concurrent", "con\u00ADcurrent");
  }

  @Test
  void functionWordsAreLeftOutUnlessThereIsNothingElse() {
    assertEquals(List.of("capit", "franc"), terms("What is the capital of France?"));
    assertEquals(List.of("to", "be", "or", "not"), terms("To be, or not to be"));
    assertEquals(List.of("WHO".toLowerCase(java.util.Locale.ROOT), "advic"), terms("WHO advice"));
    assertEquals(List.of("advic"), terms("Who’s advice"));
    assertFinds("to be or not to be", "to be or not to be", "what be it");
  }

  @Test
  void textWithoutWordsHasNoTerms() {
    for (String text :
        List.of("", " ", "?!…", "+ - && || ! ( ) { } [ ] ^ \" ~ * ? : \\ /", "\n\t")) {
      assertEquals(List.of(), terms(text), text);
      assertEquals(List.of(), index.search(LexicalQuery.builder(text).build()), text);
    }
  }

  @Test
  void querySyntaxIsWords() {
    assertFinds(
        "field value AND other",
        "field:value",
        "+field -value",
        "val?? AND field",
        "\"other field\"",
        "(field",
        "field~2",
        "/field/",
        "field^99",
        "[value TO other]",
        "value\\");
  }

  @Test
  void everyPartOfATokenLongerThanTheLimitIsIndexed() {
    String longToken = "x".repeat(TextAnalysis.MAX_TOKEN_LENGTH * 2 + 3);
    Map<String, Integer> terms = TextAnalysis.plain().queryTerms(longToken);
    assertEquals(Map.of("x".repeat(TextAnalysis.MAX_TOKEN_LENGTH), 2, "xxx", 1), terms);
    assertFinds(longToken, longToken);
  }

  @Test
  void theNamesOfTheParametersAreThoseThatFilesHold() {
    assertEquals("english-1", TextAnalysis.english().name());
    assertEquals("plain-1", TextAnalysis.plain().name());
    assertTrue(TextAnalysis.builtIn("english-1").isPresent());
    assertTrue(TextAnalysis.builtIn("english-0").isEmpty());
  }

  /** Terms of built-in analyses are a file format: another result needs another name. */
  @Test
  void theTermsOfEachNameStayTheSame() {
    String text =
        "The reader's HashMaps (Files.readAllLines) ran; Café ＡＢＣ 東京都 สวัสดี الكتاب ٤٢ 👍 don’t";
    List<String> english = new ArrayList<>();
    List<String> plain = new ArrayList<>();
    TextAnalysis.english().indexTerms(text).forEach((t, n) -> english.add(t));
    TextAnalysis.plain().indexTerms(text).forEach((t, n) -> plain.add(t));
    assertEquals(ENGLISH_1, String.join(" ", english));
    assertEquals(PLAIN_1, String.join(" ", plain));
  }

  private static final String ENGLISH_1 =
      "the reader hashmap hash map files.readalllin file readalllin read all line ran cafe abc"
          + " 東 東京 京 京都 都 สวั วัส สดี كتاب 42 👍 don't";
  private static final String PLAIN_1 =
      "the reader's hashmaps hash maps files.readalllines files readalllines read all lines ran cafe"
          + " abc 東 東京 京 京都 都 สวั วัส สดี كتاب 42 👍 don't";
}
