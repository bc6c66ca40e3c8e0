package dev.petunia.examples.conversation.corpus;

import dev.petunia.examples.conversation.corpus.Chunker.Unit;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Divides blocks into the units that {@link Chunker} keeps whole. */
final class Units {
  /** A code sample up to this many words is one unit; a longer one goes line by line. */
  private static final int WHOLE_SAMPLE = 100;

  private static final String CLAUSE_ENDS = ";:,\u061B\u060C";

  /** Those of Chinese and Japanese, which no space follows. */
  private static final String WIDE_CLAUSE_ENDS = "\uFF1B\uFF1A\uFF0C\u3001";

  private Units() {}

  static List<Unit> of(List<TextBlock> blocks) {
    List<Unit> units = new ArrayList<>();
    for (int number = 0; number < blocks.size(); number++) {
      TextBlock b = blocks.get(number);
      List<Integer> borders =
          switch (b.kind()) {
            case PROSE, ITEM -> Sentences.borders(b);
            case LINES -> lines(b.text());
            case ROW, HEADING -> List.of(0, b.text().length());
          };
      for (int i = 0; i + 1 < borders.size(); i++) {
        add(units, number, b, borders.get(i), borders.get(i + 1));
      }
    }
    return units;
  }

  private static List<Integer> lines(String text) {
    if (Scripts.words(text) <= WHOLE_SAMPLE) {
      return List.of(0, text.length());
    }
    List<Integer> borders = new ArrayList<>();
    for (int at = 0; at >= 0 && at < text.length(); ) {
      borders.add(at);
      int newline = text.indexOf('\n', at);
      at = newline < 0 ? -1 : newline + 1;
    }
    borders.add(text.length());
    return borders;
  }

  private static void add(List<Unit> units, int number, TextBlock b, int start, int end) {
    int words = Scripts.words(b.text(), start, end);
    if (words == 0) {
      return;
    }
    if (words <= Chunker.LONGEST) {
      units.add(new Unit(number, b, start, end, words));
      return;
    }
    BreakIterator chars = BreakIterator.getCharacterInstance(Locale.ROOT);
    chars.setText(b.text());
    int from = start;
    for (int left = words; from < end; ) {
      if (left <= Chunker.TARGET) {
        // a run without spaces counts less in one piece than in parts, so the rest is counted anew
        left = Scripts.words(b.text(), from, end);
      }
      int wanted = Math.ceilDiv(left, Math.ceilDiv(Math.max(left, 1), Chunker.TARGET));
      int to = left <= Chunker.LONGEST ? end : cut(b.text(), from, end, wanted, chars);
      int size = Scripts.words(b.text(), from, to);
      units.add(new Unit(number, b, from, to, size));
      left -= size;
      from = to;
    }
  }

  /**
   * The end of a part of at most so many words: behind the last line or clause in its second half,
   * else behind the last space there, else between two characters.
   */
  private static int cut(String text, int from, int end, int words, BreakIterator chars) {
    int limit = Scripts.advance(text, from, end, words);
    if (limit == end) {
      return end;
    }
    int space = -1;
    for (int i = limit - 1; i > from + (limit - from) / 2; i--) {
      char before = text.charAt(i - 1);
      boolean isSpace = Character.isWhitespace(text.charAt(i));
      if ((isSpace && CLAUSE_ENDS.indexOf(before) >= 0) || WIDE_CLAUSE_ENDS.indexOf(before) >= 0) {
        return isSpace ? i + 1 : i;
      }
      if (isSpace && space < 0) {
        space = i + 1;
      }
    }
    if (space >= 0) {
      return space;
    }
    int whole = chars.isBoundary(limit) ? limit : chars.preceding(limit);
    return whole > from ? whole : limit;
  }
}
