package dev.petunia.examples.conversation.corpus;

import dev.petunia.examples.conversation.corpus.TextBlock.Kind;
import dev.petunia.examples.conversation.corpus.TextBlock.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Cuts the blocks of a document into passages of about {@link #TARGET} words.
 *
 * <p>The units are sentences, list items' sentences, table rows, code samples and headings; a
 * passage is a run of units. Of all ways to cut, the one with the least total cost is taken, by
 * dynamic programming as in Knuth and Plass, "Breaking Paragraphs into Lines" (Software: Practice
 * and Experience 11, 1981): a passage of n words costs ((n − TARGET) / TARGET)², and each cut costs
 * more where the text hangs together more, and less before a heading. So a text of 160 words stays
 * whole, two paragraphs of 110 are parted, and no short remainder is left at the end.
 *
 * <p>No passage has more than {@link #LONGEST} words. A unit that alone is longer is cut at lines,
 * clauses, words or, when it has none of them, anywhere but inside a character; nothing is lost.
 */
final class Chunker {
  /** Belongs to the fingerprint of each corpus; goes up when the same source gives other chunks. */
  static final int VERSION = 2;

  static final int TARGET = 150;
  static final int LONGEST = 225;

  /** A paragraph of at most so many words without a full stop is the title of what follows. */
  private static final int LABEL = 6;

  private static final double HEADING = -0.25;
  private static final double IN_LIST = 0.05;
  private static final double IN_PARAGRAPH = 0.2;
  private static final double BEFORE_SAMPLE = 0.2;
  private static final double TIED = 0.5;
  private static final double NEVER = 1_000;

  private Chunker() {}

  /**
   * A passage.
   *
   * @param text without the headings that {@code section} names; empty when there is nothing else
   * @param section the headings above its start, outermost first; empty when there are none
   * @param links references in it, in order, each once
   * @param words its size
   */
  record Piece(String text, List<String> section, List<String> links, int words) {
    Piece {
      section = List.copyOf(section);
      links = List.copyOf(links);
    }
  }

  /** Cuts; an empty list gives no pieces. */
  static List<Piece> cut(List<TextBlock> blocks) {
    List<Unit> units = Units.of(blocks);
    int[] starts = starts(units);
    List<Piece> pieces = new ArrayList<>();
    Outline outline = new Outline();
    for (int i = 0; i + 1 < starts.length; i++) {
      pieces.add(piece(units.subList(starts[i], starts[i + 1]), outline));
    }
    return pieces;
  }

  /** Where pieces start, and the number of units at the end. */
  private static int[] starts(List<Unit> units) {
    int n = units.size();
    double[] cost = new double[n + 1];
    int[] from = new int[n + 1];
    Arrays.fill(cost, 1, n + 1, Double.POSITIVE_INFINITY);
    for (int end = 1; end <= n; end++) {
      int words = 0;
      for (int start = end - 1; start >= 0; start--) {
        words += units.get(start).words();
        if (words > LONGEST && start < end - 1) {
          break;
        }
        double off = (words - TARGET) / (double) TARGET;
        double c = cost[start] + off * off + (start == 0 ? 0 : cutCost(units, start));
        if (c < cost[end]) {
          cost[end] = c;
          from[end] = start;
        }
      }
    }
    int count = 0;
    for (int end = n; end > 0; end = from[end]) {
      count++;
    }
    int[] starts = new int[count + 1];
    starts[count] = n;
    for (int i = count; i > 0; i--) {
      starts[i - 1] = from[starts[i]];
    }
    return starts;
  }

  /** What it costs to cut before a unit. */
  private static double cutCost(List<Unit> units, int at) {
    Unit before = units.get(at - 1);
    Unit next = units.get(at);
    if (before.block().kind() == Kind.HEADING) {
      return NEVER;
    }
    if (next.block().kind() == Kind.HEADING) {
      return HEADING;
    }
    if (before.number() == next.number()) {
      return IN_PARAGRAPH;
    }
    if (before.introduces() || next.goesOn() || opensTable(units, at)) {
      return TIED;
    }
    return switch (next.block().kind()) {
      case LINES -> BEFORE_SAMPLE;
      case ITEM, ROW -> before.block().kind() == next.block().kind() ? IN_LIST : 0;
      default -> 0;
    };
  }

  /** Whether a cut would part a table from its caption, head or the name of a group of rows. */
  private static boolean opensTable(List<Unit> units, int at) {
    Unit before = units.get(at - 1);
    if (units.get(at).block().kind() != Kind.ROW) {
      return false;
    }
    boolean first =
        before.block().kind() == Kind.ROW
            && (at < 2 || units.get(at - 2).block().kind() != Kind.ROW);
    return before.block().kind() != Kind.ROW || first || before.block().text().indexOf('|') < 0;
  }

  private static Piece piece(List<Unit> units, Outline outline) {
    int first = 0;
    while (first < units.size() && units.get(first).block().kind() == Kind.HEADING) {
      if (first > 0 && !outline.opensBelow(units.get(first).block())) {
        break;
      }
      outline.enter(units.get(first++).block());
    }
    List<String> section = outline.path();
    StringBuilder text = new StringBuilder();
    Set<String> links = new LinkedHashSet<>();
    int words = 0;
    for (int i = 0; i < units.size(); i++) {
      Unit u = units.get(i);
      words += u.words();
      u.addLinks(links);
      if (i >= first) {
        if (u.block().kind() == Kind.HEADING) {
          outline.enter(u.block());
        }
        text.append(text.isEmpty() ? "" : u.joint(units.get(i - 1))).append(u.text());
      }
    }
    return new Piece(text.toString(), section, new ArrayList<>(links), words);
  }

  /**
   * The smallest part of a text that is kept whole.
   *
   * @param number of the block in the document
   */
  record Unit(int number, TextBlock block, int start, int end, int words) {
    /** Without spaces around it, except the indent of a line of code. */
    String text() {
      String text = block.text().substring(start, end);
      return block.kind() == Kind.LINES ? text.stripTrailing() : text.strip();
    }

    /** Whether it says what comes next: "For example:", or a short line that is no sentence. */
    boolean introduces() {
      String text = text();
      boolean label = block.kind() == Kind.PROSE && words <= LABEL;
      return text.endsWith(":")
          || (label && Character.isLetterOrDigit(text.codePointBefore(text.length())));
    }

    /** Whether it goes on with the sentence that a sample or list interrupted. */
    boolean goesOn() {
      return block.kind() == Kind.PROSE && Character.isLowerCase(block.text().codePointAt(start));
    }

    /** What stands between the unit and the one before it. */
    String joint(Unit before) {
      boolean sameLine =
          before.number == number && !block.text().substring(before.start, start).contains("\n");
      if (!sameLine) {
        return "\n";
      }
      boolean space = Character.isWhitespace(block.text().charAt(start - 1));
      return space ? " " : "";
    }

    void addLinks(Set<String> links) {
      for (Span s : block.spans()) {
        if (s.link() != null && start <= s.start() && s.start() < end) {
          links.add(s.link());
        }
      }
    }
  }

  /** The headings above a place in the text. */
  private static final class Outline {
    private final List<TextBlock> open = new ArrayList<>();

    void enter(TextBlock heading) {
      while (!open.isEmpty() && open.getLast().level() >= heading.level()) {
        open.removeLast();
      }
      open.add(heading);
    }

    boolean opensBelow(TextBlock heading) {
      return open.isEmpty() || open.getLast().level() < heading.level();
    }

    List<String> path() {
      return open.stream().map(TextBlock::text).toList();
    }
  }
}
