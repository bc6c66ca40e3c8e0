package dev.petunia.onnx.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.IndexClosedException;
import dev.petunia.core.testing.Generators;
import dev.petunia.core.testing.Property;
import dev.petunia.onnx.AllMiniLm;
import dev.petunia.onnx.internal.TextTokenizer.Tokens;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With the tokenizer of all-MiniLM-L6-v2, whose file asks for a cut and padding at 128 tokens. */
class TextTokenizerTest {
  private static final long CLS = 101;
  private static final long SEP = 102;
  private static final List<String> TEXTS =
      List.of(
          "The quick brown fox",
          "",
          "naïve façade",
          "文字 and 🌸",
          "a\0b",
          "tab\tnew\nline",
          "x".repeat(150));

  private static TextTokenizer open(TokenizerSettings settings) {
    return TextTokenizer.open(AllMiniLm.model().tokenizer(), settings);
  }

  @Test
  void settingsOverruleTheFile() {
    String words = "map ".repeat(200);
    try (TextTokenizer plain = open(TokenizerSettings.plain());
        TextTokenizer cut = open(TokenizerSettings.truncatingAt(16))) {
      assertEquals(200, plain.encode(words).ids().length);
      assertArrayEquals(new long[0], plain.encode("").ids());
      Tokens short16 = cut.encode(words);
      assertEquals(16, short16.ids().length);
      assertTrue(short16.truncated());
      assertEquals(CLS, short16.ids()[0]);
      assertEquals(SEP, short16.ids()[15]);
      assertArrayEquals(new long[] {CLS, SEP}, cut.encode("").ids());
      assertArrayEquals(new long[2], cut.encode("").typeIds());
    }
  }

  @Test
  void readingSpecialTokensOrNotOnlyMattersWhereTheyStand() {
    TokenizerSettings reading = new TokenizerSettings(64, true, true);
    try (TextTokenizer reads = open(reading);
        TextTokenizer doesNot = open(TokenizerSettings.truncatingAt(64))) {
      for (String text : TEXTS) {
        assertArrayEquals(reads.encode(text).ids(), doesNot.encode(text).ids(), text);
      }
      assertArrayEquals(new long[] {CLS, SEP, SEP}, reads.encode("[SEP]").ids());
      assertEquals(5, doesNot.encode("[SEP]").ids().length);
    }
  }

  @Test
  void aPrefixIsReadAsPartOfTheText() {
    try (TextTokenizer t = open(TokenizerSettings.truncatingAt(64))) {
      assertArrayEquals(t.encode("query: map").ids(), t.encode("query: ", "map").ids());
      assertArrayEquals(t.encode("hashmap").ids(), t.encode("hash", "map").ids());
    }
  }

  /**
   * The first tokens are those of the whole text, wherever the text is cut before it is tokenised.
   */
  @Test
  void aLongTextHasTheFirstTokensOfTheWhole() {
    try (TextTokenizer whole =
            open(new TokenizerSettings(TokenizerSettings.NO_LIMIT, true, false));
        TextTokenizer limited = open(TokenizerSettings.truncatingAt(24))) {
      for (String unit :
          List.of("concurrent hash map ", "文字", "🌸", "e\u0301", "a  \n", "x", "0.5,")) {
        String text = unit.repeat(4000);
        long[] all = whole.encode(text).ids();
        Tokens first = limited.encode(text);
        if (all.length <= 24) {
          assertArrayEquals(all, first.ids(), unit);
          continue;
        }
        long[] expected = Arrays.copyOf(all, 24);
        expected[23] = SEP;
        assertArrayEquals(expected, first.ids(), unit);
        assertTrue(first.truncated(), unit);
      }
    }
  }

  @Test
  void anyTextHasTheFirstTokensOfTheWhole() {
    try (TextTokenizer whole =
            open(new TokenizerSettings(TokenizerSettings.NO_LIMIT, true, false));
        TextTokenizer limited = open(TokenizerSettings.truncatingAt(6))) {
      Property.check(
          "first tokens",
          100,
          Generators.text(6000), // 2048 characters are looked at first
          text -> {
            long[] all = whole.encode(text).ids();
            long[] expected = Arrays.copyOf(all, Math.min(6, all.length));
            expected[expected.length - 1] = SEP;
            Tokens first = limited.encode(text);
            assertArrayEquals(expected, first.ids());
            assertEquals(all.length > 6, first.truncated());
          });
    }
  }

  @Test
  void unpairedSurrogatesAreRefusedAlsoWhereATextIsCut() {
    try (TextTokenizer t = open(TokenizerSettings.truncatingAt(8))) {
      assertThrows(IllegalArgumentException.class, () -> t.encode("\udc00"));
      for (int shift = 0; shift < 4; shift++) { // a pair on each side of the cut
        Tokens tokens = t.encode("z".repeat(shift) + "🌸".repeat(1000));
        assertFalse(tokens.ids().length == 0);
      }
    }
  }

  @Test
  void aClosedTokenizerSaysSo() {
    TextTokenizer t = open(TokenizerSettings.plain());
    t.close();
    t.close();
    IndexClosedException e = assertThrows(IndexClosedException.class, () -> t.encode("a"));
    assertTrue(e.getMessage().startsWith("tokenizer of class-path resource"), e.getMessage());
  }
}
