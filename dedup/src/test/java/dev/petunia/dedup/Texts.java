package dev.petunia.dedup;

import dev.petunia.core.testing.Generator;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Made-up texts with near-duplicates among them. */
final class Texts {
  private Texts() {}

  /** Tokens drawn from a vocabulary of so many words. */
  static List<String> words(RandomGenerator random, int count, int vocabulary) {
    List<String> out = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      out.add("w" + random.nextInt(vocabulary));
    }
    return out;
  }

  /** A copy in which so many words, chosen at random, are others. */
  static List<String> edited(RandomGenerator random, List<String> words, int edits) {
    List<String> out = new ArrayList<>(words);
    for (int i = 0; i < edits && !out.isEmpty(); i++) {
      out.set(random.nextInt(out.size()), "e" + random.nextInt(1_000_000));
    }
    return out;
  }

  /**
   * A corpus: new texts of 0 to 120 words, exact copies, copies in other case and with other
   * punctuation, and copies with a few words changed, copies of copies too.
   */
  static Generator<List<Document>> corpus(int least, int most) {
    return random -> {
      List<Document> out = new ArrayList<>();
      List<List<String>> all = new ArrayList<>();
      int n = random.nextInt(least, most + 1);
      for (int i = 0; i < n; i++) {
        List<String> words;
        String separator = " ";
        int kind = all.isEmpty() ? 0 : random.nextInt(8);
        if (kind < 2) {
          words = words(random, random.nextInt(121), 3000);
        } else {
          List<String> base = all.get(random.nextInt(all.size()));
          words = kind < 6 ? edited(random, base, random.nextInt(4)) : base;
          separator = kind == 7 ? ", " : " ";
        }
        all.add(words);
        out.add(new Document("c" + i, String.join(separator, words)));
      }
      return out;
    };
  }
}
