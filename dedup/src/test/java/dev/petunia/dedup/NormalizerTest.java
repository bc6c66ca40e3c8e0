package dev.petunia.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.petunia.core.testing.Generator;
import dev.petunia.core.testing.Generators;
import dev.petunia.core.testing.Property;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer.Form;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NormalizerTest {
  private static List<String> tokens(String text) {
    return Normalizer.v1().normalize(text).tokens();
  }

  @Test
  void codeIsCutWhereItsNamesEnd() {
    assertEquals(
        List.of(
            "std::vector", "int", "v", "os.path.join", "a", "c", "a", "b", "don", "t", "1", "234"),
        tokens("std::vector<int> v; os.path.join(a) C++ a->b don't 1,234"));
    assertEquals(List.of("get_user_name", "getusername"), tokens("get_user_name getUserName"));
    assertEquals(List.of("v1.2.3", "end.start", "foo.py"), tokens("v1.2.3. End.Start foo.py..."));
    assertEquals(List.of("a", "b", "c", "d", "e"), tokens("a..b c:::d :e."));
  }

  @Test
  void composedAndDecomposedLettersAreTheSame() {
    String composed = "Café au lait à la crème brûlée";
    String decomposed = java.text.Normalizer.normalize(composed, Form.NFD);
    assertNotEquals(composed, decomposed);
    assertEquals(tokens(composed), tokens(decomposed));
    assertEquals("café", tokens(composed).getFirst());
  }

  @Test
  void compatibleFormsAndCaseAreFolded() {
    assertEquals(List.of("1", "2", "x2", "fi", "tm", "abc"), tokens("½ x² ﬁ ™ ＡＢＣ"));
    assertEquals(tokens("σας ΣΑΣ"), List.of("σασ", "σασ"));
    assertEquals(List.of("i", "i", "i", "i"), tokens("İ I ı i"));
    assertEquals(List.of("strasse", "straße"), tokens("STRASSE straße"));
    assertEquals(List.of("soft"), tokens("so\u00ADft\u200B"));
  }

  @Test
  void lettersOfScriptsWithoutSpacesAreTokens() {
    assertEquals(List.of("中", "文", "abc", "字"), tokens("中文abc字"));
    assertEquals(List.of("ユ", "ー", "ザ", "ー"), tokens("ユーザー"));
    assertEquals(List.of("한국어", "텍스트"), tokens("한국어 텍스트"));
    assertEquals(List.of("ภ", "า", "ษ", "า"), tokens("ภาษา"));
    assertEquals(List.of("مرحبا", "بالعالم"), tokens("مرحبا، بالعالم!"));
    assertEquals(List.of(), tokens("🙂🙂 -- ... 🎉"));
  }

  @Test
  void differentArabicTextsAreDifferent() {
    ShingleSet a = Shingler.v1().shingles("هذا نص عربي قصير عن القطط والكلاب");
    ShingleSet b = Shingler.v1().shingles("يكتب الطالب رسالة طويلة إلى معلمه اليوم");
    assertEquals(3, a.size());
    assertEquals(0, a.overlap(b).intersection());
  }

  @Test
  void everyRuleTakesItsPositivesAndLeavesItsNegatives() {
    Map<String, int[]> seen = new TreeMap<>();
    for (String[] golden : Boilerplate.goldens()) {
      boolean takes = golden[0].equals("+");
      int times =
          Normalizer.v1().normalize(golden[2]).report().stripped().getOrDefault(golden[1], 0);
      assertEquals(takes, times > 0, () -> String.join(" ", golden));
      seen.computeIfAbsent(golden[1], k -> new int[2])[takes ? 0 : 1]++;
    }
    assertEquals(Set.copyOf(Boilerplate.IDS), seen.keySet());
    seen.forEach((id, n) -> assertTrue(n[0] >= 2 && n[1] >= 2, () -> id + " lacks goldens"));
  }

  @Test
  void whatIsStrippedIsCounted() {
    NormalizedText t =
        Normalizer.v1()
            .normalize(
                "User:\n```java\nint x;\n```\n\u001b[31mred\u001b[0m alert\nCopy code\nPage 3 of 9\nend");
    assertEquals(List.of("int", "x", "red", "alert", "end"), t.tokens());
    assertEquals(Map.of("C1", 1, "F1", 2, "C6", 2, "C3", 1, "C4", 1), t.report().stripped());
    assertEquals("int x; red alert end", t.text());
  }

  @Test
  void aHeaderOnEachPageStaysOnce() {
    NormalizedText t = Normalizer.v1().normalize("Head 1\none\f Head 1 \ntwo\fHead 1\nthree");
    assertEquals(List.of("head", "1", "one", "two", "three"), t.tokens());
    assertEquals(Map.of("H1", 2), t.report().stripped());
  }

  @Test
  void lineEndsDontMatter() {
    assertEquals(tokens("In [1]:\nx\nOut[1]:\ny"), tokens("In [1]:\r\nx\rOut[1]:\r\ny"));
    assertEquals(List.of("x", "y"), tokens("In [1]:\r\nx\rOut[1]:\r\ny"));
  }

  @Test
  void brokenAndUnassignedCharactersAreReplacedAndCounted() {
    NormalizedText t =
        Normalizer.v1().normalize("a\uD800b \uDC00 c\u0378d \uDBFF\uDFFF \uD800\uD800e");
    assertEquals(List.of("a", "b", "c", "d", "e"), t.tokens());
    assertEquals(4, t.report().unpairedSurrogates());
    assertEquals(2, t.report().unassigned());
  }

  @Test
  void aFloodOfMarksTakesLinearTime() {
    StringBuilder s = new StringBuilder("a");
    for (int i = 0; i < 300_000; i++) {
      s.append(i % 2 == 0 ? '\u0301' : '\u0327'); // their order is to be swapped, again and again
    }
    NormalizedText t = Normalizer.v1().normalize(s.toString());
    assertEquals(1, t.tokens().size());
    assertEquals(9_999, t.report().splitMarks());
  }

  @Test
  void aMegabyteOfOneWordIsOneToken() {
    String s = "x".repeat(1 << 20);
    assertEquals(List.of(s), tokens(s));
    assertEquals(1, Shingler.v1().shingles(s).size());
    assertEquals(1, Shingler.v1().shingles("word ".repeat(200_000)).size());
  }

  private static Generator<String> mixed() {
    return random -> {
      StringBuilder s = new StringBuilder();
      for (int n = random.nextInt(60); n > 0; n--) {
        int c =
            switch (random.nextInt(6)) {
              case 0 -> random.nextInt(0x20, 0x7F);
              case 1 -> random.nextInt(0x300, 0x345);
              case 2 -> random.nextInt(0xA0, 0x600);
              case 3 -> random.nextInt(0x1100, 0x1200);
              case 4 -> random.nextInt(0xAC00, 0xD7A4);
              default -> random.nextInt(0x110000);
            };
        if (c < 0xD800 || c > 0xDFFF) {
          s.appendCodePoint(c);
        }
      }
      return s.toString();
    };
  }

  /** The same steps over the whole text at once, without cuts and fast paths. */
  private static String slow(String text) {
    StringBuilder frozen = new StringBuilder();
    text.codePoints()
        .forEach(
            c ->
                frozen.appendCodePoint(
                    UnicodeTable.classOf(c) == UnicodeTable.UNASSIGNED ? ' ' : c));
    StringBuilder out = new StringBuilder();
    java.text.Normalizer.normalize(frozen, Form.NFKC)
        .codePoints()
        .filter(c -> UnicodeTable.classOf(c) != UnicodeTable.DROPPED)
        .forEach(c -> out.appendCodePoint(c == 0x7F ? ' ' : UnicodeTable.fold(c)));
    return out.toString();
  }

  @Test
  void normalizingInPiecesIsNormalizingTheWhole() {
    Property.check(
        "normalizing in pieces is normalizing the whole",
        20_000,
        mixed(),
        text -> {
          String t = "\u00A1" + text.replaceAll("[\\r\\f\\x1B\\n]", "");
          Scratch w = new Scratch();
          Normalizer.run(t, w);
          if (w.splitMarks == 0 && Normalizer.report(w).stripped().isEmpty()) {
            assertEquals(slow(t), new String(w.bytes, 0, w.length, StandardCharsets.UTF_8));
          }
        });
  }

  @Test
  void anyTextHasTokensAndEqualOnesEveryTime() {
    Property.check(
        "any text has tokens",
        500,
        Generators.illFormedText(),
        text -> {
          assertEquals(tokens(text), tokens(text));
          assertEquals(Shingler.v1().shingles(text).tokens(), tokens(text).size());
        });
  }

  @Test
  void theFrozenTableIsThatOfUnicode16() throws IOException {
    assumeTrue(Runtime.version().feature() == 25, "made from Java 25's tables");
    try (InputStream in = Normalizer.class.getResourceAsStream("unicode-v1.txt")) {
      String frozen = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(frozen, UnicodeTableMaker.table().replace(System.lineSeparator(), "\n"));
    }
  }
}
