package dev.petunia.benchmarks.rescore;

import dev.petunia.benchmarks.floor.IrSet.Judged;
import dev.petunia.core.Chunk;
import dev.petunia.dedup.Normalizer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Headings of documents as questions.
 *
 * <p>A heading is a line of one to six {@code #}, outside fenced code. It is a question when it has
 * two tokens or more, when no other heading of any document has the same tokens, and when there is
 * text between it and the next heading of any level. Relevant are the chunks that hold some of that
 * text; the chunk that holds the heading's line is relevant only if it does.
 *
 * <p>A heading stands in its own chunk word for word, so asking for it finds the chunk too easily
 * and shares shingles with it. {@link #cut} is the corpus without the lines that serve as
 * questions: there only the text under them can match.
 *
 * @param dev questions of a third of the documents
 * @param test questions of the others
 * @param cut the corpus without these lines; chunks that had nothing else are not in it
 */
record Headings(List<Judged> dev, List<Judged> test, Corpus cut) {
  private static final Pattern FENCE = Pattern.compile("\\s*(?:```|~~~).*");
  private static final Pattern HEADING = Pattern.compile("#{1,6}\\s+(\\S.*)");
  private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\([^)]*\\)");
  private static final Pattern MARKUP =
      Pattern.compile("<[^>]*>|\\{[^}]*\\}|[`*]|\\s#+\\s*$|\\\\(?=\\p{Punct})");

  /** A heading and the chunks with text under it; the place of its line. */
  private static final class Section {
    final String text;
    final String document;
    final int chunk;
    final int line;
    final Map<String, Integer> relevant = new LinkedHashMap<>();

    Section(String text, String document, int chunk, int line) {
      this.text = text;
      this.document = document;
      this.chunk = chunk;
      this.line = line;
    }
  }

  /** The headings of a corpus whose chunks are in the order of the documents. */
  static Headings of(Corpus corpus) {
    List<Section> sections = sections(corpus.chunks());
    Map<List<String>, Integer> uses = new HashMap<>();
    sections.forEach(s -> uses.merge(tokens(s.text), 1, Integer::sum));
    sections.removeIf(
        s -> {
          List<String> tokens = tokens(s.text);
          return tokens.size() < 2 || uses.getOrDefault(tokens, 0) > 1 || s.relevant.isEmpty();
        });
    Set<String> ofDev = third(sections);
    List<Judged> dev = new ArrayList<>();
    List<Judged> test = new ArrayList<>();
    for (Section s : sections) {
      (ofDev.contains(s.document) ? dev : test).add(new Judged(s.text, s.relevant));
    }
    return new Headings(List.copyOf(dev), List.copyOf(test), without(corpus, sections));
  }

  private static List<String> tokens(String text) {
    return Normalizer.v1().normalize(text).tokens();
  }

  private static Set<String> third(List<Section> sections) {
    List<String> documents =
        new ArrayList<>(sections.stream().map(s -> s.document).distinct().toList());
    Collections.shuffle(documents, new Random(20_261_201));
    return new HashSet<>(documents.subList(0, documents.size() / 3));
  }

  private static List<Section> sections(List<Chunk> chunks) {
    List<Section> out = new ArrayList<>();
    Section open = null;
    boolean isFenced = false;
    for (int c = 0; c < chunks.size(); c++) {
      Chunk chunk = chunks.get(c);
      if (c == 0 || !chunks.get(c - 1).entryId().equals(chunk.entryId())) {
        open = null;
        isFenced = false;
      }
      List<String> lines = chunk.text().lines().toList();
      for (int l = 0; l < lines.size(); l++) {
        String line = lines.get(l);
        Matcher heading = HEADING.matcher(line);
        if (FENCE.matcher(line).matches()) {
          isFenced = !isFenced;
        } else if (!isFenced && heading.matches()) {
          open = new Section(plain(heading.group(1)), chunk.entryId(), c, l);
          out.add(open);
        } else {
          note(open, line, chunk);
        }
      }
    }
    return out;
  }

  private static void note(@Nullable Section open, String line, Chunk chunk) {
    if (open != null && line.codePoints().anyMatch(Character::isLetterOrDigit)) {
      open.relevant.put(chunk.id(), 1);
    }
  }

  /** Without the marks of Markdown, HTML and anchors. */
  private static String plain(String heading) {
    String text = LINK.matcher(heading).replaceAll("$1");
    return MARKUP.matcher(text).replaceAll("").strip();
  }

  private static Corpus without(Corpus corpus, List<Section> sections) {
    Map<Integer, Set<Integer>> lines = new HashMap<>();
    sections.forEach(s -> lines.computeIfAbsent(s.chunk, c -> new HashSet<>()).add(s.line));
    List<Chunk> out = new ArrayList<>();
    for (int c = 0; c < corpus.chunks().size(); c++) {
      Chunk chunk = corpus.chunks().get(c);
      Set<Integer> left = lines.getOrDefault(c, Set.of());
      StringBuilder text = new StringBuilder();
      List<String> all = chunk.text().lines().toList();
      for (int l = 0; l < all.size(); l++) {
        if (!left.contains(l)) {
          text.append(all.get(l)).append('\n');
        }
      }
      if (!text.toString().isBlank()) {
        out.add(new Chunk(chunk.id(), chunk.entryId(), chunk.ordinal(), text.toString()));
      }
    }
    return new Corpus(corpus.name() + "-cut", out);
  }
}
