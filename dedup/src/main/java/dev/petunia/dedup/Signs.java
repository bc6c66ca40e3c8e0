package dev.petunia.dedup;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Signs of comparison and calculation. They are no tokens, yet {@code x < limit} and {@code x >
 * limit} don't say the same. Those that only mark up a line (quotes, lists, rules, headings) or
 * join words (hyphens) are not meant.
 */
final class Signs {
  /** At the beginning of a line: quotes, list items, headings, rules, table borders. */
  private static final String MARKUP = "(?m)^[ \\t]*[-+>=*#|~]+(?=\\s|$)|";

  private static final Pattern SIGN =
      Pattern.compile(
          MARKUP
              + "([<>=!]=+|[<>=+\u2264\u2265\u2260\u00b1\u00d7\u00f7\u00ac]|(?<![\\p{L}\\p{M}\\p{N}_)\\-\u2212])[-\u2212](?=[.]?\\p{Nd}))");

  private Signs() {}

  /** Those of a text, in its order. */
  static List<String> of(String text) {
    List<String> out = new ArrayList<>();
    Matcher m = SIGN.matcher(text);
    while (m.find()) {
      if (m.group(1) != null) {
        out.add(m.group(1));
      }
    }
    return out;
  }

  /** Those that one has more often than the other, first those of a. */
  static List<String> differing(List<String> a, List<String> b) {
    List<String> out = new ArrayList<>(more(a, b));
    out.addAll(more(b, a));
    return out;
  }

  private static List<String> more(List<String> mine, List<String> others) {
    Map<String, Integer> left = new HashMap<>();
    others.forEach(s -> left.merge(s, 1, Integer::sum));
    return mine.stream().filter(s -> left.merge(s, -1, Integer::sum) < 0).toList();
  }
}
