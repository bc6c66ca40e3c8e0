package dev.petunia.dedup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.Locale;

/** Makes {@code unicode-v1.txt} from the tables of the Java that runs it, which must be 25. */
final class UnicodeTableMaker {
  private UnicodeTableMaker() {}

  /** Writes the table to the file that is named. */
  public static void main(String[] args) throws IOException {
    Files.writeString(Path.of(args[0]), table());
  }

  static String table() {
    StringBuilder out =
        new StringBuilder(
            "# Unicode 16.0, as Java 25 has it. Made by UnicodeTableMaker; frozen, see UnicodeTable.\n");
    char last = 0;
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      char letter = letter(c);
      if (letter != last) {
        out.append(String.format(Locale.ROOT, "c %X %c%n", c, letter));
        last = letter;
      }
    }
    for (int c = 0; c <= Character.MAX_CODE_POINT; ) {
      int delta = delta(c);
      if (delta == 0) {
        c++;
        continue;
      }
      int step = delta(c + 1) == delta ? 1 : 2;
      int count = 1;
      while (delta(c + count * step) == delta && (step == 1 || delta(c + count * step - 1) == 0)) {
        count++;
      }
      out.append(String.format(Locale.ROOT, "f %X %d %d %d%n", c, count, step, delta));
      c += (count - 1) * step + 1;
    }
    return out.toString();
  }

  private static int delta(int c) {
    return Character.isDefined(c) ? Character.toLowerCase(Character.toUpperCase(c)) - c : 0;
  }

  private static char letter(int c) {
    char small = small(c);
    return isStable(c, small) ? small : Character.toUpperCase(small);
  }

  private static boolean isStable(int c, char small) {
    if (small == 'm' || small == 'd') {
      return false;
    }
    if (c >= 0xD800 && c <= 0xDFFF || small == 'x') {
      return true; // replaced before NFKC
    }
    // letters that compose with what stands before them: vowels and finals of Hangul, Kirat Rai
    if (c >= 0x1100 && c <= 0x11FF || c >= 0x16D63 && c <= 0x16D6A) {
      return false;
    }
    String s = Character.toString(c);
    return Normalizer.normalize(s, Normalizer.Form.NFKC).equals(s);
  }

  private static char small(int c) {
    if (c == 0xAD
        || c >= 0x200B && c <= 0x200F
        || c >= 0x2060 && c <= 0x2064
        || c == 0xFEFF
        || c >= 0xFE00 && c <= 0xFE0F
        || c >= 0xE0100 && c <= 0xE01EF
        || c == 0x20E3) {
      return 'd';
    }
    if (c == '_') {
      return 'w';
    }
    return switch (Character.getType(c)) {
      case Character.UNASSIGNED -> 'x';
      case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK ->
          'm';
      case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER -> 'w';
      case Character.UPPERCASE_LETTER,
          Character.LOWERCASE_LETTER,
          Character.TITLECASE_LETTER,
          Character.MODIFIER_LETTER,
          Character.OTHER_LETTER ->
          isUnspaced(c) ? 'u' : 'w';
      default -> 's';
    };
  }

  private static boolean isUnspaced(int c) {
    return switch (Character.UnicodeScript.of(c)) {
      case HAN, HIRAGANA, KATAKANA, THAI, LAO, KHMER, MYANMAR, TIBETAN -> true;
      // the sign that makes kana long and its like belong to no one script
      default -> c >= 0x3000 && c <= 0x30FF;
    };
  }
}
