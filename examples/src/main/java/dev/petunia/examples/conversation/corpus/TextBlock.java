package dev.petunia.examples.conversation.corpus;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a document as plain text: a paragraph, a list item, a table row, a code sample or a
 * heading.
 *
 * @param kind what it was in the source
 * @param level of a heading, 1 to 6; 0 for everything else
 * @param text never blank; one line, except {@link Kind#LINES}
 * @param spans parts of the text with a meaning, in order of their start
 */
record TextBlock(Kind kind, int level, String text, List<Span> spans) {
  enum Kind {
    PROSE,
    ITEM,
    ROW,
    LINES,
    HEADING
  }

  /**
   * A part of the text that is code, a link, or both.
   *
   * @param start first char
   * @param end after the last char
   * @param code whether a sentence must not end inside, as in {@code a == null ? b : c}
   * @param link what it refers to, as written in the source; null when it is no link
   */
  record Span(int start, int end, boolean code, @Nullable String link) {}

  TextBlock {
    spans = List.copyOf(spans);
  }

  TextBlock(Kind kind, String text) {
    this(kind, 0, text, List.of());
  }
}
