package dev.petunia.dedup;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Differing tokens. */
final class Differences {
  private Differences() {}

  static Difference of(State state, String textA, String textB) {
    List<String> a = Normalizer.v1().normalize(textA).tokens();
    List<String> b = Normalizer.v1().normalize(textB).tokens();
    return new Difference(only(state, a, b), only(state, b, a));
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
