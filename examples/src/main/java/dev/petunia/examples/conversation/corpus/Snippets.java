package dev.petunia.examples.conversation.corpus;

import com.sun.source.doctree.AttributeTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.SnippetTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The lines of {@code @snippet} tags of one source file: from the tag or from a file, cut to the
 * region asked for, without markup comments ({@code // @highlight ...}).
 */
final class Snippets implements Function<SnippetTree, String> {
  private static final Pattern MARKUP =
      Pattern.compile("\\s*(?://|#|<!--|;)\\s*@(start|end|highlight|replace|link)\\b(.*)$");
  private static final Pattern REGION =
      Pattern.compile("(?:^|\\s)region(?:\\s*=\\s*[\"']?([\\w.-]+)[\"']?)?");

  private final SourceZip zip;
  private final String source;
  private final List<String> missing = new ArrayList<>();

  Snippets(SourceZip zip, String source) {
    this.zip = zip;
    this.source = source;
  }

  /** Files and regions that were asked for and are not there. */
  List<String> missing() {
    return missing;
  }

  @Override
  public String apply(SnippetTree snippet) {
    String region = attribute(snippet, "region");
    if (snippet.getBody() != null) {
      return lines(snippet.getBody().getBody(), region);
    }
    String type = attribute(snippet, "class");
    String file = type == null ? attribute(snippet, "file") : type.replace('.', '/') + ".java";
    String text = file == null ? null : read(file);
    String lines = text == null ? "" : lines(text, region);
    if (lines.isBlank()) {
      missing.add(file + (region == null ? "" : " region " + region));
    }
    return lines;
  }

  private @Nullable String read(String file) {
    try {
      return zip.readSnippet(source, file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable String attribute(SnippetTree snippet, String name) {
    for (DocTree t : snippet.getAttributes()) {
      if (t instanceof AttributeTree a
          && a.getName().toString().toLowerCase(Locale.ROOT).equals(name)
          && a.getValue() != null
          && !a.getValue().isEmpty()) {
        return a.getValue().getFirst().toString();
      }
    }
    return null;
  }

  /** Lines of a region (all when null), without markup; regions nest. */
  static String lines(String text, @Nullable String region) {
    List<String> lines = new ArrayList<>();
    Deque<String> open = new ArrayDeque<>();
    for (String line : text.lines().toList()) {
      Matcher m = MARKUP.matcher(line);
      boolean markup = m.find();
      if (markup && opensRegion(m)) {
        open.push(region(m.group(2)));
      }
      String code = markup ? line.substring(0, m.start()) : line;
      boolean wanted = region == null || open.contains(region);
      if (wanted && !(markup && code.isBlank())) {
        lines.add(code);
      }
      if (markup && m.group(1).equals("end")) {
        close(open, region(m.group(2)));
      }
    }
    return String.join("\n", lines).stripIndent();
  }

  private static boolean opensRegion(Matcher m) {
    return !m.group(1).equals("end")
        && (m.group(1).equals("start") || REGION.matcher(m.group(2)).find());
  }

  private static String region(String attributes) {
    Matcher m = REGION.matcher(attributes);
    return m.find() && m.group(1) != null ? m.group(1) : "";
  }

  /** An end without a name ends the innermost region. */
  private static void close(Deque<String> open, String name) {
    if (name.isEmpty()) {
      open.poll();
    } else {
      open.remove(name);
    }
  }
}
