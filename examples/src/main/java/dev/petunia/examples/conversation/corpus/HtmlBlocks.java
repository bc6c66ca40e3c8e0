package dev.petunia.examples.conversation.corpus;

import dev.petunia.examples.conversation.corpus.TextBlock.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeFilter;
import org.jsoup.select.NodeTraversor;
import org.jspecify.annotations.Nullable;

/**
 * Turns HTML into {@link TextBlock}s: paragraphs, list items ({@code - }), numbered items, table
 * rows ({@code a | b}), definitions ({@code term: text}), code samples with their lines, headings.
 * Scripts, styles, navigation and page templates are left out.
 *
 * <p>An element with the attribute {@link #LINK} becomes a link span; {@code href} does not.
 *
 * <p>The walk keeps its own stack, so that no depth of nesting overflows the thread's.
 */
final class HtmlBlocks implements NodeFilter {
  /** Attribute of an {@code a} element: a reference in the words of the source. */
  static final String LINK = "data-link";

  private static final Set<String> HIDDEN =
      Set.of(
          "script",
          "style",
          "nav",
          "noscript",
          "template",
          "svg",
          "head",
          "iframe",
          "object",
          "select",
          "button",
          "textarea");
  private static final Set<String> BLOCK =
      Set.of(
          "p",
          "div",
          "section",
          "article",
          "main",
          "header",
          "footer",
          "aside",
          "blockquote",
          "figure",
          "figcaption",
          "address",
          "details",
          "summary",
          "hr",
          "br",
          "table",
          "thead",
          "tbody",
          "tfoot",
          "caption",
          "ul",
          "ol",
          "dl",
          "dt",
          "dd",
          "li",
          "tr",
          "form",
          "fieldset",
          "body",
          "html",
          "pre");
  private static final Set<String> CODE = Set.of("code", "tt", "kbd", "samp");

  private static final Set<String> NO_EXPONENT =
      Set.of("", "st", "nd", "rd", "th", "tm", "sm", "\u00AE", "\u2122");

  /** A table row longer than this, in chars, is layout: its cells become blocks of their own. */
  private static final int LONGEST_ROW = 1_000;

  private final BlockBuilder out = new BlockBuilder();
  private final Deque<Integer> marks = new ArrayDeque<>();
  private final Deque<Integer> numbers = new ArrayDeque<>();
  private Kind kind = Kind.PROSE;
  private @Nullable Element pre;
  private @Nullable Element row;
  private @Nullable Element heading;
  private boolean term;

  /** Length of the mark that opened the block, such as "- "; its text starts behind it. */
  private int opened;

  private HtmlBlocks() {}

  /** The blocks of an HTML fragment. */
  static List<TextBlock> of(String html) {
    return of(Jsoup.parseBodyFragment(html).body());
  }

  /** The blocks below an element. */
  static List<TextBlock> of(Element root) {
    HtmlBlocks walk = new HtmlBlocks();
    NodeTraversor.filter(walk, root);
    walk.end();
    return walk.out.blocks();
  }

  @Override
  public FilterResult head(Node node, int depth) {
    if (node instanceof TextNode t) {
      if (pre != null) {
        out.raw(t.getWholeText());
      } else if (!t.isBlank() || !out.isEmpty()) {
        out.prose(t.getWholeText());
      }
      return FilterResult.CONTINUE;
    }
    if (!(node instanceof Element e)) {
      return FilterResult.CONTINUE;
    }
    String name = e.normalName();
    if (HIDDEN.contains(name)) {
      return FilterResult.SKIP_ENTIRELY;
    }
    if (pre == null) {
      open(e, name);
    } else if (name.equals("br")) {
      out.raw("\n");
    }
    if (CODE.contains(name) || e.hasAttr(LINK)) {
      marks.push(out.mark());
    }
    return FilterResult.CONTINUE;
  }

  @Override
  public FilterResult tail(@Nullable Node node, int depth) {
    if (!(node instanceof Element e)) {
      return FilterResult.CONTINUE;
    }
    String name = e.normalName();
    if (CODE.contains(name) || e.hasAttr(LINK)) {
      String link = e.hasAttr(LINK) ? e.attr(LINK) : null;
      out.span(Math.min(marks.pop(), out.mark()), CODE.contains(name), link);
    }
    if (e.equals(pre)) {
      out.end(Kind.LINES);
      pre = null;
    } else if (pre == null) {
      close(e, name);
    }
    return FilterResult.CONTINUE;
  }

  private void open(Element e, String name) {
    switch (name) {
      case "pre" -> {
        end();
        row = null;
        pre = e;
      }
      case "tr" -> {
        end();
        boolean table = e.selectFirst("table, pre") == null && e.text().length() <= LONGEST_ROW;
        row = table ? e : null;
      }
      case "td", "th" -> openCell();
      case "li" -> openItem();
      case "ol", "ul" -> {
        numbers.push(name.equals("ol") ? start(e) : -1);
        boundary();
      }
      case "dd" -> openDefinition();
      case "h1", "h2", "h3", "h4", "h5", "h6" -> {
        if (row == null) {
          end();
          heading = e;
        }
      }
      case "img" -> out.prose(e.attr("alt"));
      case "q" -> out.prose("\"");
      case "sup" -> superscript(e);
      default -> {
        if (BLOCK.contains(name)) {
          boundary();
        }
      }
    }
  }

  private void close(Element e, String name) {
    if (e.equals(heading)) {
      out.end(Kind.HEADING, name.charAt(1) - '0');
      heading = null;
    } else if (e.equals(row)) {
      out.end(Kind.ROW);
      row = null;
    } else if (name.equals("q")) {
      out.prose("\"");
    } else if (name.equals("dt")) {
      term = !out.isEmpty();
    } else if (name.equals("li") && onlyMark()) {
      out.clear();
      end();
    } else if (name.equals("ol") || name.equals("ul")) {
      numbers.poll();
      boundary();
    } else if (BLOCK.contains(name)) {
      boundary();
    }
  }

  private void openCell() {
    if (row == null) {
      end();
    } else if (!out.isEmpty()) {
      out.prose(" | ");
    }
  }

  private void openItem() {
    if (inline()) {
      out.prose(" ");
      return;
    }
    end();
    Integer number = numbers.peek();
    if (number == null || number < 0) {
      out.prose("- ");
    } else {
      out.prose(number + ". ");
      numbers.pop();
      numbers.push(number + 1);
    }
    openMark();
  }

  private void openMark() {
    opened = out.length();
    kind = Kind.ITEM;
  }

  private void openDefinition() {
    if (term && !out.isEmpty()) {
      out.prose(out.last() == ':' ? " " : ": ");
      term = false;
      openMark();
    } else {
      boundary();
    }
  }

  /** 2 to the 31 is written 2^31; the marks of {@link #NO_EXPONENT} stay as they are. */
  private void superscript(Element e) {
    if (!NO_EXPONENT.contains(e.text().strip().toLowerCase(Locale.ROOT))
        && (Character.isLetterOrDigit(out.last()) || out.last() == ')')) {
      out.prose("^");
    }
  }

  private static int start(Element list) {
    try {
      return Integer.parseInt(list.attr("start"));
    } catch (NumberFormatException none) {
      return 1;
    }
  }

  private boolean inline() {
    return row != null || heading != null;
  }

  /** A block begins or ends, which in a table row or a heading is no more than a space. */
  private void boundary() {
    if (inline()) {
      out.prose(" ");
    } else if (!onlyMark()) {
      end();
    }
  }

  /** Whether the block has its mark only: the first paragraph of an item continues its line. */
  private boolean onlyMark() {
    return opened > 0 && out.length() == opened;
  }

  private void end() {
    out.end(kind);
    kind = Kind.PROSE;
    term = false;
    opened = 0;
  }
}
