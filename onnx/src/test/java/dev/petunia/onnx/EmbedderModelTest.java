package dev.petunia.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.TextForm;
import org.junit.jupiter.api.Test;

class EmbedderModelTest {
  private static final EmbedderModel MODEL = AllMiniLm.model();

  @Test
  void idChangesWithEverythingThatChangesVectors() {
    assertEquals("all-MiniLM-L6-v2-int8/mean/256", MODEL.id());
    assertEquals("all-MiniLM-L6-v2-int8/mean/128", MODEL.toBuilder().maxTokens(128).build().id());
    EmbedderModel ab = MODEL.toBuilder().queryPrefix("a").documentPrefix("b").build();
    EmbedderModel ba = MODEL.toBuilder().queryPrefix("b").documentPrefix("a").build();
    EmbedderModel joined = MODEL.toBuilder().queryPrefix("ab").build();
    assertTrue(ab.id().startsWith(MODEL.id() + "/"), ab.id());
    assertNotEquals(ab.id(), ba.id());
    assertNotEquals(ab.id(), joined.id());
    EmbedderModel ended = MODEL.toBuilder().appendToken("[SEP]").build();
    assertNotEquals(MODEL.id(), ended.id());
    assertNotEquals(ab.id(), ab.toBuilder().appendToken("[SEP]").build().id());
    assertNotEquals(MODEL.id(), MODEL.toBuilder().pooling(Pooling.LAST_TOKEN).build().id());
  }

  @Test
  void anIdWithPrefixesIsWhatItWasInEarlierVersions() {
    assertEquals(
        "all-MiniLM-L6-v2-int8/mean/256/f1529947",
        MODEL.toBuilder().queryPrefix("query: ").documentPrefix("passage: ").build().id());
  }

  @Test
  void eachFormHasItsPrefix() {
    EmbedderModel m = MODEL.toBuilder().queryPrefix("query: ").documentPrefix("passage: ").build();
    assertEquals("query: ", m.prefix(TextForm.QUERY));
    assertEquals("passage: ", m.prefix(TextForm.DOCUMENT));
    assertEquals(m, m.toBuilder().build());
  }

  @Test
  void wrongPartsAreNamed() {
    assertNamed("maxTokens is 2, allowed: 3 to 32768", MODEL.toBuilder().maxTokens(2));
    assertNamed("maxTokens is 32769", MODEL.toBuilder().maxTokens(32_769));
    assertNamed("dimension is 0", MODEL.toBuilder().dimension(0));
    assertNamed(
        "maxTokens * dimension is 2147483648, allowed: at most 268435456",
        MODEL.toBuilder().maxTokens(32_768).dimension(65_536));
    assertNamed("name is \"\"", MODEL.toBuilder().name(""));
    assertNamed("queryPrefix has an unpaired surrogate", MODEL.toBuilder().queryPrefix("\ud83d"));
    assertNamed(
        "maxTokens is 3, allowed: 4 to 32768", MODEL.toBuilder().appendToken("x").maxTokens(3));
    assertNamed("normalize is false", MODEL.toBuilder().normalize(false));
    assertNamed("appendToken has an unpaired", MODEL.toBuilder().appendToken("\ud83d"));
    assertThrows(
        IllegalArgumentException.class, () -> EmbedderModel.builder().queryInstruction(""));
    assertNamed("onnx is null", EmbedderModel.builder().name("x"));
    assertThrows(
        IllegalArgumentException.class, () -> ModelSource.resource("/leading-slash.onnx", ""));
  }

  private static void assertNamed(String message, EmbedderModel.Builder builder) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> builder.build());
    assertTrue(e.getMessage().startsWith(message), e.getMessage());
  }

  @Test
  void optionsOutOfRangeAreNamed() {
    OnnxEmbedder.Builder builder = OnnxEmbedder.builder(MODEL);
    for (int wrong : new int[] {0, -1, 257}) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> builder.threads(wrong));
      assertEquals("threads is " + wrong + ", allowed: 1 to 256", e.getMessage());
    }
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> builder.intraOpThreads(0));
    assertEquals("intraOpThreads is 0, allowed: 1 to 64", e.getMessage());
  }
}
