package dev.petunia.examples.conversation.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SentencesTest {
  private static List<String> split(String html) {
    TextBlock block = HtmlBlocks.of(html).getFirst();
    List<Integer> borders = Sentences.borders(block);
    List<String> sentences = new ArrayList<>();
    for (int i = 0; i + 1 < borders.size(); i++) {
      sentences.add(block.text().substring(borders.get(i), borders.get(i + 1)).strip());
    }
    return sentences;
  }

  @Test
  void sentencesEndAtFullStopsQuestionAndExclamationMarks() {
    assertEquals(List.of("Is it safe?", "Yes!", "It is."), split("Is it safe? Yes! It is."));
  }

  @Test
  void abbreviationsEndNoSentence() {
    for (String s :
        List.of(
            "Use a list, e.g. ArrayList, here.",
            "It is the identity, i.e. It returns its argument.",
            "Compare arrays vs. Lists first.",
            "See Fig. 3 for this.",
            "It is in vol. 3 by Donald E. Knuth of Stanford.",
            "ISO Latin Alphabet No. 1 is meant.",
            "Sort them, cf. Arrays.")) {
      assertEquals(List.of(s), split(s));
    }
  }

  @Test
  void aSentenceMayEndWithNoOrOneLetter() {
    assertEquals(
        List.of("The answer is no.", "That is final."), split("The answer is no. That is final."));
    assertEquals(
        List.of("It holds an element of type T.", "It may be null."),
        split("It holds an element of type T. It may be null."));
    assertEquals(
        List.of("This is section A.", "That is B."), split("This is section A. That is B."));
  }

  @Test
  void codeIsNotDivided() {
    assertEquals(
        List.of("Equal when (a==null ? b==null : A.equals(b)) holds.", "Else not."),
        split("Equal when <code>(a==null ? b==null : A.equals(b))</code> holds. Else not."));
    assertEquals(
        List.of("Prints \"Hello. World\" twice."),
        split("Prints <code>\"Hello. World\"</code> twice."));
  }

  @Test
  void shortAsidesAreNotDividedLongOnesAre() {
    assertEquals(
        List.of("Reads a line (see above. Then waits.) and returns.", "Next."),
        split("Reads a line (see above. Then waits.) and returns. Next."));
    String longAside = "(" + "This goes on and on with many words. ".repeat(10) + ")";
    assertEquals(10, split(longAside).size());
  }

  @Test
  void itemMarksStayWithTheirSentence() {
    assertEquals(List.of("1. First do this.", "Then that."), split("1. First do this. Then that."));
  }

  @Test
  void chineseJapaneseAndHindiSentencesEndAtTheirOwnMarks() {
    assertEquals(List.of("这是第一句。", "这是第二句！", "真的吗？"), split("这是第一句。这是第二句！真的吗？"));
    assertEquals(
        List.of("यह पहला वाक्य है।", "यह दूसरा है।"), split("यह पहला वाक्य है। यह दूसरा है।"));
    assertEquals(List.of("هل هذا آمن؟", "نعم هو آمن."), split("هل هذا آمن؟ نعم هو آمن."));
  }

  @Test
  void oneHugeParagraphWithoutBordersIsOneSentence() {
    assertEquals(1, split("word ".repeat(100_000)).size());
    assertEquals(1, split("e.g. ".repeat(20_000)).size());
  }
}
