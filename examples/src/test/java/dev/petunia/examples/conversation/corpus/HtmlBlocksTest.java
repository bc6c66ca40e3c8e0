package dev.petunia.examples.conversation.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.examples.conversation.corpus.TextBlock.Kind;
import dev.petunia.examples.conversation.corpus.TextBlock.Span;
import java.util.List;
import org.junit.jupiter.api.Test;

class HtmlBlocksTest {
  private static List<String> texts(String html) {
    return HtmlBlocks.of(html).stream().map(b -> b.kind() + " " + b.text()).toList();
  }

  @Test
  void paragraphsBecomeLinesWithSingleSpaces() {
    assertEquals(
        List.of("PROSE One two", "PROSE three & four < five"),
        texts(
            "<p> One\n  <b>two</b> </p>\n\n<div>three &amp; four&nbsp;&lt; <i> five </i></div> "));
    assertEquals(List.of("PROSE a", "PROSE b"), texts("a<br>b"));
  }

  @Test
  void nothingVisibleGivesNothing() {
    assertEquals(List.of(), texts(""));
    assertEquals(
        List.of(),
        texts(
            "<p> </p><ul><li></li><li> </li></ul><table><tr><td></td></tr></table><pre>\n\n</pre>"));
    assertEquals(
        List.of("PROSE seen"),
        texts(
            "<script>a</script><style>b</style><nav>c</nav><template>d</template><!-- e --><p>seen"));
  }

  @Test
  void listsKeepTheirMarksAndNestedParagraphs() {
    assertEquals(
        List.of(
            "PROSE Do:",
            "ITEM - one",
            "ITEM - two",
            "PROSE more of two",
            "ITEM 3. c",
            "ITEM 4. d",
            "PROSE end"),
        texts(
            "Do:<ul><li>one<li><p>two</p><p>more of two</p></ul><ol start=3><li>c</li><li>d</li></ol>end"));
    assertEquals(
        List.of("ITEM - a", "ITEM 1. b", "ITEM - c"), texts("<ul><li>a<ol><li>b</ol><li>c</ul>"));
  }

  @Test
  void definitionsStandOnOneLine() {
    assertEquals(
        List.of(
            "ITEM key: the key",
            "ITEM value: the value",
            "PROSE lonely",
            "ITEM both: a",
            "PROSE b"),
        texts(
            "<dl><dt>key<dd>the key<dt>value:<dd><p>the value</p><dt>lonely<dt>both<dd>a<dd>b</dl>"));
  }

  @Test
  void tableRowsBecomeLinesWithBars() {
    assertEquals(
        List.of("PROSE Methods", "ROW Name | Does", "ROW add(e) | adds, once"),
        texts(
            "<table><caption>Methods</caption><tr><th>Name<th>Does</tr>"
                + "<tr><td>add(e)<td><p>adds,</p><ul><li>once</ul></tr></table>"));
  }

  @Test
  void layoutTablesAndSamplesInTablesBecomeBlocks() {
    assertEquals(
        List.of("PROSE left", "LINES int x;\nint y;"),
        texts("<table><tr><td>left<td><pre>int x;\nint y;</pre></tr></table>"));
  }

  @Test
  void samplesKeepTheirLinesWithoutTheCommonIndent() {
    assertEquals(
        List.of("LINES if (a) {\n    b();\n}", "PROSE after"),
        texts("<pre>\n  if (a) {\n  \tb();\n  }\n </pre>after"));
  }

  @Test
  void headingsHaveLevelsAndVeryLongOnesAreProse() {
    List<TextBlock> blocks =
        HtmlBlocks.of("<h2>Use <code>it</code></h2><p>a</p><h3>" + "word ".repeat(31) + "</h3>");
    assertEquals(
        List.of(Kind.HEADING, Kind.PROSE, Kind.PROSE),
        blocks.stream().map(TextBlock::kind).toList());
    assertEquals(2, blocks.getFirst().level());
    assertEquals("Use it", blocks.getFirst().text());
  }

  @Test
  void exponentsAreMarkedOrdinalsAndTrademarksAreNot() {
    assertEquals(
        List.of("PROSE 2^31-1, the 1st Java™, x^n"),
        texts(
            "2<sup>31</sup>-1, the 1<sup>st</sup> Java<sup>™</sup>, <i>x</i><sup><i>n</i></sup>"));
  }

  @Test
  void codeAndLinksAreKnownByTheirPlace() {
    TextBlock b =
        HtmlBlocks.of("See <a data-link=\"Map#get\"> <code> get</code></a> or <code>a b</code> .")
            .getFirst();
    assertEquals("See get or a b .", b.text());
    assertEquals(
        List.of(
            new Span(4, 7, true, null),
            new Span(4, 7, false, "Map#get"),
            new Span(11, 14, true, null)),
        b.spans());
  }

  @Test
  void chineseLinesAreJoinedWithoutASpace() {
    assertEquals(List.of("PROSE 集合框架，提供 Java 算法"), texts("<p>集合框架，\n  提供\nJava 算法</p>"));
  }

  @Test
  void brokenCharactersAreReplacedAndControlsDropped() {
    assertEquals(List.of("PROSE a\uFFFDb c"), texts("a\uD800b\u0007 c\u00AD"));
    assertEquals(List.of("PROSE 😀"), texts("&#x1F600;"));
  }

  @Test
  void anyDepthOfNestingIsRead() {
    String deep = "<div><b>".repeat(20_000) + "end";
    assertTrue(texts(deep).contains("PROSE end"));
  }
}
