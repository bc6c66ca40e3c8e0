package dev.petunia.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Embedding;
import dev.petunia.core.TextForm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** all-MiniLM-L6-v2 itself. */
class OnnxEmbedderTest {
  private static OnnxEmbedder embedder;

  @BeforeAll
  static void open() {
    embedder = OnnxEmbedder.builder(AllMiniLm.model()).threads(2).open();
  }

  @AfterAll
  static void close() {
    embedder.close();
  }

  private static Embedding one(String text) {
    return embedder.embed(text, TextForm.DOCUMENT);
  }

  private static double cosine(String a, String b) {
    return dot(one(a).vector(), one(b).vector());
  }

  private static double dot(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }

  /** Texts of very different lengths, so that a mix-up or padding would show. */
  private static List<String> texts(long seed, int count) {
    Random random = new Random(seed);
    String[] words = {
      "map", "thread", "lock", "list", "returns", "null", "the", "file", "été", "文"
    };
    List<String> out = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder();
      for (int w = random.nextInt(60); w >= 0; w--) {
        text.append(words[random.nextInt(words.length)]).append(' ');
      }
      out.add(text.toString());
    }
    return out;
  }

  @Test
  void describesItself() {
    assertEquals(384, embedder.dimension());
    assertEquals(256, embedder.maxTokens());
    assertEquals("all-MiniLM-L6-v2-int8/mean/256", embedder.modelId());
  }

  @Test
  void aTextHasTheSameBitsAloneAndInAnyList() {
    long seed = 7;
    List<String> texts = texts(seed, 24);
    List<Embedding> together = embedder.embed(texts, TextForm.DOCUMENT);
    List<String> shuffled = new ArrayList<>(texts);
    Collections.shuffle(shuffled, new Random(seed));
    List<Embedding> inAnotherOrder = embedder.embed(shuffled, TextForm.DOCUMENT);
    for (int i = 0; i < texts.size(); i++) {
      String text = texts.get(i);
      float[] alone = one(text).vector();
      assertArrayEquals(alone, together.get(i).vector(), "seed " + seed + ": " + text);
      int there = shuffled.indexOf(text);
      assertArrayEquals(alone, inAnotherOrder.get(there).vector(), "seed " + seed + ": " + text);
    }
  }

  @Test
  void aTextHasTheSameBitsWithAnyNumberOfThreads() {
    List<String> texts = texts(8, 12);
    List<Embedding> expected = embedder.embed(texts, TextForm.DOCUMENT);
    for (int[] threads : new int[][] {{1, 1}, {4, 1}, {1, 2}, {1, 3}, {2, 2}}) {
      try (OnnxEmbedder other =
          OnnxEmbedder.builder(AllMiniLm.model())
              .threads(threads[0])
              .intraOpThreads(threads[1])
              .open()) {
        List<Embedding> got = other.embed(texts, TextForm.DOCUMENT);
        for (int i = 0; i < texts.size(); i++) {
          assertArrayEquals(
              expected.get(i).vector(),
              got.get(i).vector(),
              Arrays.toString(threads) + " seed 8: " + texts.get(i));
        }
      }
    }
  }

  @Test
  void manyCallersGetWhatOneCallerGets() throws Exception {
    List<String> texts = texts(9, 10);
    List<Embedding> expected = embedder.embed(texts, TextForm.QUERY);
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<List<Embedding>>> calls =
          Collections.nCopies(8, () -> embedder.embed(texts, TextForm.QUERY));
      for (Future<List<Embedding>> call : callers.invokeAll(calls)) {
        for (int i = 0; i < texts.size(); i++) {
          assertArrayEquals(expected.get(i).vector(), call.get().get(i).vector(), texts.get(i));
        }
      }
    }
  }

  @Test
  void vectorsHaveUnitLength() {
    for (Embedding e : embedder.embed(texts(10, 8), TextForm.DOCUMENT)) {
      assertEquals(384, e.vector().length);
      assertEquals(1, dot(e.vector(), e.vector()), 1e-6);
    }
  }

  @Test
  void likeTextsAreNearAndUnlikeOnesFar() {
    String map = "A hash table maps keys to values.";
    String dictionary = "A dictionary associates each key with a value.";
    String soup = "Let the onions soften in butter before you add the stock.";
    assertTrue(cosine(map, dictionary) > 0.5, "near: " + cosine(map, dictionary));
    assertTrue(cosine(map, soup) < 0.2, "far: " + cosine(map, soup));
  }

  @Test
  void queryAndDocumentFormDifferByTheirPrefixesOnly() {
    assertArrayEquals(
        embedder.embed("a text", TextForm.QUERY).vector(),
        embedder.embed("a text", TextForm.DOCUMENT).vector());
    EmbedderModel prefixed =
        AllMiniLm.model().toBuilder().queryPrefix("query: ").documentPrefix("passage: ").build();
    try (OnnxEmbedder other = OnnxEmbedder.builder(prefixed).threads(1).open()) {
      float[] query = other.embed("a text", TextForm.QUERY).vector();
      float[] document = other.embed("a text", TextForm.DOCUMENT).vector();
      assertArrayEquals(one("query: a text").vector(), query);
      assertArrayEquals(one("passage: a text").vector(), document);
      assertFalse(Arrays.equals(query, document));
      assertNotEquals(embedder.modelId(), other.modelId());
    }
  }

  @Test
  void emptyListsAndEmptyTextsAreAllowed() {
    assertEquals(List.of(), embedder.embed(List.of(), TextForm.DOCUMENT));
    for (String blank : List.of("", "   ", "\n\t", "\u200b", "\0")) {
      Embedding e = one(blank);
      assertEquals(2, e.tokens()); // the model's [CLS] and [SEP]
      assertEquals(1, dot(e.vector(), e.vector()), 1e-6);
      assertFalse(e.truncated());
    }
  }

  @Test
  void allScriptsAreRead() {
    List<String> texts =
        List.of("散列表把键映射到值", "جدول التجزئة", "хеш-таблица", "हैश तालिका", "한국어", "🌸🐋");
    List<Embedding> all = embedder.embed(texts, TextForm.DOCUMENT);
    for (int i = 0; i < texts.size(); i++) {
      assertTrue(all.get(i).tokens() > 2, texts.get(i));
      assertEquals(1, dot(all.get(i).vector(), all.get(i).vector()), 1e-6, texts.get(i));
      for (int j = 0; j < i; j++) {
        assertFalse(
            Arrays.equals(all.get(i).vector(), all.get(j).vector()),
            texts.get(i) + " and " + texts.get(j));
      }
    }
  }

  /** What this model's tokenizer can't tell apart. */
  @Test
  void accentsCaseAndEmojiMakeNoDifference() {
    assertArrayEquals(one("été").vector(), one("e\u0301te\u0301").vector());
    assertArrayEquals(one("été").vector(), one("ETE").vector());
    assertArrayEquals(one("🌸🐋").vector(), one("𝒽𝒶𝓈𝒽").vector()); // one unknown word each
  }

  @Test
  void aTextIsCutOnlyWhenItIsTooLong() {
    Embedding fits = one("map ".repeat(254));
    assertEquals(256, fits.tokens());
    assertFalse(fits.truncated());
    Embedding cut = one("map ".repeat(255));
    assertEquals(256, cut.tokens());
    assertTrue(cut.truncated());
    assertArrayEquals(fits.vector(), cut.vector());
  }

  @Test
  void aHugeTextIsReadToItsLimitAndSaysSo() {
    String text = "map returns null ".repeat(100_000); // 1.7 MB
    Embedding huge = one(text);
    assertTrue(huge.truncated());
    assertEquals(256, huge.tokens());
    assertArrayEquals(one(text.substring(0, 17 * 200)).vector(), huge.vector());
    for (String hard : List.of("文".repeat(500_000), "x".repeat(1_500_000), "🌸".repeat(600_000))) {
      assertTrue(one(hard).truncated(), hard.substring(0, 2));
    }
    // The tokenizer would need some 100 bytes for each character that it is given.
    assertTrue(one("y ".repeat(50_000_000)).truncated());
  }

  @Test
  void whiteSpaceDoesNotHideWhatFollows() {
    Embedding spaced = one(" ".repeat(100_000) + "a needle");
    assertArrayEquals(one("a needle").vector(), spaced.vector());
    assertFalse(spaced.truncated());
    Embedding beyond = one("a needle" + " ".repeat(2_000_000) + "a thread");
    assertArrayEquals(one("a needle").vector(), beyond.vector());
    assertTrue(beyond.truncated());
  }

  @Test
  void textThatLooksLikeASpecialTokenStaysText() {
    // [CLS] a [ sep ] b [SEP]
    assertEquals(7, one("a [SEP] b").tokens());
    assertEquals(5, one("[PAD]").tokens());
  }

  @Test
  void wrongTextsAreNamedAndNothingIsRun() {
    assertBad("texts[1] is null", () -> embedder.embed(Arrays.asList("a", null), TextForm.QUERY));
    assertBad(
        "texts[2] has an unpaired surrogate U+D83C at index 1",
        () -> embedder.embed(List.of("a", "b", "c\ud83c"), TextForm.QUERY));
    assertBad("form is null", () -> embedder.embed(List.of("a"), nothing()));
    assertBad(
        "texts is null",
        () -> embedder.embed(OnnxEmbedderTest.<List<String>>nothing(), TextForm.QUERY));
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }

  private static void assertBad(String message, Runnable call) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call::run);
    assertTrue(e.getMessage().startsWith(message), e.getMessage());
  }

  /**
   * Values computed once with this class. Another kind of processor rounds differently, and int8
   * magnifies that, so they are not compared bit by bit.
   */
  @Test
  void vectorsAreTheRecordedOnes() {
    List<String> texts =
        List.of(
            "Returns the value to which the specified key is mapped.",
            "How do I read a file line by line?",
            "散列表把键映射到值",
            "");
    float[][] firstComponents = {
      {0.10170875f, 0.066659905f, -0.075775765f, -0.010830025f, -0.035561644f, 0.008101459f},
      {0.010251205f, 0.060397867f, -0.112406075f, 0.002466277f, -0.07673458f, 0.009917177f},
      {0.05331017f, 0.061441418f, 0.023999369f, 0.026126916f, -0.0071630552f, 0.007136011f},
      {-0.093689896f, 0.03765443f, 0.005246472f, 0.00088022003f, 0.04294197f, 0.005592463f},
    };
    double[][] cosines = {{}, {0.0490}, {0.0632, 0.0303}, {-0.0619, -0.0017, 0.2461}};
    for (int i = 0; i < texts.size(); i++) {
      float[] start = Arrays.copyOf(one(texts.get(i)).vector(), 6);
      assertArrayEquals(firstComponents[i], start, 0.015f, texts.get(i));
      for (int j = 0; j < i; j++) {
        assertEquals(cosines[i][j], cosine(texts.get(i), texts.get(j)), 0.02, i + " and " + j);
      }
    }
  }
}
