package dev.petunia.dedup;

import java.nio.charset.StandardCharsets;

/** How many distinct texts have a token. */
final class Tokens {
  private Tokens() {}

  static void add(State state, long hash, int count) {
    int t = number(state, hash);
    state.tokenGroups.set(t, state.tokenGroups.get(t) + count);
  }

  /** Counts a token of a group's text, once for the group; says whether it was counted. */
  static boolean addOnce(State state, long hash, int group) {
    int t = number(state, hash);
    if (state.tokenLastGroup.get(t) == group) {
      return false;
    }
    state.tokenLastGroup.set(t, group);
    state.tokenGroups.set(t, state.tokenGroups.get(t) + 1);
    return true;
  }

  private static int number(State state, long hash) {
    int t = state.tokens.add(hash);
    if (t == state.tokenGroups.size()) {
      state.tokenGroups.add(0);
      state.tokenLastGroup.add(State.NONE);
    }
    return t;
  }

  static int groups(State state, String token) {
    byte[] b = token.getBytes(StandardCharsets.UTF_8);
    int t = state.tokens.find(Xxh3.hash(b, 0, b.length));
    return t < 0 ? 0 : state.tokenGroups.get(t);
  }
}
