package dev.petunia.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Embedding;
import dev.petunia.core.TextForm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models that are missing, damaged, or not what was described. */
class ModelErrorsTest {
  @TempDir Path dir;

  @Test
  void theTinyModelWorksWhenNothingIsWrongWithIt() {
    try (OnnxEmbedder tiny = open(new TinyModel().write(dir))) {
      Embedding e = tiny.embed("w1 w2", TextForm.DOCUMENT);
      // Rows 1 and 2 are (1,2,3,4) and (8,-2,5,1): their sum, scaled to unit length.
      double norm = Math.sqrt(81 + 0 + 64 + 25);
      float[] expected = {(float) (9 / norm), 0, (float) (8 / norm), (float) (5 / norm)};
      assertArrayEquals(expected, e.vector());
      assertEquals(2, e.tokens());
      assertFalse(e.truncated());
    }
  }

  @Test
  void aMissingResourceNamesTheArtifactThatHoldsIt() {
    EmbedderModel absent =
        AllMiniLm.model().toBuilder()
            .onnx(ModelSource.resource("no-such.onnx", "Add the artifact " + AllMiniLm.ARTIFACT))
            .build();
    assertFails(absent, "no-such.onnx is missing", AllMiniLm.ARTIFACT);
    ModelSource.Resource shipped = (ModelSource.Resource) AllMiniLm.model().tokenizer();
    assertTrue(shipped.whenMissing().contains(AllMiniLm.ARTIFACT));
  }

  @Test
  void aMissingFileIsNamedAndSoIsADirectory() {
    EmbedderModel good = new TinyModel().write(dir);
    Path absent = dir.resolve("absent.onnx");
    assertFails(with(good, ModelSource.file(absent)), "no such file", absent.toString());
    assertFails(with(good, ModelSource.file(dir)), "not a file", dir.toString());
    EmbedderModel noTokenizer =
        good.toBuilder().tokenizer(ModelSource.file(dir.resolve("absent.json"))).build();
    assertFails(noTokenizer, "no such file", "absent.json");
  }

  @Test
  void aDamagedGraphIsNamed() throws Exception {
    EmbedderModel good = new TinyModel().write(dir);
    Path garbage = Files.writeString(dir.resolve("garbage.onnx"), "this is no graph at all");
    assertFails(with(good, ModelSource.file(garbage)), "no graph", "garbage.onnx");
    Path empty = Files.write(dir.resolve("empty.onnx"), new byte[0]);
    assertFails(with(good, ModelSource.file(empty)), "no graph", "empty.onnx");
    byte[] whole = Files.readAllBytes(dir.resolve("tiny.onnx"));
    Path cut = Files.write(dir.resolve("cut.onnx"), Arrays.copyOf(whole, whole.length / 2));
    assertFails(with(good, ModelSource.file(cut)), "no graph", "cut.onnx");
  }

  @Test
  void aDamagedTokenizerIsNamed() throws Exception {
    EmbedderModel good = new TinyModel().write(dir);
    for (String wrong :
        List.of(
            "", "garbage", "[]", "{}", "{\"added_tokens\":[3]}", "{\"added_tokens\":[],", "null")) {
      Path file = Files.writeString(dir.resolve("wrong.json"), wrong);
      assertFails(
          good.toBuilder().tokenizer(ModelSource.file(file)).build(),
          "no tokenizer.json",
          "wrong.json");
    }
  }

  @Test
  void anotherDimensionThanDescribedIsRefused() {
    EmbedderModel declared = AllMiniLm.model().toBuilder().dimension(256).build();
    assertFails(declared, "384", "256");
    EmbedderModel tiny = new TinyModel().write(dir).toBuilder().dimension(5).build();
    assertFails(tiny, "has 4 components", "described as 5");
  }

  @Test
  void anOutputThatHasNotOneVectorPerTokenIsRefused() {
    TinyModel doubled = new TinyModel();
    doubled.twiceTheTokens = true;
    assertFails(doubled.write(dir), "[1, 32, 4] for 16 tokens", "[1, 16, 4]");
  }

  @Test
  void moreTokensThanTheGraphReadsAreRefusedWhenItIsOpened() {
    EmbedderModel long600 = AllMiniLm.model().toBuilder().maxTokens(600).build();
    assertFails(long600, "can't read 600 tokens", "maxTokens");
  }

  @Test
  void graphsThatAreNoTextEncodersAreRefusedByName() {
    TinyModel pixels = new TinyModel();
    pixels.idsName = "pixels";
    assertFails(pixels.write(dir), "no input input_ids", "pixels");

    TinyModel speakers = new TinyModel();
    speakers.unusedInputs.add("speaker_ids");
    assertFails(speakers.write(dir), "has input speaker_ids", "token_type_ids");

    TinyModel pastOfRank2 = new TinyModel();
    pastOfRank2.unusedInputs.add("past_key_values.0.key");
    assertFails(
        pastOfRank2.write(dir), "input past_key_values.0.key is INT64[-1, -1]", "FLOAT or FLOAT16");

    TinyModel flatIds = new TinyModel();
    flatIds.idsRank = 1;
    assertFails(flatIds.write(dir), "input input_ids is INT64[-1]", "INT64[batch, tokens]");

    TinyModel flat = new TinyModel();
    flat.flatOutput = true;
    assertFails(flat.write(dir), "last_hidden_state=FLOAT[-1, -1]", "expected one FLOAT");
  }

  @Test
  void anOnlyOutputOfAnyNameIsTaken() {
    TinyModel renamed = new TinyModel();
    renamed.outputName = "token_embeddings";
    try (OnnxEmbedder tiny = open(renamed.write(dir))) {
      assertEquals(1, tiny.embed("w1", TextForm.QUERY).tokens());
    }
  }

  @Test
  void numbersThatAreNotFiniteNeverLeave() {
    TinyModel broken = new TinyModel();
    Arrays.fill(broken.table, Float.NaN); // the self-check sees it
    assertFails(broken.write(dir), "contains NaN");

    TinyModel oneWord = new TinyModel();
    oneWord.table[7 * TinyModel.DIMENSION] = Float.POSITIVE_INFINITY; // only w7
    TinyModel zero = new TinyModel();
    Arrays.fill(zero.table, 3 * TinyModel.DIMENSION, 4 * TinyModel.DIMENSION, 0); // only w3
    assertTextFails(oneWord.write(dir), List.of("w1", "w7"), "texts[1]", "Infinity");
    assertTextFails(zero.write(dir), List.of("w3", "w1"), "texts[0]", "length 0.0");
  }

  @Test
  void aTokenThatTheGraphDoesNotKnowFailsThatText() {
    TinyModel small = new TinyModel();
    small.rows = 5;
    assertTextFails(small.write(dir), List.of("w1", "w2", "w6"), "texts[2]", "of 1 tokens");
  }

  @Test
  void buffersGrowWithTheTexts() {
    EmbedderModel longTexts = new TinyModel().write(dir).toBuilder().maxTokens(20_000).build();
    try (OnnxEmbedder tiny = open(longTexts)) {
      float[] expected = tiny.embed("w1 w2", TextForm.DOCUMENT).vector();
      for (int words : new int[] {2, 256, 258, 600, 4, 19_998, 20_000, 2}) {
        Embedding e = tiny.embed("w1 w2 ".repeat(words / 2), TextForm.DOCUMENT);
        assertEquals(words, e.tokens());
        assertFalse(e.truncated());
        assertArrayEquals(expected, e.vector(), 1e-6f);
      }
      assertTrue(tiny.embed("w1 w2 ".repeat(10_001), TextForm.DOCUMENT).truncated());
    }
  }

  @Test
  void aTextWithoutAnyTokenFailsWhenTheTokenizerAddsNone() {
    assertTextFails(new TinyModel().write(dir), List.of("w1", ""), "no tokens of texts[1]");
  }

  private static EmbedderModel with(EmbedderModel model, ModelSource onnx) {
    return model.toBuilder().onnx(onnx).build();
  }

  private static OnnxEmbedder open(EmbedderModel model) {
    return OnnxEmbedder.builder(model).threads(1).open();
  }

  private static void assertFails(EmbedderModel model, String... parts) {
    ModelException e = assertThrows(ModelException.class, () -> open(model).close());
    for (String part : parts) {
      assertTrue(e.getMessage().contains(part), () -> part + " is not in: " + e.getMessage());
    }
  }

  private static void assertTextFails(EmbedderModel model, List<String> texts, String... parts) {
    try (OnnxEmbedder embedder = open(model)) {
      ModelException e =
          assertThrows(ModelException.class, () -> embedder.embed(texts, TextForm.DOCUMENT));
      for (String part : parts) {
        assertTrue(e.getMessage().contains(part), () -> part + " is not in: " + e.getMessage());
      }
      // The others still work.
      assertEquals(1, embedder.embed("w2", TextForm.DOCUMENT).tokens());
    }
  }
}
