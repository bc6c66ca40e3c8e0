package dev.petunia.examples.conversation.corpus;

import java.lang.Character.UnicodeScript;

/** How long text is, in words, for scripts with and without spaces between words. */
final class Scripts {
  /**
   * A run without spaces counts as one word per this many chars. English words are rarely longer;
   * qualified names, addresses and encoded data are, and cost an embedder more than one word.
   */
  private static final int LONGEST_WORD = 16;

  /**
   * As many ASCII signs without a space count as a word: code, patterns and rulers are dear too.
   */
  private static final int SIGNS = 2;

  private Scripts() {}

  /**
   * Words between two positions. Runs between spaces, a long one or one full of signs counted as
   * several; of Chinese and Japanese two characters count as a word, of Thai, Lao, Khmer and
   * Burmese four.
   */
  static int words(CharSequence text, int start, int end) {
    Count count = new Count();
    for (int i = start; i < end; ) {
      int c = Character.codePointAt(text, i);
      i += Character.charCount(c);
      count.add(c);
    }
    return count.words();
  }

  static int words(CharSequence text) {
    return words(text, 0, text.length());
  }

  /** The first position, a whole character, where that many words are reached; else the end. */
  static int advance(CharSequence text, int start, int end, int words) {
    Count count = new Count();
    for (int i = start; i < end; ) {
      int c = Character.codePointAt(text, i);
      i += Character.charCount(c);
      count.add(c);
      if (count.words() >= words) {
        return i;
      }
    }
    return end;
  }

  /** Whether lines of this character are joined without a space: Chinese and Japanese. */
  static boolean joinsWithoutSpace(int c) {
    return quarters(c) == 2 || (c >= 0x3000 && c <= 0x303F) || (c >= 0xFF00 && c <= 0xFF65);
  }

  /** Quarters of a word that the character counts for; 0 in scripts that put spaces. */
  private static int quarters(int c) {
    if (c < 0x0E00) {
      return 0;
    }
    return switch (UnicodeScript.of(c)) {
      case HAN, HIRAGANA, KATAKANA -> 2;
      case THAI, LAO, KHMER, MYANMAR -> 1;
      default -> 0;
    };
  }

  /** Counts as it goes. */
  private static final class Count {
    private int quarters;
    private int run;
    private int signs;

    void add(int c) {
      int weight = quarters(c);
      if (weight == 0 && !Character.isWhitespace(c)) {
        run++;
        signs += c < 0x80 && !Character.isLetterOrDigit(c) ? 1 : 0;
      } else {
        quarters += weight + 4 * runWords();
        run = 0;
        signs = 0;
      }
    }

    int words() {
      return Math.ceilDiv(quarters + 4 * runWords(), 4);
    }

    private int runWords() {
      return Math.max(Math.ceilDiv(run, LONGEST_WORD), signs / SIGNS);
    }
  }
}
