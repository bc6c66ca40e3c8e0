package dev.petunia.examples.conversation.corpus;

import dev.petunia.examples.conversation.corpus.FolderWalk.Format;
import dev.petunia.examples.conversation.corpus.TextBlock.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/**
 * A file of text, Markdown or HTML as blocks.
 *
 * @param title the first heading of level 1 (HTML without one: its title element; Markdown without
 *     one: the title of its front matter) of at most 30 words, else the file's name without its
 *     ending
 * @param blocks without the heading that became the title; front matter of Markdown is left out
 */
record Document(String title, List<TextBlock> blocks) {
  private static final Pattern FRONT_MATTER =
      Pattern.compile(
          "\\A---[ \\t]*\\R(.*?\\R)??(?:---|\\.\\.\\.)[ \\t]*(?:\\R|\\z)", Pattern.DOTALL);
  private static final Pattern FRONT_TITLE =
      Pattern.compile("(?m)^title[ \\t]*:[ \\t]*[\"']?(.*?)[\"']?[ \\t]*$");
  private static final Pattern ITEM = Pattern.compile("^\\s*(?:[-*\u2022]|\\d{1,3}[.)])\\s+\\S");

  /** Lines all shorter than this, in chars, are verse, addresses or tables: they stay lines. */
  private static final int SHORT_LINE = 45;

  Document {
    blocks = List.copyOf(blocks);
  }

  static Document of(String text, Format format, String path) {
    return switch (format) {
      case TEXT -> new Document(fileName(path), text(text));
      case MARKDOWN -> markdown(text, path);
      case HTML -> html(text, path);
    };
  }

  private static Document markdown(String text, String path) {
    Matcher m = FRONT_MATTER.matcher(text);
    String title = null;
    String body = text;
    if (m.find()) {
      body = text.substring(m.end());
      Matcher t = FRONT_TITLE.matcher(m.group());
      title = t.find() ? t.group(1) : null;
    }
    return titled(HtmlBlocks.of(Markdown.html(body)), title, path);
  }

  private static Document html(String text, String path) {
    org.jsoup.nodes.Document d = Jsoup.parse(text);
    Element body = d.body();
    return titled(HtmlBlocks.of(body), d.title(), path);
  }

  /** The first heading of level 1 is the title; it goes when nothing but it says so. */
  private static Document titled(List<TextBlock> blocks, @Nullable String otherTitle, String path) {
    for (int i = 0; i < blocks.size(); i++) {
      TextBlock b = blocks.get(i);
      if (b.kind() == Kind.HEADING && b.level() == 1) {
        List<TextBlock> rest = new ArrayList<>(blocks);
        rest.remove(i);
        return new Document(b.text(), rest);
      }
    }
    String title = otherTitle == null ? "" : BlockBuilder.line(otherTitle);
    boolean fits = !title.isEmpty() && Scripts.words(title) <= BlockBuilder.LONGEST_HEADING;
    return new Document(fits ? title : fileName(path), blocks);
  }

  private static String fileName(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  /** Paragraphs stand between empty lines. */
  private static List<TextBlock> text(String text) {
    BlockBuilder out = new BlockBuilder();
    List<String> paragraph = new ArrayList<>();
    for (String line : text.replace("\f", "\n\n").lines().toList()) {
      if (line.isBlank()) {
        paragraph(paragraph, out);
      } else {
        paragraph.add(line);
      }
    }
    paragraph(paragraph, out);
    return out.blocks();
  }

  /** An item begins with a dash, dot or number. Clears the lines. */
  private static void paragraph(List<String> lines, BlockBuilder out) {
    boolean verse =
        lines.size() > 1 && lines.stream().allMatch(l -> l.strip().length() < SHORT_LINE);
    Kind kind = Kind.PROSE;
    for (String line : lines) {
      boolean item = ITEM.matcher(line).find();
      if (item || verse) {
        out.end(kind);
        kind = item ? Kind.ITEM : Kind.PROSE;
      }
      out.prose(line);
      out.prose("\n");
    }
    out.end(kind);
    lines.clear();
  }
}
