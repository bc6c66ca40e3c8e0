package dev.petunia.dedup;

import java.nio.charset.StandardCharsets;

/** How many distinct texts have a token. */
final class Tokens {
  private Tokens() {}

  static void add(State state, long hash, int count) {
    int t = state.tokens.add(hash);
    if (t == state.tokenGroups.size()) {
      state.tokenGroups.add(0);
    }
    state.tokenGroups.set(t, state.tokenGroups.get(t) + count);
  }

  static int groups(State state, String token) {
    byte[] b = token.getBytes(StandardCharsets.UTF_8);
    int t = state.tokens.find(Xxh3.hash(b, 0, b.length));
    return t < 0 ? 0 : state.tokenGroups.get(t);
  }
}
