package dev.petunia.benchmarks.dedup;

import dev.petunia.dedup.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Texts as numbered tokens.
 *
 * @param kind how they were split
 * @param numbers for each text its tokens; equal tokens have equal numbers
 * @param texts texts of which the normalizer makes tokens that are equal where these are, so that
 *     an index can be measured on any tokens through its own front door
 */
record Tokens(Kind kind, int[][] numbers, List<String> texts) {
  /** How texts are split. */
  enum Kind {
    /** By the library's normalizer. */
    NORMALIZER,
    /** At blanks, tabs and line breaks of ASCII; case stays. */
    BLANKS,
    /** Runs of a to z and 0 to 9 of the text in small letters. */
    ALPHANUMERIC
  }

  static Tokens of(Corpus corpus, Kind kind) {
    Map<String, Integer> vocabulary = new HashMap<>();
    int[][] numbers = new int[corpus.size()][];
    List<String> plain = new ArrayList<>();
    for (int i = 0; i < numbers.length; i++) {
      String text = corpus.texts().get(i);
      List<String> tokens =
          switch (kind) {
            case NORMALIZER -> Normalizer.v1().normalize(text).tokens();
            case BLANKS -> split(text, " \t\n\r\f\u000B", false);
            case ALPHANUMERIC -> split(text.toLowerCase(Locale.ROOT), ALPHANUMERIC, true);
          };
      numbers[i] = new int[tokens.size()];
      for (int t = 0; t < numbers[i].length; t++) {
        numbers[i][t] = vocabulary.computeIfAbsent(tokens.get(t), k -> vocabulary.size());
      }
      if (kind != Kind.NORMALIZER) {
        plain.add(plain(numbers[i]));
      }
    }
    return new Tokens(kind, numbers, kind == Kind.NORMALIZER ? corpus.texts() : plain);
  }

  private static final String ALPHANUMERIC = "abcdefghijklmnopqrstuvwxyz0123456789";

  /** Runs of the characters, or between them. */
  private static List<String> split(String text, String characters, boolean isOfThem) {
    List<String> out = new ArrayList<>();
    int from = -1;
    for (int i = 0; i <= text.length(); i++) {
      boolean isToken = i < text.length() && (characters.indexOf(text.charAt(i)) >= 0) == isOfThem;
      if (isToken && from < 0) {
        from = i;
      } else if (!isToken && from >= 0) {
        out.add(text.substring(from, i));
        from = -1;
      }
    }
    return out;
  }

  /** Words that the normalizer leaves as they are: a letter and digits. */
  private static String plain(int[] numbers) {
    StringBuilder s = new StringBuilder();
    for (int n : numbers) {
      s.append(s.isEmpty() ? "" : " ").append('w').append(n);
    }
    return s.toString();
  }
}
