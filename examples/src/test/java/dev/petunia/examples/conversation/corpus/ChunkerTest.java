package dev.petunia.examples.conversation.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.examples.conversation.corpus.Chunker.Piece;
import dev.petunia.examples.conversation.corpus.TextBlock.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ChunkerTest {
  /** A sentence of so many words that says which one it is. */
  private static String sentence(int number, int words) {
    return "S" + number + " word".repeat(words - 1) + ".";
  }

  private static TextBlock prose(int sentences, int words) {
    StringBuilder s = new StringBuilder();
    for (int i = 0; i < sentences; i++) {
      s.append(i == 0 ? "" : " ").append(sentence(i, words));
    }
    return new TextBlock(Kind.PROSE, s.toString());
  }

  private static List<Integer> sizes(List<TextBlock> blocks) {
    return Chunker.cut(blocks).stream().map(Piece::words).toList();
  }

  @Test
  void nothingGivesNoPieces() {
    assertEquals(List.of(), Chunker.cut(List.of()));
  }

  @Test
  void aTextOfAboutTheTargetStaysWhole() {
    assertEquals(List.of(10), sizes(List.of(prose(1, 10))));
    assertEquals(List.of(160), sizes(List.of(prose(16, 10))));
  }

  @Test
  void aShortRemainderIsJoinedAndALongerOneBalanced() {
    assertEquals(List.of(155), sizes(List.of(prose(15, 10), prose(1, 5))));
    assertEquals(List.of(110, 110), sizes(List.of(prose(11, 10), prose(11, 10))));
    assertEquals(List.of(120, 120), sizes(List.of(prose(24, 10))));
    for (int sentences = 23; sentences < 120; sentences++) {
      List<Integer> sizes = sizes(List.of(prose(sentences, 10)));
      assertTrue(
          sizes.stream().allMatch(w -> w >= 110 && w <= 200), sentences + " sentences: " + sizes);
    }
  }

  @Test
  void cutsPreferTheEndsOfParagraphs() {
    List<Piece> pieces = Chunker.cut(List.of(prose(13, 10), prose(16, 10)));
    assertEquals(List.of(130, 160), pieces.stream().map(Piece::words).toList());
  }

  @Test
  void anIntroductionStaysWithWhatItIntroduces() {
    TextBlock sample = new TextBlock(Kind.LINES, "  int x = 1;\n    int y = 2;");
    for (String words : List.of("Such as this:", "Use of Samples")) {
      TextBlock intro = new TextBlock(Kind.PROSE, words);
      for (TextBlock next : List.of(sample, prose(15, 10))) {
        // by size alone the cut would be behind the introduction
        List<Piece> pieces = Chunker.cut(List.of(prose(14, 10), intro, next, prose(14, 10)));
        assertTrue(
            pieces.stream().anyMatch(p -> p.text().contains(words + "\n" + next.text())),
            pieces.toString());
      }
    }
  }

  @Test
  void aTablesCaptionHeadAndGroupNamesStayWithTheRowsBelow() {
    List<TextBlock> blocks = new ArrayList<>(List.of(prose(14, 10)));
    blocks.add(new TextBlock(Kind.PROSE, "What they match"));
    blocks.add(new TextBlock(Kind.ROW, "Construct | Matches"));
    for (int i = 0; i < 40; i++) {
      blocks.add(
          new TextBlock(Kind.ROW, "construct number " + i + " | matches the thing that it says"));
      if (i == 12 || i == 13) {
        blocks.add(new TextBlock(Kind.ROW, "Group" + i));
      }
    }
    List<Piece> pieces = Chunker.cut(blocks);
    assertTrue(pieces.size() >= 3, pieces.toString());
    for (Piece p : pieces) {
      assertFalse(p.text().endsWith("match"), p.text());
      assertFalse(p.text().endsWith("Matches"), p.text());
      assertFalse(p.text().matches("(?s).*Group1\\d"), p.text());
    }
  }

  @Test
  void headingsOpenPiecesAndStandAboveEachPieceOfTheirSection() {
    List<Piece> pieces =
        Chunker.cut(
            List.of(
                prose(12, 10),
                new TextBlock(Kind.HEADING, 2, "Install", List.of()),
                prose(12, 10),
                new TextBlock(Kind.HEADING, 3, "Linux", List.of()),
                prose(30, 10),
                new TextBlock(Kind.HEADING, 2, "Use", List.of()),
                prose(12, 10)));
    assertEquals(
        List.of(
            List.of(),
            List.of("Install"),
            List.of("Install", "Linux"),
            List.of("Install", "Linux"),
            List.of("Use")),
        pieces.stream().map(Piece::section).toList());
    assertTrue(
        pieces.stream().noneMatch(p -> p.text().contains("Install")),
        "headings are in the section only");
  }

  @Test
  void smallSectionsAreJoinedAndKeepTheirHeadings() {
    List<Piece> pieces =
        Chunker.cut(
            List.of(
                new TextBlock(Kind.HEADING, 2, "One", List.of()),
                prose(1, 10),
                new TextBlock(Kind.HEADING, 2, "Two", List.of()),
                prose(2, 10)));
    assertEquals(1, pieces.size());
    assertEquals(List.of("One"), pieces.getFirst().section());
    assertTrue(pieces.getFirst().text().contains("\nTwo\nS0"), pieces.getFirst().text());
  }

  @Test
  void headingsWithoutTextAreNotLost() {
    List<Piece> pieces =
        Chunker.cut(
            List.of(
                new TextBlock(Kind.HEADING, 2, "Empty", List.of()),
                new TextBlock(Kind.HEADING, 2, "Full", List.of()),
                prose(1, 10),
                new TextBlock(Kind.HEADING, 2, "Last", List.of())));
    String all = pieces.stream().map(p -> p.section() + p.text()).collect(Collectors.joining());
    assertTrue(all.contains("Empty") && all.contains("Full") && all.contains("Last"), all);
  }

  @Test
  void aSentenceAboveTheCapIsCutAtClauses() {
    String clause = "word word word word word word word word, ";
    List<Piece> pieces = Chunker.cut(List.of(new TextBlock(Kind.PROSE, clause.repeat(60).strip())));
    assertEquals(480, pieces.stream().mapToInt(Piece::words).sum());
    assertTrue(pieces.size() >= 3 && pieces.size() <= 5, pieces.toString());
    for (Piece p : pieces) {
      assertTrue(p.text().endsWith(","), p.text());
      assertTrue(p.words() <= Chunker.LONGEST, p.text());
    }
  }

  @Test
  void textWithoutAnyBorderIsCutBetweenCharactersOnly() {
    // a family of one visible character: four people joined, and a letter with two marks
    for (String character : List.of("👨‍👩‍👧‍👦", "a\u0301\u0323", "😀", "x")) {
      String text = character.repeat(20_000);
      List<Piece> pieces = Chunker.cut(List.of(new TextBlock(Kind.PROSE, text)));
      assertEquals(text, pieces.stream().map(Piece::text).collect(Collectors.joining()));
      for (Piece p : pieces) {
        assertTrue(p.words() <= Chunker.LONGEST, character + ": " + p.words());
        assertEquals(0, p.text().length() % character.length(), "a " + character + " was cut");
      }
    }
  }

  @Test
  void chineseIsCutBySentencesOfCharacters() {
    String sentence = "集合框架提供了许多有用的数据结构和算法。"; // 20 characters, 10 words
    List<Piece> pieces = Chunker.cut(List.of(new TextBlock(Kind.PROSE, sentence.repeat(45))));
    assertEquals(3, pieces.size(), pieces.toString());
    for (Piece p : pieces) {
      assertEquals(0, p.text().length() % 20, p.text());
    }
  }

  @Test
  void longSamplesAreCutAtLinesAndKeepTheirIndent() {
    StringBuilder code = new StringBuilder("void run() {\n");
    for (int i = 0; i < 200; i++) {
      code.append("    call(").append(i).append(", a, b);\n");
    }
    String text = code.append("}").toString();
    List<Piece> pieces = Chunker.cut(List.of(new TextBlock(Kind.LINES, text)));
    assertTrue(pieces.size() > 1);
    assertEquals(text, pieces.stream().map(Piece::text).collect(Collectors.joining("\n")));
  }

  @Test
  void cuttingLosesAndRepeatsNothing() {
    cutRandomBlocks(Long.getLong("petunia.test.seed", 42));
    cutRandomBlocks(8737284158896679951L); // 212 and 27 words that no cut can balance
  }

  private static void cutRandomBlocks(long seed) {
    Random r = new Random(seed);
    for (int round = 0; round < 300; round++) {
      List<TextBlock> blocks = randomBlocks(r);
      List<Piece> pieces = Chunker.cut(blocks);
      String in = letters(blocks.stream().map(TextBlock::text).collect(Collectors.joining()));
      String out = letters(pieces.stream().map(Piece::text).collect(Collectors.joining()));
      assertEquals(in, out, "seed " + seed + " round " + round);
      for (Piece p : pieces) {
        assertTrue(p.words() <= Chunker.LONGEST, "seed " + seed + " round " + round + ": " + p);
      }
      // a short piece stands alone only where no neighbour has room for it
      List<Integer> lengths = pieces.stream().map(Piece::words).toList();
      for (int i = 0; i < lengths.size(); i++) {
        int before = i == 0 ? Chunker.LONGEST : lengths.get(i - 1);
        int after = i + 1 == lengths.size() ? Chunker.LONGEST : lengths.get(i + 1);
        assertTrue(
            lengths.get(i) >= 30 || lengths.get(i) + Math.min(before, after) > Chunker.LONGEST,
            "seed " + seed + " round " + round + ": " + lengths);
      }
      assertEquals(pieces, Chunker.cut(blocks));
    }
  }

  private static String letters(String s) {
    return s.replaceAll("\\s", "");
  }

  private static List<TextBlock> randomBlocks(Random r) {
    String[] words = {
      "the", "map", "e.g.", "Foo.", "a==null?", "集合。", "(see", "it)", "👩‍👧", "x,", "É", "no. 5"
    };
    Kind[] kinds = {Kind.PROSE, Kind.PROSE, Kind.ITEM, Kind.LINES, Kind.ROW};
    List<TextBlock> blocks = new ArrayList<>();
    for (int i = r.nextInt(12); i >= 0; i--) {
      Kind kind = kinds[r.nextInt(kinds.length)];
      StringBuilder s = new StringBuilder("w");
      for (int w = r.nextInt(r.nextInt(20) == 0 ? 900 : 60); w > 0; w--) {
        s.append(kind == Kind.LINES && r.nextInt(6) == 0 ? "\n  " : " ")
            .append(words[r.nextInt(words.length)]);
      }
      blocks.add(new TextBlock(kind, s.toString()));
    }
    return blocks;
  }
}
