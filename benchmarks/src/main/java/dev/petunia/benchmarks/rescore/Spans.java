package dev.petunia.benchmarks.rescore;

import dev.petunia.dedup.Normalizer;
import dev.petunia.dedup.ShingleSet;
import dev.petunia.dedup.Shingler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Draws the spans of both splits: the same number for each length and noise, each from a chunk of
 * its own. Chunks that near-duplicates join are all in one split, a third of the chunks in dev.
 *
 * <p>Lengths are in tokens of the normalizer, before noise. Noise alters n words, n being percent ×
 * length rounded up or down at random so that its mean is exact; each is, with equal chances,
 * replaced by a word drawn from the corpus, deleted, or preceded by such a word.
 *
 * @param dev to tune on
 * @param test to judge by
 */
record Spans(List<Span> dev, List<Span> test) {
  private static final Pattern WORD =
      Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N}\\p{M}_]*(?:(?:\\.|::)[\\p{L}\\p{N}_]+)*");

  /** Starts that are tried in a chunk before another chunk is taken. */
  private static final int STARTS = 20;

  /**
   * Draws.
   *
   * @param dev spans of the dev split, a multiple of {@link Span#cells}
   * @param test spans of the test split, likewise
   * @throws IllegalArgumentException when there are too few chunks that are long enough
   */
  static Spans draw(Corpus corpus, List<ShingleSet> sets, Twins twins, int dev, int test) {
    Drawing drawing = new Drawing(corpus, sets);
    List<Integer> ofDev = new ArrayList<>();
    List<Integer> ofTest = new ArrayList<>();
    for (List<Integer> group : shuffledGroups(sets.size(), twins, drawing.random)) {
      (3 * ofDev.size() < sets.size() ? ofDev : ofTest).addAll(group);
    }
    Collections.shuffle(ofDev, drawing.random);
    Collections.shuffle(ofTest, drawing.random);
    return new Spans(drawing.spans(ofDev, dev), drawing.spans(ofTest, test));
  }

  private static List<List<Integer>> shuffledGroups(int n, Twins twins, Random random) {
    Map<Integer, List<Integer>> groups = new HashMap<>();
    for (int i = 0; i < n; i++) {
      groups.computeIfAbsent(twins.group(i), g -> new ArrayList<>()).add(i);
    }
    List<List<Integer>> list = new ArrayList<>(groups.values());
    Collections.shuffle(list, random);
    return list;
  }

  /** The words of a text. */
  private static List<MatchResult> words(String text) {
    return WORD.matcher(text).results().toList();
  }

  private static int tokens(String text) {
    return Shingler.v1().shingles(text).tokens();
  }

  /** What drawing needs; one seed for all. */
  private static final class Drawing {
    final Random random = new Random(20_261_130);
    private final Corpus corpus;
    private final List<ShingleSet> sets;
    private final List<String> vocabulary = new ArrayList<>();

    Drawing(Corpus corpus, List<ShingleSet> sets) {
      this.corpus = corpus;
      this.sets = sets;
      corpus.chunks().forEach(c -> vocabulary.addAll(Normalizer.v1().normalize(c.text()).tokens()));
    }

    /** Takes whole chunks first, so that those left over by longer spans do not become them. */
    List<Span> spans(List<Integer> sources, int count) {
      List<Integer> left = new ArrayList<>(sources);
      List<Span> out = new ArrayList<>();
      int[] lengths = Span.lengths();
      for (int l = lengths.length - 1; l >= 0; l--) {
        for (int noise : Span.noises()) {
          for (int i = 0; i < count / Span.cells(); i++) {
            out.add(next(left, lengths[l], noise));
          }
        }
      }
      return List.copyOf(out);
    }

    private Span next(List<Integer> left, int length, int noise) {
      int least = length == Span.ALL ? Span.lengths()[0] : length;
      for (int i = 0; i < left.size(); i++) {
        int source = left.get(i);
        if (sets.get(source).tokens() < least) {
          continue;
        }
        String clean = cut(corpus.chunks().get(source).text(), length);
        if (clean != null) {
          left.remove(i);
          return altered(clean, source, length, noise);
        }
      }
      throw new IllegalArgumentException(
          "the corpus has too few chunks, allowed: one of at least "
              + least
              + " tokens for each span of that length, in each split");
    }

    /** From the start of a word to the end of another so that there are as many tokens. */
    private @org.jspecify.annotations.Nullable String cut(String text, int length) {
      if (length == Span.ALL) {
        return text;
      }
      List<MatchResult> words = words(text);
      for (int start = 0; start < STARTS && words.size() >= length; start++) {
        int from = random.nextInt(words.size() - length + 1);
        // words and tokens can differ: the normalizer leaves out the language of a code fence
        for (int to = from + length; to <= Math.min(words.size(), from + 2 * length); to++) {
          String span = text.substring(words.get(from).start(), words.get(to - 1).end());
          int tokens = tokens(span);
          if (tokens == length) {
            return span;
          }
          if (tokens > length) {
            break;
          }
        }
      }
      return null;
    }

    private Span altered(String clean, int source, int length, int noise) {
      List<MatchResult> words = words(clean);
      int count = (int) (tokens(clean) * noise / 100.0 + random.nextDouble());
      TreeSet<Integer> places = new TreeSet<>();
      while (places.size() < Math.min(count, words.size())) {
        places.add(random.nextInt(words.size()));
      }
      StringBuilder text = new StringBuilder(clean);
      for (int place : places.descendingSet()) {
        MatchResult word = words.get(place);
        switch (random.nextInt(3)) {
          case 0 -> text.replace(word.start(), word.end(), otherThan(word.group()));
          case 1 -> text.delete(word.start(), word.end());
          default -> text.insert(word.start(), otherThan(word.group()) + " ");
        }
      }
      return new Span(text.toString(), source, length, noise, places.size());
    }

    private String otherThan(String word) {
      String token;
      do {
        token = vocabulary.get(random.nextInt(vocabulary.size()));
      } while (token.equalsIgnoreCase(word));
      return token;
    }
  }
}
