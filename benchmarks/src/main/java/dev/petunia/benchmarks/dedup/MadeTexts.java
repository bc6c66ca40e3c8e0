package dev.petunia.benchmarks.dedup;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Texts by a seed, with near-duplicates among them: new ones, exact copies, copies in other case
 * and punctuation, and copies with 1 to 6 other words, copies of copies too.
 */
final class MadeTexts {
  private static final String[] SYLLABLES = {
    "ka", "lo", "mi", "ren", "tu", "sa", "vel", "po", "dri", "ne", "shu", "ban", "go", "fi", "ro"
  };
  private static final int VOCABULARY = 20_000;

  private MadeTexts() {}

  /** A word by its number; 0 to 50,624, all different. */
  static String word(int number) {
    StringBuilder s = new StringBuilder();
    int n = number;
    for (int i = 0; i < 2 || n > 0; i++) {
      s.append(SYLLABLES[n % SYLLABLES.length]);
      n /= SYLLABLES.length;
    }
    return s.toString();
  }

  /** Words of which some are frequent: a text is not all rare words. */
  static List<String> words(SplittableRandom random, int count) {
    List<String> out = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      double x = random.nextDouble();
      out.add(word((int) (VOCABULARY * x * x * x)));
    }
    return out;
  }

  static Corpus corpus(String name, int size, int leastWords, int mostWords, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<List<String>> all = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int kind = all.isEmpty() ? 0 : random.nextInt(10);
      List<String> words;
      if (kind < 5) {
        words = words(random, random.nextInt(leastWords, mostWords + 1));
      } else {
        words = new ArrayList<>(all.get(random.nextInt(all.size())));
        int edits = kind < 9 ? random.nextInt(1, 7) : 0;
        for (int e = 0; e < edits && kind > 6; e++) {
          words.set(random.nextInt(words.size()), words(random, 1).getFirst());
        }
      }
      all.add(words);
      ids.add("made-" + i);
      String text = String.join(kind == 6 ? ", " : " ", words);
      texts.add(kind == 6 ? text.toUpperCase(Locale.ROOT) : text);
    }
    return new Corpus(name, ids, texts);
  }
}
