package dev.petunia.benchmarks.jmh;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Texts of made-up words whose frequencies follow Zipf's law, as those of real words do. */
public final class Texts {
  private static final String[] SYLLABLES = {
    "ba", "co", "di", "fu", "ga", "ho", "ki", "lu", "ma", "no", "pi", "ru", "sa", "to", "vi", "zu"
  };
  private static final int WORDS = 16 * 16 * 16;

  private final RandomGenerator random;
  private final double[] cumulative = new double[WORDS];

  /** Texts that are the same for the same seed. */
  public Texts(long seed) {
    random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    double sum = 0;
    for (int w = 0; w < WORDS; w++) {
      sum += 1.0 / (w + 1);
      cumulative[w] = sum;
    }
  }

  /** A text of so many words. */
  public String text(int words) {
    List<String> out = new ArrayList<>(words);
    for (int i = 0; i < words; i++) {
      double at = random.nextDouble() * cumulative[WORDS - 1];
      int w = java.util.Arrays.binarySearch(cumulative, at);
      out.add(word(w < 0 ? -w - 1 : w));
    }
    return String.join(" ", out);
  }

  /** So many texts, each with {@code min} to {@code max} words. */
  public List<String> texts(int n, int min, int max) {
    List<String> out = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      out.add(text(random.nextInt(min, max + 1)));
    }
    return out;
  }

  private static String word(int w) {
    // the last letter keeps a stemmer from joining words
    return SYLLABLES[w & 15] + SYLLABLES[w >> 4 & 15] + SYLLABLES[w >> 8 & 15] + "k";
  }
}
