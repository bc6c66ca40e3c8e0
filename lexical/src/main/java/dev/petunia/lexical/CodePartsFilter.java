package dev.petunia.lexical;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.util.AttributeSource;
import org.jspecify.annotations.Nullable;

/**
 * Adds the parts of a compound name behind the name itself, at the same position.
 *
 * <pre>{@code
 * Files.readAllLines   +  Files  readAllLines  read  All  Lines
 * ConcurrentHashMap    +  Concurrent  Hash  Map
 * MAX_VALUE            +  MAX  VALUE
 * parseURLs            +  parse  URLs
 * 10.6.0, p53, U.S.A   (no parts: no letter, no change of case, parts of one letter)
 * }</pre>
 *
 * <p>A name is cut at {@code . _ :} into pieces, and a piece where its case says that a word
 * begins. Parts of one character are left out. A piece with more than {@value #MAX_PARTS} parts is
 * no name but encoded data (base64 and the like) and is not cut by case.
 *
 * <p>Must stand before lower-casing. As the parts share the position of the whole, they don't add
 * to the length that BM25 divides by.
 */
final class CodePartsFilter extends TokenFilter {
  /** More parts than any name that people write has. */
  static final int MAX_PARTS = 16;

  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final PositionIncrementAttribute increment =
      addAttribute(PositionIncrementAttribute.class);
  private final ArrayDeque<String> pending = new ArrayDeque<>();
  private AttributeSource.@Nullable State whole;

  CodePartsFilter(TokenStream input) {
    super(input);
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    pending.clear();
    whole = null;
  }

  @Override
  public boolean incrementToken() throws IOException {
    String part = pending.poll();
    if (part != null) {
      restoreState(whole);
      term.setEmpty().append(part);
      increment.setPositionIncrement(0);
      return true;
    }
    if (!input.incrementToken()) {
      return false;
    }
    Set<String> parts = parts(term);
    if (!parts.isEmpty()) {
      whole = captureState();
      pending.addAll(parts);
    }
    return true;
  }

  /** The parts of a token, without the token itself, each once, in the order of the text. */
  static Set<String> parts(CharSequence token) {
    if (!maybeCompound(token)) {
      return Set.of();
    }
    String name = token.toString();
    Set<String> parts = new LinkedHashSet<>();
    List<String> pieces = pieces(name);
    if (pieces.size() > 1) {
      pieces.forEach(p -> addPart(parts, p));
    }
    for (String piece : pieces) {
      List<String> words = words(piece);
      if (words.size() > 1 && words.size() <= MAX_PARTS) {
        words.forEach(w -> addPart(parts, w));
      }
    }
    parts.remove(name);
    return parts;
  }

  private static void addPart(Set<String> parts, String part) {
    if (part.length() > 1) {
      parts.add(part);
    }
  }

  /** Most words are none: they leave here without an allocation. */
  private static boolean maybeCompound(CharSequence token) {
    boolean letter = false;
    boolean border = false;
    for (int i = 0; i < token.length(); i++) {
      char c = token.charAt(i);
      letter |= Character.isLetter(c);
      border |= isSeparator(c) || (i > 0 && Character.isUpperCase(c));
    }
    return letter && border;
  }

  private static boolean isSeparator(char c) {
    return c == '.' || c == '_' || c == ':';
  }

  private static List<String> pieces(String name) {
    List<String> pieces = new ArrayList<>();
    int from = 0;
    for (int i = 0; i <= name.length(); i++) {
      if (i == name.length() || isSeparator(name.charAt(i))) {
        if (i > from) {
          pieces.add(name.substring(from, i));
        }
        from = i + 1;
      }
    }
    return pieces;
  }

  private static List<String> words(String piece) {
    List<String> words = new ArrayList<>();
    int from = 0;
    for (int i = 1; i < piece.length(); i++) {
      if (beginsWord(piece, i)) {
        words.add(piece.substring(from, i));
        from = i;
      }
    }
    words.add(piece.substring(from));
    return words;
  }

  private static boolean beginsWord(String s, int i) {
    char before = s.charAt(i - 1);
    char c = s.charAt(i);
    if (!Character.isUpperCase(c)) {
      return false;
    }
    if (Character.isLowerCase(before)) {
      return true; // readAll -> read, All
    }
    if (i + 1 == s.length() || !Character.isLowerCase(s.charAt(i + 1))) {
      return false;
    }
    if (Character.isDigit(before)) {
      return i > 1; // Utf8Decoder -> Utf8, Decoder
    }
    // HTTPServer -> HTTP, Server; but URLs is the plural of URL
    boolean plural = i + 2 == s.length() && s.charAt(i + 1) == 's';
    return Character.isUpperCase(before) && !plural;
  }
}
