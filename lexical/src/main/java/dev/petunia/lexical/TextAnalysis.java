package dev.petunia.lexical;

import dev.petunia.core.internal.Checks;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.ar.ArabicNormalizationFilter;
import org.apache.lucene.analysis.ar.ArabicStemFilter;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.core.DecimalDigitFilter;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/**
 * How text becomes the terms that are indexed and searched. Its name is stored with the index,
 * which can't be opened with another one.
 *
 * <p>Both built-in ones normalise (NFKC, invisible characters left out), cut into words by the
 * rules of Unicode (UAX #29), add the parts of compound names ({@code ConcurrentHashMap} is found
 * by {@code hash map} too), make all lower case, fold accents of Latin letters and foreign digits,
 * take Arabic spelling variants, prefixes and suffixes off, and index Chinese, Japanese and Korean
 * as single characters and pairs, and Thai, Lao, Khmer and Burmese as pairs.
 *
 * <p>{@link #english} also takes {@code 's} off, reduces words to their Porter stem, and leaves
 * function words out of queries, unless the query has nothing else.
 */
public final class TextAnalysis {
  /** Longest token in characters; the tokenizer cuts longer ones into pieces of this length. */
  public static final int MAX_TOKEN_LENGTH = StandardAnalyzer.DEFAULT_MAX_TOKEN_LENGTH;

  private static final TextAnalysis ENGLISH =
      new TextAnalysis("english-1", new Chain(true, false), new Chain(true, true));
  private static final TextAnalysis PLAIN =
      new TextAnalysis("plain-1", new Chain(false, false), new Chain(false, false));

  private final String name;
  private final Analyzer index;
  private final Analyzer query;

  private TextAnalysis(String name, Analyzer index, Analyzer query) {
    this.name = name;
    this.index = index;
    this.query = query;
  }

  /** For English, and the default: works with any language, stems English and Arabic. */
  public static TextAnalysis english() {
    return ENGLISH;
  }

  /** Without English stems and function words. */
  public static TextAnalysis plain() {
    return PLAIN;
  }

  /**
   * Lucene analyzers of the caller's. They are not closed with the index.
   *
   * @param name stored with the index; change it when the terms change. Not one of a built-in
   *     analysis.
   * @param index analyses passages
   * @param query analyses queries; when it leaves nothing of a query, {@code index} is asked
   */
  public static TextAnalysis custom(String name, Analyzer index, Analyzer query) {
    Checks.id("analysis name", name);
    if (builtIn(name).isPresent()) {
      throw Checks.bad("analysis name", name, "a name that no built-in analysis has");
    }
    return new TextAnalysis(
        name, Checks.present("index analyzer", index), Checks.present("query analyzer", query));
  }

  static Optional<TextAnalysis> builtIn(String name) {
    return Set.of(ENGLISH, PLAIN).stream().filter(a -> a.name.equals(name)).findAny();
  }

  /** The name that is stored. */
  public String name() {
    return name;
  }

  Analyzer indexAnalyzer() {
    return index;
  }

  /** The terms of a query and how often each is in it, in the order of the text. */
  Map<String, Integer> queryTerms(String text) {
    Map<String, Integer> terms = terms(query, text);
    return terms.isEmpty() ? terms(index, text) : terms;
  }

  /** The terms of a passage and how often each is in it, in the order of the text. */
  Map<String, Integer> indexTerms(String text) {
    return terms(index, text);
  }

  private static Map<String, Integer> terms(Analyzer analyzer, String text) {
    Map<String, Integer> terms = new LinkedHashMap<>();
    try (TokenStream tokens = analyzer.tokenStream(ChunkFormat.TEXT, text)) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        terms.merge(term.toString(), 1, Integer::sum);
      }
      tokens.end();
    } catch (IOException e) {
      throw new UncheckedIOException("analysing a query text", e); // reads memory only
    }
    return terms;
  }

  @Override
  public String toString() {
    return "TextAnalysis " + name;
  }

  /** The built-in chain. */
  private static final class Chain extends Analyzer {
    private final boolean english;
    private final boolean dropStopWords;

    Chain(boolean english, boolean dropStopWords) {
      this.english = english;
      this.dropStopWords = dropStopWords;
    }

    @Override
    protected Reader initReader(String field, Reader reader) {
      return new NormalizingCharFilter(reader);
    }

    @Override
    protected TokenStreamComponents createComponents(String field) {
      Tokenizer tokenizer = new StandardTokenizer();
      TokenStream s = new CodePartsFilter(tokenizer);
      if (dropStopWords) {
        s = new StopWordsFilter(s, StopWordsFilter.ENGLISH);
      }
      s = new LowerCaseFilter(s);
      s = new ASCIIFoldingFilter(s);
      if (english) {
        s = new EnglishPossessiveFilter(s);
      }
      s = new DecimalDigitFilter(s);
      s = new ArabicNormalizationFilter(s);
      s = new ArabicStemFilter(s);
      // single characters too: a query of one character must find something
      s =
          new CJKBigramFilter(
              s,
              CJKBigramFilter.HAN
                  | CJKBigramFilter.HIRAGANA
                  | CJKBigramFilter.KATAKANA
                  | CJKBigramFilter.HANGUL,
              true);
      s = new ClusterBigramFilter(s);
      if (english) {
        s = new PorterStemFilter(s);
      }
      return new TokenStreamComponents(tokenizer, s);
    }
  }
}
