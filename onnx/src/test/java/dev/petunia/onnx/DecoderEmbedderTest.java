package dev.petunia.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Embedding;
import dev.petunia.core.TextForm;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decoders in the way of Qwen3-Embedding: causal, the last token's vector, an end token. */
class DecoderEmbedderTest {
  private static final int END = TinyDecoder.END;

  @TempDir Path dir;

  @Test
  void theLastTokensVectorIsTheOneComputedInJava() {
    TinyDecoder decoder = new TinyDecoder();
    try (OnnxEmbedder e = open(decoder.write(dir))) {
      assertIs(decoder, e.embed("w3 w1 w5", TextForm.DOCUMENT), 3, 1, 5, END);
      assertIs(decoder, e.embed("w5 w1 w3", TextForm.DOCUMENT), 5, 1, 3, END);
      assertIs(decoder, e.embed("", TextForm.DOCUMENT), END);
    }
  }

  @Test
  void everyFormOfExportGivesTheSameVector() {
    for (int form = 0; form < 16; form++) {
      TinyDecoder decoder = new TinyDecoder();
      decoder.positionInput = (form & 1) == 0;
      decoder.past = (form & 2) == 0;
      decoder.halfPast = (form & 4) == 0;
      decoder.tokenizerAppends = (form & 8) == 0;
      try (OnnxEmbedder e = open(decoder.write(dir))) {
        assertIs(decoder, e.embed("w2 w2 w7 w0", TextForm.QUERY), 2, 2, 7, 0, END);
      } catch (ModelException x) {
        throw new AssertionError("form " + form, x);
      }
    }
  }

  @Test
  void eachPoolingTakesItsRows() {
    TinyDecoder decoder = new TinyDecoder();
    double[][] rows = decoder.hidden(4, 6, 1, END);
    double[] sum = new double[TinyDecoder.DIMENSION];
    for (double[] row : rows) {
      for (int d = 0; d < sum.length; d++) {
        sum[d] += row[d];
      }
    }
    assertPooled(decoder, Pooling.MEAN, sum);
    assertPooled(decoder, Pooling.CLS, rows[0]);
    assertPooled(decoder, Pooling.LAST_TOKEN, rows[3]);
  }

  private void assertPooled(TinyDecoder decoder, Pooling pooling, double[] expected) {
    try (OnnxEmbedder e = open(decoder.write(dir).pooling(pooling))) {
      float[] got = e.embed("w4 w6 w1", TextForm.DOCUMENT).vector();
      assertArrayEquals(unit(expected), got, 1e-5f, pooling.toString());
    }
  }

  @Test
  void aGraphThatPoolsItselfIsTakenAtItsWord() {
    TinyDecoder decoder = new TinyDecoder();
    decoder.textVector = true;
    for (boolean both : new boolean[] {false, true}) {
      decoder.tokenVectors = both;
      EmbedderModel.Builder pooled = decoder.write(dir).pooling(Pooling.GRAPH);
      try (OnnxEmbedder e = open(pooled)) {
        assertIs(decoder, e.embed("w1 w2", TextForm.DOCUMENT), 1, 2, END);
      }
      // Not of unit length, and not to be scaled: refused.
      try (OnnxEmbedder e = open(pooled.normalize(false))) {
        ModelException x =
            assertThrows(ModelException.class, () -> e.embed("w1 w2", TextForm.DOCUMENT));
        assertTrue(x.getMessage().contains("normalize true"), x.getMessage());
      }
    }
    decoder.unitTextVector = true;
    try (OnnxEmbedder e = open(decoder.write(dir).pooling(Pooling.GRAPH).normalize(false))) {
      assertIs(decoder, e.embed("w1 w2", TextForm.DOCUMENT), 1, 2, END);
    }
  }

  @Test
  void outputsThatDoNotFitThePoolingAreRefused() {
    TinyDecoder hidden = new TinyDecoder();
    assertFails(
        hidden.write(dir).pooling(Pooling.GRAPH), "sentence_embedding", "FLOAT[batch, dimension]");
    TinyDecoder pooled = new TinyDecoder();
    pooled.tokenVectors = false;
    pooled.textVector = true;
    assertFails(pooled.write(dir), "FLOAT[batch, tokens, dimension]", "pooling last_token");
    assertFails(pooled.write(dir).pooling(Pooling.GRAPH).dimension(5), "has 6", "described as 5");
  }

  @Test
  void aPastOfUnknownFormIsRefusedByName() {
    TinyDecoder decoder = new TinyDecoder();
    decoder.fixedHeads = false;
    assertFails(decoder.write(dir), "input past_key_values.0.", "with a number of heads");
  }

  @Test
  void theInstructionIsPutBeforeQueriesOnly() {
    TinyDecoder decoder = new TinyDecoder();
    EmbedderModel.Builder model = decoder.write(dir);
    assertEquals(
        "Instruct: find w1\nQuery:", model.queryInstruction("find w1").build().queryPrefix());
    assertEquals("", model.build().documentPrefix());
    try (OnnxEmbedder e = open(model)) {
      // The tiny tokenizer splits at white space and reads unknown words as w0.
      assertIs(decoder, e.embed(" w2 w3", TextForm.QUERY), 0, 0, 1, 0, 2, 3, END);
      assertIs(decoder, e.embed("w2 w3", TextForm.QUERY), 0, 0, 1, 0, 3, END);
      assertIs(decoder, e.embed("w2 w3", TextForm.DOCUMENT), 2, 3, END);
    }
  }

  @Test
  void aTextThatIsCutStillEndsWithTheToken() {
    for (boolean byFile : new boolean[] {false, true}) {
      TinyDecoder decoder = new TinyDecoder();
      decoder.tokenizerAppends = byFile;
      try (OnnxEmbedder e = open(decoder.write(dir).maxTokens(5))) {
        Embedding cut = e.embed("w1 w2 w3 w4 w5 w6", TextForm.DOCUMENT);
        assertIs(decoder, cut, 1, 2, 3, 4, END);
        assertTrue(cut.truncated());
        Embedding whole = e.embed("w1 w2 w3 w4", TextForm.DOCUMENT);
        assertArrayEquals(cut.vector(), whole.vector());
        assertFalse(whole.truncated());
      }
    }
  }

  @Test
  void theEndTokenInATextStaysText() {
    TinyDecoder decoder = new TinyDecoder();
    try (OnnxEmbedder e = open(decoder.write(dir))) {
      Embedding forged = e.embed("w1 " + TinyDecoder.END_TOKEN + " w2", TextForm.DOCUMENT);
      assertIs(decoder, forged, 1, 0, 2, END);
    }
  }

  @Test
  void withoutAnEndTokenNothingIsAppended() {
    TinyDecoder decoder = new TinyDecoder();
    try (OnnxEmbedder e = open(decoder.write(dir).appendToken(""))) {
      assertIs(decoder, e.embed("w1 w2", TextForm.DOCUMENT), 1, 2);
      assertNotEquals(e.modelId(), decoder.write(dir).build().id());
    }
    // An ordinary word can be appended as well.
    try (OnnxEmbedder e = open(decoder.write(dir).appendToken("w7"))) {
      assertIs(decoder, e.embed("w1 w2", TextForm.DOCUMENT), 1, 2, 7);
    }
    assertFails(decoder.write(dir).appendToken("<eos>"), "no token <eos>", "tiny-decoder");
  }

  @Test
  void theSameTextHasTheSameBitsInAnyList() {
    TinyDecoder decoder = new TinyDecoder();
    List<String> texts = List.of("w1", "w2 w3 w4 w5 w6", "w7 w7", "w1 w2");
    try (OnnxEmbedder e = OnnxEmbedder.builder(decoder.write(dir).build()).threads(2).open()) {
      List<Embedding> together = e.embed(texts, TextForm.DOCUMENT);
      for (int i = 0; i < texts.size(); i++) {
        assertArrayEquals(
            e.embed(texts.get(i), TextForm.DOCUMENT).vector(), together.get(i).vector());
      }
    }
  }

  private static void assertIs(TinyDecoder decoder, Embedding got, int... ids) {
    double[][] hidden = decoder.hidden(ids);
    assertEquals(ids.length, got.tokens());
    assertArrayEquals(
        unit(hidden[ids.length - 1]), got.vector(), 1e-5f, "ids " + Arrays.toString(ids));
  }

  private static float[] unit(double[] v) {
    double norm = Math.sqrt(Arrays.stream(v).map(x -> x * x).sum());
    float[] out = new float[v.length];
    for (int i = 0; i < v.length; i++) {
      out[i] = (float) (v[i] / norm);
    }
    return out;
  }

  private static OnnxEmbedder open(EmbedderModel.Builder model) {
    return OnnxEmbedder.builder(model.build()).threads(1).open();
  }

  private static void assertFails(EmbedderModel.Builder model, String... parts) {
    ModelException e = assertThrows(ModelException.class, () -> open(model).close());
    for (String part : parts) {
      assertTrue(e.getMessage().contains(part), () -> part + " is not in: " + e.getMessage());
    }
  }
}
