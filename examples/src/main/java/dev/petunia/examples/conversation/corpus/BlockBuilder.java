package dev.petunia.examples.conversation.corpus;

import dev.petunia.examples.conversation.corpus.TextBlock.Kind;
import dev.petunia.examples.conversation.corpus.TextBlock.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects text into {@link TextBlock}s. White space becomes one space, except in code samples;
 * control characters and soft hyphens go, and half a surrogate pair becomes U+FFFD.
 */
final class BlockBuilder {
  /** Headings stand above each passage of their section; longer ones, in words, are prose. */
  static final int LONGEST_HEADING = 30;

  private final List<TextBlock> blocks = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private final List<Span> spans = new ArrayList<>();
  private boolean space;
  private boolean newline;

  /** A text as one line, cleaned as prose is. */
  static String line(String s) {
    BlockBuilder b = new BlockBuilder();
    b.prose(s);
    return b.text.toString();
  }

  /** Appends prose. */
  void prose(String s) {
    for (int i = 0; i < s.length(); ) {
      int c = s.codePointAt(i);
      i += Character.charCount(c);
      if (Character.isWhitespace(c) || c == 0xA0) {
        space = true;
        newline |= c == '\n' || c == '\r';
      } else if (!dropped(c)) {
        putSpace(c);
        text.appendCodePoint(whole(c));
      }
    }
  }

  /** Appends lines of a code sample as they are. */
  void raw(String s) {
    s.codePoints()
        .filter(c -> c == '\n' || c == '\t' || c == ' ' || !dropped(c))
        .forEach(c -> text.appendCodePoint(whole(c)));
  }

  /** Where the next text will start. */
  int mark() {
    if (space && !text.isEmpty()) {
      putSpace('x');
    }
    return text.length();
  }

  /** Says what the text since a {@link #mark} is. */
  void span(int mark, boolean code, @Nullable String link) {
    if (mark < text.length()) {
      spans.add(new Span(mark, text.length(), code, link));
    }
  }

  /** Forgets the text since the last end. */
  void clear() {
    text.setLength(0);
    spans.clear();
  }

  /** Chars so far of the block under construction, without a space at its end. */
  int length() {
    return text.length();
  }

  boolean isEmpty() {
    return text.isEmpty();
  }

  /** The last char so far of the block under construction; 0 when there is none. */
  char last() {
    return text.isEmpty() ? 0 : text.charAt(text.length() - 1);
  }

  /** Ends a block; nothing happens when it has no text. */
  void end(Kind kind) {
    end(kind, 0);
  }

  /** Ends a block; nothing happens when it has no text. */
  void end(Kind kind, int level) {
    if (kind == Kind.LINES) {
      endLines();
    } else if (!text.isEmpty()) {
      endLine(kind, level);
    }
    text.setLength(0);
    spans.clear();
    space = false;
    newline = false;
  }

  List<TextBlock> blocks() {
    return blocks;
  }

  /** A mark may have put a space that no text followed. */
  private void endLine(Kind kind, int level) {
    String line = text.toString().stripTrailing();
    spans.removeIf(s -> s.end() > line.length());
    spans.sort(Comparator.comparingInt(Span::start));
    if (kind == Kind.HEADING && Scripts.words(line) > LONGEST_HEADING) {
      blocks.add(new TextBlock(Kind.PROSE, 0, line, spans));
    } else if (!line.isEmpty()) {
      blocks.add(new TextBlock(kind, level, line, spans));
    }
  }

  /** Links of a code sample are kept at its start: cutting the indent moves the positions. */
  private void endLines() {
    String lines = text.toString().replace("\t", "    ").stripTrailing();
    lines = lines.replaceAll("^(?:[ ]*\n)+", "").stripIndent();
    if (!lines.isBlank()) {
      List<Span> links = new ArrayList<>();
      for (Span s : spans) {
        if (s.link() != null) {
          links.add(new Span(0, 1, true, s.link()));
        }
      }
      blocks.add(new TextBlock(Kind.LINES, 0, lines, links));
    }
  }

  private void putSpace(int next) {
    if (space && !text.isEmpty() && last() != ' ' && !(newline && joined(next))) {
      text.append(' ');
    }
    space = false;
    newline = false;
  }

  private boolean joined(int next) {
    return Scripts.joinsWithoutSpace(next)
        && Scripts.joinsWithoutSpace(text.codePointBefore(text.length()));
  }

  private static boolean dropped(int c) {
    return Character.isISOControl(c) || c == 0xAD || c == 0xFEFF;
  }

  private static int whole(int c) {
    return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c;
  }
}
