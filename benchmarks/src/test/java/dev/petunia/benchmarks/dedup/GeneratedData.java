package dev.petunia.benchmarks.dedup;

import dev.petunia.dedup.Normalizer;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.zip.GZIPOutputStream;

/**
 * A small data folder in the form of the large one: texts that are made, and truth files written by
 * comparing all with all, on lists of words, so that no code of the program says what is true.
 */
final class GeneratedData {
  private final Path data;

  GeneratedData(Path data) {
    this.data = data;
  }

  /** A pair with J ≥ 0.8. */
  record Near(int a, int b, int shared, int sizeA, int sizeB) {
    double jaccard() {
      return (double) shared / (sizeA + sizeB - shared);
    }

    /** A line of a truth file with places. */
    String line() {
      return String.format(
          Locale.ROOT, "%d\t%d\t%d\t%d\t%d\t%.6f", a, b, shared, sizeA, sizeB, jaccard());
    }
  }

  /** Five words in a row, each once; all words of a shorter text. */
  static <T> Set<List<T>> shingles(List<T> words) {
    Set<List<T>> out = new HashSet<>();
    for (int i = 0; i + 5 <= words.size(); i++) {
      out.add(words.subList(i, i + 5));
    }
    if (out.isEmpty() && !words.isEmpty()) {
      out.add(words);
    }
    return out;
  }

  /** All pairs with J ≥ 0.8, compared one by one. */
  static <T> List<Near> near(List<List<T>> texts) {
    List<Set<List<T>>> sets = texts.stream().map(GeneratedData::shingles).toList();
    List<Near> out = new ArrayList<>();
    for (int a = 0; a < sets.size(); a++) {
      for (int b = a + 1; b < sets.size(); b++) {
        Set<List<T>> y = sets.get(b);
        int shared = (int) sets.get(a).stream().filter(y::contains).count();
        int union = sets.get(a).size() + y.size() - shared;
        if (union > 0 && 10L * shared >= 8L * union) {
          out.add(new Near(a, b, shared, sets.get(a).size(), y.size()));
        }
      }
    }
    return out;
  }

  private static List<Near> near(Corpus corpus, Function<String, List<String>> tokens) {
    return near(corpus.texts().stream().map(tokens).toList());
  }

  private static List<String> atBlanks(String text) {
    return Arrays.stream(text.split("[ \\t\\n\\r\\f\\x0B]+", -1))
        .filter(t -> !t.isEmpty())
        .toList();
  }

  private static List<String> alphanumeric(String text) {
    return Arrays.stream(text.toLowerCase(Locale.ROOT).split("[^a-z0-9]+", -1))
        .filter(t -> !t.isEmpty())
        .toList();
  }

  static void zipped(Path file, List<String> lines) throws IOException {
    try (Writer w =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8)) {
      for (String line : lines) {
        w.write(line + "\n");
      }
    }
  }

  private static Corpus corpus(String name, int size) {
    return MadeTexts.corpus(name, size, 3, 200, name.hashCode());
  }

  /** The words are plain, so nothing is to be escaped. */
  private static Corpus texts(String name, int size, Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Corpus corpus = corpus(name, size);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      lines.add(
          "{\"id\":\"" + corpus.ids().get(i) + "\",\"text\":\"" + corpus.texts().get(i) + "\"}");
    }
    zipped(file, lines);
    return corpus;
  }

  private static List<String> lines(List<Near> pairs) {
    List<String> out = new ArrayList<>(List.of("#a\tb\tinter\tsize_a\tsize_b\tjaccard"));
    pairs.forEach(p -> out.add(p.line()));
    return out;
  }

  Path truth(String name) {
    return data.resolve("neardup").resolve(name + ".truth.tsv.gz");
  }

  Path truthAtBlanks(String name) {
    return data.resolve("neardup").resolve(name + ".truth-ws.tsv.gz");
  }

  /** A corpus with two truth files by places; the true pairs of words between blanks. */
  List<Near> numbered(String name, int size) throws IOException {
    Corpus corpus = texts(name, size, data.resolve("neardup").resolve(name + ".jsonl.gz"));
    zipped(truth(name), lines(normalized(name, size)));
    List<Near> pairs = near(corpus, GeneratedData::atBlanks);
    zipped(truthAtBlanks(name), lines(pairs));
    return pairs;
  }

  /** The true pairs of normalized words of the corpus with this name and size. */
  List<Near> normalized(String name, int size) {
    return near(corpus(name, size), t -> Normalizer.v1().normalize(t).tokens());
  }

  /** A corpus with one truth file by ids, and the true pairs. */
  List<Near> named(String name, int size) throws IOException {
    Corpus corpus = texts(name, size, data.resolve(name).resolve("corpus.jsonl.gz"));
    List<Near> pairs = near(corpus, GeneratedData::alphanumeric);
    names(name, pairs);
    return pairs;
  }

  /** Writes a truth file by ids; similarities have four places, halves go to the even one. */
  void names(String name, List<Near> pairs) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Near p : pairs) {
      BigDecimal j = new BigDecimal(p.jaccard()).setScale(4, RoundingMode.HALF_EVEN);
      lines.add("made-" + p.a() + "\tmade-" + p.b() + "\t" + j.toPlainString());
    }
    zipped(data.resolve(name).resolve("neardup.tsv.gz"), lines);
  }
}
