package dev.petunia.examples.conversation.corpus;

import com.sun.source.doctree.AttributeTree;
import com.sun.source.doctree.CommentTree;
import com.sun.source.doctree.DeprecatedTree;
import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocRootTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.DocTypeTree;
import com.sun.source.doctree.EndElementTree;
import com.sun.source.doctree.EntityTree;
import com.sun.source.doctree.ErroneousTree;
import com.sun.source.doctree.EscapeTree;
import com.sun.source.doctree.IndexTree;
import com.sun.source.doctree.InheritDocTree;
import com.sun.source.doctree.LinkTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.doctree.ProvidesTree;
import com.sun.source.doctree.RawTextTree;
import com.sun.source.doctree.ReferenceTree;
import com.sun.source.doctree.ReturnTree;
import com.sun.source.doctree.SeeTree;
import com.sun.source.doctree.SinceTree;
import com.sun.source.doctree.SnippetTree;
import com.sun.source.doctree.StartElementTree;
import com.sun.source.doctree.SummaryTree;
import com.sun.source.doctree.SystemPropertyTree;
import com.sun.source.doctree.TextTree;
import com.sun.source.doctree.ThrowsTree;
import com.sun.source.doctree.UnknownBlockTagTree;
import com.sun.source.doctree.UnknownInlineTagTree;
import com.sun.source.doctree.UsesTree;
import com.sun.source.doctree.ValueTree;
import com.sun.source.util.DocTreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Turns one documentation comment into plain HTML: inline tags become text, code and links, block
 * tags become sentences. Comments in Markdown go through {@link Markdown}.
 *
 * <p>Left out: {@code @author}, {@code @version}, {@code @serial} and its kin, {@code @jls}, {@code
 * @jvms}, {@code @spec}, {@code @moduleGraph}, {@code @sealedGraph}, {@code {@inheritDoc}} and what
 * says nothing without it. {@code @since} and {@code @see} are kept apart.
 */
final class DocHtml {
  private static final Set<String> LEFT_OUT =
      Set.of("jls", "jvms", "spec", "moduleGraph", "sealedGraph", "toolGuide");

  private static final Pattern END_TAGS = Pattern.compile("(?:</?(\\w+)[^>]*>|\\s)+$");
  private static final Set<String> BLOCKS = Set.of("ul", "ol", "pre", "table", "dl", "div");
  private static final String CLOSERS = ")]\"'";
  private static final String SENTENCE_ENDS = ".!?:;";
  private static final String MARKS = "\\`*_{}[]()#+-.!|~";
  private static final Pattern PACKAGE = Pattern.compile("(?:\\p{Ll}[\\w$]*\\.)+(?=\\p{Lu})");

  private final boolean markdown;
  private final Function<SnippetTree, String> snippets;
  private final Function<String, @Nullable String> constants;

  /**
   * A rendered comment.
   *
   * @param see targets of {@code @see}, as written
   * @param hidden whether its author wants it out of the documentation
   */
  record Doc(String html, @Nullable String since, List<String> see, boolean hidden) {}

  private DocHtml(
      boolean markdown,
      Function<SnippetTree, String> snippets,
      Function<String, @Nullable String> constants) {
    this.markdown = markdown;
    this.snippets = snippets;
    this.constants = constants;
  }

  /**
   * Renders a comment.
   *
   * @param comment the comment
   * @param snippets gives the lines of a snippet, be they inside or in a file
   * @param constants gives the value of the constant that a {@code {@value}} names (empty: the
   *     documented one), null when it isn't known
   */
  static Doc render(
      DocCommentTree comment,
      Function<SnippetTree, String> snippets,
      Function<String, @Nullable String> constants) {
    DocHtml r = new DocHtml(isMarkdown(comment), snippets, constants);
    StringBuilder html = new StringBuilder(r.part("", comment.getFullBody()));
    String since = null;
    boolean hidden = false;
    List<String> see = new ArrayList<>();
    for (DocTree tag : comment.getBlockTags()) {
      switch (tag) {
        case SinceTree t -> since = r.inline(t.getBody()).strip();
        case SeeTree t -> {
          if (t.getReference().getFirst() instanceof ReferenceTree ref) {
            see.add(ref.getSignature());
          }
        }
        default -> {
          hidden |= tag.getKind() == DocTree.Kind.HIDDEN;
          html.append(r.blockTag(tag));
        }
      }
    }
    return new Doc(html.toString(), since, see, hidden);
  }

  private static boolean isMarkdown(DocCommentTree comment) {
    Boolean found =
        new DocTreeScanner<@Nullable Boolean, @Nullable Void>() {
          @Override
          public Boolean visitRawText(RawTextTree t, @Nullable Void v) {
            return true;
          }

          @Override
          public @Nullable Boolean reduce(@Nullable Boolean a, @Nullable Boolean b) {
            return a != null ? a : b;
          }
        }.scan(comment, null);
    return found != null;
  }

  private String blockTag(DocTree tag) {
    return switch (tag) {
      case ParamTree t -> {
        String what = t.isTypeParameter() ? "Type parameter " : "Parameter ";
        yield sentence(what + t.getName() + ": ", t.getDescription());
      }
      case ReturnTree t -> returns(t.getDescription());
      case ThrowsTree t -> thrown(t);
      case DeprecatedTree t -> sentence("Deprecated: ", t.getBody());
      case UsesTree t -> sentence("Uses " + t.getServiceType() + ": ", t.getDescription());
      case ProvidesTree t -> sentence("Provides " + t.getServiceType() + ": ", t.getDescription());
      case UnknownBlockTagTree t when !LEFT_OUT.contains(t.getTagName()) ->
          switch (t.getTagName()) {
            case "apiNote" -> part("API note: ", t.getContent());
            case "implSpec" -> part("Implementation requirements: ", t.getContent());
            case "implNote" -> part("Implementation note: ", t.getContent());
            default -> part("@" + t.getTagName() + " ", t.getContent());
          };
      case ErroneousTree t -> part("", List.of(t));
      default -> "";
    };
  }

  private String thrown(ThrowsTree t) {
    String name = simple(t.getExceptionName().getSignature());
    String text = inline(t.getDescription()).strip();
    if (text.isEmpty()) {
      return "<p>Throws " + escape(name) + ".</p>";
    }
    for (String word : List.of("If ", "When ", "In ", "On ", "Unless ", "For ")) {
      text = lower(text, word);
    }
    boolean clause = Character.isLowerCase(text.charAt(0));
    return finished("Throws " + name + (clause ? " " : ": "), text);
  }

  private String returns(List<? extends DocTree> description) {
    String text = inline(description).strip();
    if (text.isEmpty()) {
      return "";
    }
    if (text.startsWith("Returns ") || text.startsWith("returns ")) {
      return finished("R", text.substring(1));
    }
    for (String word : List.of("The ", "A ", "An ", "This ", "If ")) {
      text = lower(text, word);
    }
    return finished("Returns ", text);
  }

  private static String lower(String text, String firstWord) {
    return text.startsWith(firstWord)
        ? firstWord.toLowerCase(Locale.ROOT) + text.substring(firstWord.length())
        : text;
  }

  private String sentence(String prefix, List<? extends DocTree> description) {
    String text = inline(description).strip();
    return text.isEmpty() ? "" : finished(prefix, text);
  }

  /** A paragraph that ends with a full stop, unless it ends with a list, table or sample. */
  private String finished(String prefix, String text) {
    Matcher m = END_TAGS.matcher(text);
    int end = m.find() ? m.start() : text.length();
    boolean block = end < text.length() && m.group(1) != null && BLOCKS.contains(m.group(1));
    int last = end;
    while (last > 1 && CLOSERS.indexOf(text.charAt(last - 1)) >= 0) {
      last--;
    }
    boolean done = block || (last > 0 && SENTENCE_ENDS.indexOf(text.charAt(last - 1)) >= 0);
    return paragraph(prefix, done ? text : text.substring(0, end) + "." + text.substring(end));
  }

  private String part(String prefix, List<? extends DocTree> trees) {
    String text = inline(trees);
    return text.isBlank() ? "" : paragraph(prefix, text);
  }

  private String paragraph(String prefix, String text) {
    String all = escape(prefix) + text;
    return markdown ? Markdown.html(all) : "<p>" + all + "</p>";
  }

  private String inline(List<? extends DocTree> trees) {
    StringBuilder html = new StringBuilder();
    trees.forEach(t -> inline(t, html));
    return html.toString();
  }

  private void inline(DocTree tree, StringBuilder html) {
    switch (tree) {
      case RawTextTree t -> html.append(t.getContent());
      case EscapeTree t -> html.append(escape(t.getBody()));
      case TextTree t -> html.append(escape(t.getBody()));
      case EntityTree t -> html.append(t);
      case StartElementTree t -> start(t, html);
      case EndElementTree t -> html.append("</").append(t.getName()).append('>');
      case LiteralTree t when t.getKind() == DocTree.Kind.CODE -> code(t.getBody().getBody(), html);
      case LiteralTree t -> html.append(escape(t.getBody().getBody()));
      case LinkTree t -> link(t, html);
      case ReturnTree t -> html.append("Returns ").append(inline(t.getDescription())).append(". ");
      case ValueTree t -> code(value(t), html);
      case SystemPropertyTree t -> code(t.getPropertyName().toString(), html);
      case IndexTree t -> html.append(escape(unquoted(t.getSearchTerm().toString())));
      case SummaryTree t -> html.append(inline(t.getSummary()));
      case SnippetTree t ->
          html.append("\n\n<pre>").append(escape(snippets.apply(t))).append("</pre>\n\n");
      case UnknownInlineTagTree t -> unknown(t, html);
      case DocTypeTree t -> {}
      case CommentTree t -> {}
      case InheritDocTree t -> {}
      case DocRootTree t -> {}
      default -> html.append(escape(tree.toString()));
    }
  }

  /** Attributes don't matter to plain text, but for a few. */
  private static void start(StartElementTree t, StringBuilder html) {
    html.append('<').append(t.getName());
    for (DocTree a : t.getAttributes()) {
      if (a instanceof AttributeTree at) {
        String name = at.getName().toString().toLowerCase(Locale.ROOT);
        if (at.getValue() != null && (name.equals("alt") || name.equals("start"))) {
          String value = at.getValue().toString();
          html.append(' ')
              .append(name)
              .append("=\"")
              .append(value.replace("\"", "&quot;"))
              .append('"');
        }
      }
    }
    html.append('>');
  }

  private void code(String text, StringBuilder html) {
    html.append("<code>").append(escape(text)).append("</code>");
  }

  private void link(LinkTree t, StringBuilder html) {
    String ref = t.getReference().getSignature();
    String label = inline(t.getLabel()).strip();
    html.append("<a " + HtmlBlocks.LINK + "=\"");
    html.append(ref.replace("&", "&amp;").replace("\"", "&quot;")).append("\">");
    if (label.isEmpty()) {
      code(shown(ref), html);
    } else if (t.getKind() == DocTree.Kind.LINK) {
      html.append("<code>").append(label).append("</code>");
    } else {
      html.append(label);
    }
    html.append("</a>");
  }

  /** A reference as javadoc shows it: {@code java.util.Map#get(Object)} is Map.get(Object). */
  private static String shown(String ref) {
    int hash = ref.indexOf('#');
    String type = simple(hash < 0 ? ref : ref.substring(0, hash));
    String member = hash < 0 ? "" : ref.substring(hash + 1);
    return type + (type.isEmpty() || member.isEmpty() ? "" : ".") + member;
  }

  /** Without module and package; a name of lower-case parts only is a package and stays. */
  static String simple(String type) {
    String name = type.substring(type.indexOf('/') + 1);
    Matcher m = PACKAGE.matcher(name);
    return m.lookingAt() ? name.substring(m.end()) : name;
  }

  private String value(ValueTree t) {
    String ref = t.getReference() == null ? "" : t.getReference().getSignature();
    String value = constants.apply(ref);
    return value != null ? value : shown(ref);
  }

  private void unknown(UnknownInlineTagTree t, StringBuilder html) {
    String text = inline(t.getContent()).strip();
    switch (t.getTagName()) {
      // {@extLink id words}, {@toolGuide id words}: the id is for the documentation's builder
      case "extLink" -> html.append(text.substring(text.indexOf(' ') + 1));
      case "toolGuide" -> html.append(text.substring(text.indexOf(' ') + 1));
      default -> html.append(text);
    }
  }

  private static String unquoted(String s) {
    return s.length() > 1 && s.startsWith("\"") && s.endsWith("\"")
        ? s.substring(1, s.length() - 1)
        : s;
  }

  /** Text that must come out as it is; in Markdown its punctuation would be read as marks. */
  private String escape(String s) {
    StringBuilder b = new StringBuilder(s.length() + 16);
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      if (c == '&' || c == '<' || c == '>' || (markdown && MARKS.indexOf(c) >= 0)) {
        b.append("&#").append((int) c).append(';');
      } else {
        b.append(c);
      }
    }
    return b.toString();
  }
}
