package dev.petunia.dedup;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What tells a text apart from others; what is made of it is made once. */
final class Differences {
  private final State state;
  private final String text;
  private final List<String> tokens;
  private final List<String> signs;

  Differences(State state, String text) {
    this.state = state;
    this.text = text;
    tokens = Normalizer.v1().normalize(text).tokens();
    signs = Signs.of(text);
  }

  boolean isOf(String other) {
    return text.equals(other);
  }

  /** This text is a, the other is b. */
  Difference from(String other) {
    List<String> b = Normalizer.v1().normalize(other).tokens();
    return new Difference(
        only(state, tokens, b), only(state, b, tokens), Signs.differing(signs, Signs.of(other)));
  }

  private static List<DifferingToken> only(State state, List<String> mine, List<String> others) {
    Map<String, Integer> left = new HashMap<>();
    others.forEach(t -> left.merge(t, 1, Integer::sum));
    List<DifferingToken> out = new ArrayList<>();
    for (String t : mine) {
      if (left.merge(t, -1, Integer::sum) < 0) {
        int texts = Tokens.groups(state, t);
        out.add(new DifferingToken(t, texts, (double) texts / Math.max(1, state.groups())));
      }
    }
    return out;
  }
}
