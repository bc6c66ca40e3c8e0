package dev.petunia.examples.conversation.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ScriptsTest {
  @Test
  void englishCountsRunsBetweenSpaces() {
    assertEquals(0, Scripts.words(""));
    assertEquals(0, Scripts.words(" \n\t "));
    assertEquals(6, Scripts.words("  Returns the\nvalue, or null (rarely). "));
  }

  @Test
  void aLongRunCountsAsSeveralWords() {
    assertEquals(1, Scripts.words("x".repeat(16)));
    assertEquals(2, Scripts.words("x".repeat(17)));
    assertEquals(625, Scripts.words("x".repeat(10_000)));
  }

  @Test
  void codeFullOfSignsCountsAsSeveralWords() {
    assertEquals(1, Scripts.words("(map)."));
    assertEquals(2, Scripts.words("a.b(c,d);"));
    assertEquals(40, Scripts.words("-".repeat(80)));
  }

  @Test
  void twoCharactersOfChineseOrJapaneseAndFourOfThaiAreAWord() {
    assertEquals(4, Scripts.words("这是一个句子。。"), "6 characters, and a run of two marks");
    assertEquals(2, Scripts.words("ひらカナ"));
    assertEquals(2, Scripts.words("ภาษาไทยก"));
    assertEquals(1, Scripts.words("𠀀𠀁"), "characters outside the basic plane");
  }

  @Test
  void otherScriptsWithSpacesCountLikeEnglish() {
    assertEquals(3, Scripts.words("هذه جملة قصيرة"));
    assertEquals(2, Scripts.words("한국어 문장"));
    assertEquals(2, Scripts.words("cafe\u0301 👩‍👩‍👧"));
  }

  @Test
  void advanceStopsAtTheWantedWordAndNeverInsideACharacter() {
    String s = "one two three";
    assertEquals("one t", s.substring(0, Scripts.advance(s, 0, s.length(), 2)));
    assertEquals(s.length(), Scripts.advance(s, 0, s.length(), 9));
    String emoji = "😀".repeat(40);
    int at = Scripts.advance(emoji, 0, emoji.length(), 2);
    assertTrue(at < emoji.length() && Character.isHighSurrogate(emoji.charAt(at)), "at " + at);
  }
}
