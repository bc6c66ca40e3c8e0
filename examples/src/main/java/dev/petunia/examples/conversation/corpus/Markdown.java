package dev.petunia.examples.conversation.corpus;

import java.util.List;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** Markdown (CommonMark with tables) to HTML; HTML inside it stays. Safe for concurrent use. */
final class Markdown {
  private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
  private static final HtmlRenderer RENDERER =
      HtmlRenderer.builder().extensions(EXTENSIONS).build();

  private Markdown() {}

  static String html(String markdown) {
    return RENDERER.render(PARSER.parse(markdown));
  }
}
