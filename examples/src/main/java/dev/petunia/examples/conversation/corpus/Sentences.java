package dev.petunia.examples.conversation.corpus;

import dev.petunia.examples.conversation.corpus.TextBlock.Span;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sentence borders of a block: those of {@link BreakIterator}, except behind abbreviations, before
 * a lower-case letter, inside code, and inside a bracket that is closed soon.
 */
final class Sentences {
  /** Never end a sentence. */
  private static final Set<String> NEVER =
      Set.of(
          "e.g", "i.e", "cf", "vs", "viz", "eg", "ie", "mr", "mrs", "dr", "prof", "fig", "figs",
          "sect", "vol", "pp", "approx", "resp", "incl", "esp", "al");

  /** End no sentence when a digit follows. */
  private static final Set<String> BEFORE_NUMBER = Set.of("no", "nos", "p", "art", "ch", "v");

  /** Full stops and question marks of Arabic, Urdu, Armenian, Ethiopic and Burmese. */
  private static final String OTHER_ENDS = "\u061F\u06D4\u0589\u1362\u1367\u104B";

  /** The last word, and the first letter of the word before it. */
  private static final Pattern LAST_WORD =
      Pattern.compile("(?:(\\S)\\S*\\s+)?\\P{L}*?([\\p{L}\\p{N}]+(?:\\.\\p{L}+)*)\\.$");

  /** A bracket longer than this, in chars, may hold sentences of its own. */
  private static final int LONGEST_ASIDE = 200;

  /** Chars before a border that are looked at: enough for two words. */
  private static final int LOOK_BACK = 60;

  private Sentences() {}

  /** Offsets where a sentence starts, from 0, and the length of the text at the end. */
  static List<Integer> borders(TextBlock block) {
    String text = block.text();
    BitSet code = new BitSet();
    for (Span s : block.spans()) {
      if (s.code()) {
        code.set(s.start() + 1, s.end());
      }
    }
    BreakIterator breaks = BreakIterator.getSentenceInstance(Locale.ROOT);
    breaks.setText(text);
    List<Integer> borders = new ArrayList<>();
    borders.add(0);
    int start = 0;
    for (int at : candidates(breaks, text)) {
      if (at > start && !code.get(at) && isBorder(text, start, at)) {
        borders.add(at);
        start = at;
      }
    }
    borders.add(text.length());
    return borders;
  }

  /** Borders of the iterator and behind the marks that it doesn't know, ascending. */
  private static SortedSet<Integer> candidates(BreakIterator breaks, String text) {
    SortedSet<Integer> borders = new TreeSet<>();
    for (int at = breaks.next(); at != BreakIterator.DONE; at = breaks.next()) {
      borders.add(at);
    }
    for (int i = 1; i < text.length(); i++) {
      if (text.charAt(i) == ' ' && OTHER_ENDS.indexOf(text.charAt(i - 1)) >= 0) {
        borders.add(i + 1);
      }
    }
    return borders.headSet(text.length());
  }

  private static boolean isBorder(String text, int start, int at) {
    int next = text.codePointAt(at);
    if (Character.isLowerCase(next)) {
      return false;
    }
    String end = text.substring(Math.max(start, at - LOOK_BACK), at).stripTrailing();
    if (end.length() <= 3 && isMark(end)) {
      return false;
    }
    Matcher m = LAST_WORD.matcher(end);
    if (m.find()) {
      String word = m.group(2);
      String lower = word.toLowerCase(Locale.ROOT);
      if (NEVER.contains(lower)
          || (BEFORE_NUMBER.contains(lower) && Character.isDigit(next))
          || isInitial(word, m.group(1))) {
        return false;
      }
    }
    return !insideAside(text, start, at);
  }

  /** The mark of a list item, such as "1." or "a)". */
  private static boolean isMark(String s) {
    return s.endsWith(".") || s.endsWith(")") || s.equals("-");
  }

  /** "J." of "Donald J. Knuth": one capital behind a capitalised word. */
  private static boolean isInitial(String word, @Nullable String before) {
    return word.length() == 1
        && Character.isUpperCase(word.charAt(0))
        && before != null
        && Character.isUpperCase(before.charAt(0));
  }

  private static boolean insideAside(String text, int start, int at) {
    int from = Math.max(start, at - LONGEST_ASIDE);
    int to = Math.min(text.length(), at + LONGEST_ASIDE);
    int open = -1;
    for (int i = from; i < at; i++) {
      char c = text.charAt(i);
      open = c == '(' ? i : c == ')' ? -1 : open;
    }
    for (int i = at; open >= 0 && i < to && i - open <= LONGEST_ASIDE; i++) {
      if (text.charAt(i) == ')') {
        return true;
      }
    }
    return false;
  }
}
