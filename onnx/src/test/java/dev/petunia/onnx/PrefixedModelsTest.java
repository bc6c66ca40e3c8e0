package dev.petunia.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Embedding;
import dev.petunia.core.TextForm;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** bge-small-en-v1.5 and e5-small-v2 themselves: prefixes, and pooling by the first token. */
class PrefixedModelsTest {
  private static final String MAP = "A hash table maps keys to values.";
  private static final String DICTIONARY = "A dictionary associates each key with a value.";
  private static final String SOUP = "Let the onions soften in butter before you add the stock.";
  private static final String QUESTION = "Which data structure finds a value by its key?";

  /** e5-small-v2 (intfloat, MIT), of which the project has no class: as a user describes it. */
  static EmbedderModel e5() {
    String hint = "the tests' class path has it";
    return EmbedderModel.builder()
        .name("e5-small-v2-int8")
        .onnx(ModelSource.resource("e5-small-v2-q.onnx", hint))
        .tokenizer(ModelSource.resource("e5-small-v2-q-tokenizer.json", hint))
        .pooling(Pooling.MEAN)
        .queryPrefix("query: ")
        .documentPrefix("passage: ")
        .maxTokens(512)
        .dimension(384)
        .build();
  }

  @Test
  void bgeTellsRelatedTextsFromUnrelatedOnes() {
    try (OnnxEmbedder bge = BgeSmallEn.open()) {
      assertEquals(384, bge.dimension());
      assertEquals(512, bge.maxTokens());
      assertTrue(bge.modelId().startsWith("bge-small-en-v1.5-int8/cls/512/"), bge.modelId());
      // BGE's cosines are all high; 0.1 is a wide gap for it.
      assertOrder(bge, 0.1);
    }
  }

  @Test
  void e5TellsRelatedTextsFromUnrelatedOnes() {
    try (OnnxEmbedder e5 = OnnxEmbedder.builder(e5()).open()) {
      assertOrder(e5, 0.03); // its cosines are between 0.7 and 1, as its authors say
    }
  }

  private static void assertOrder(OnnxEmbedder embedder, double gap) {
    float[] map = vector(embedder, MAP, TextForm.DOCUMENT);
    float[] dictionary = vector(embedder, DICTIONARY, TextForm.DOCUMENT);
    float[] soup = vector(embedder, SOUP, TextForm.DOCUMENT);
    float[] question = vector(embedder, QUESTION, TextForm.QUERY);
    for (float[] v : List.of(map, dictionary, soup, question)) {
      assertEquals(1, dot(v, v), 1e-6);
    }
    assertOver(dot(map, dictionary), dot(map, soup) + gap);
    assertOver(dot(map, dictionary), dot(dictionary, soup) + gap);
    assertOver(dot(question, map), dot(question, soup) + gap);
    assertOver(dot(question, dictionary), dot(question, soup) + gap);
  }

  @Test
  void queryFormDiffersFromDocumentFormByThePrefixOnly() {
    for (EmbedderModel model : List.of(BgeSmallEn.model(), e5())) {
      EmbedderModel bare = model.toBuilder().queryPrefix("").documentPrefix("").build();
      try (OnnxEmbedder prefixed = OnnxEmbedder.builder(model).threads(1).open();
          OnnxEmbedder plain = OnnxEmbedder.builder(bare).threads(1).open()) {
        float[] query = vector(prefixed, QUESTION, TextForm.QUERY);
        float[] document = vector(prefixed, QUESTION, TextForm.DOCUMENT);
        assertFalse(Arrays.equals(query, document), model.name());
        for (TextForm form : TextForm.values()) {
          assertArrayEquals(
              vector(plain, model.prefix(form) + QUESTION, form),
              vector(prefixed, QUESTION, form),
              model.name());
        }
      }
    }
  }

  @Test
  void theSameTextHasTheSameBitsTwiceAndInAnyList() {
    List<String> texts = List.of(MAP, "a", SOUP + " " + SOUP, DICTIONARY, "");
    try (OnnxEmbedder bge = OnnxEmbedder.builder(BgeSmallEn.model()).threads(2).open()) {
      List<Embedding> together = bge.embed(texts, TextForm.DOCUMENT);
      for (int i = 0; i < texts.size(); i++) {
        float[] alone = vector(bge, texts.get(i), TextForm.DOCUMENT);
        assertArrayEquals(alone, together.get(i).vector(), texts.get(i));
        assertArrayEquals(alone, vector(bge, texts.get(i), TextForm.DOCUMENT), texts.get(i));
      }
    }
  }

  @Test
  void bgeReads512TokensAndSaysWhenThereWereMore() {
    try (OnnxEmbedder bge = OnnxEmbedder.builder(BgeSmallEn.model()).threads(1).open()) {
      Embedding fits = bge.embed("map ".repeat(510), TextForm.DOCUMENT);
      assertEquals(512, fits.tokens());
      assertFalse(fits.truncated());
      Embedding cut = bge.embed("map ".repeat(511), TextForm.DOCUMENT);
      assertTrue(cut.truncated());
      assertArrayEquals(fits.vector(), cut.vector());
    }
  }

  private static float[] vector(OnnxEmbedder embedder, String text, TextForm form) {
    return embedder.embed(text, form).vector();
  }

  private static void assertOver(double greater, double least) {
    assertTrue(greater > least, greater + " > " + least);
  }

  private static double dot(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }

  @Test
  void onlyAModelWithPrefixesDistinguishesTheFormsOfAText() {
    try (OnnxEmbedder plain = AllMiniLm.open();
        OnnxEmbedder prefixed = BgeSmallEn.open()) {
      assertFalse(plain.distinguishesForms());
      assertArrayEquals(
          plain.embed("a wall of stone", TextForm.QUERY).vector(),
          plain.embed("a wall of stone", TextForm.DOCUMENT).vector());
      assertTrue(prefixed.distinguishesForms());
      assertFalse(
          Arrays.equals(
              prefixed.embed("a wall of stone", TextForm.QUERY).vector(),
              prefixed.embed("a wall of stone", TextForm.DOCUMENT).vector()));
    }
  }
}
