package dev.petunia.benchmarks.rerank;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A query and passages of words drawn at random: a model of random weights has no use for sense.
 *
 * @param query the query
 * @param passages the passages
 * @param tokens of each pair, template included
 */
record PairTexts(String query, List<String> passages, List<Integer> tokens) {
  /** So many tokens of a prompt are shared by the passages of a query of ten to thirty tokens. */
  private static final int SHARED = 90;

  /** Passages whose prompts all have {@code tokens} tokens. */
  static PairTexts equal(PairPrompt prompt, int count, int tokens, long seed) {
    return of(prompt, new Random(seed), java.util.Collections.nCopies(count, tokens));
  }

  /**
   * Passages of mixed length, in no order: the passage's tokens are log-normal around 100, between
   * 16 and {@code longest}.
   */
  static PairTexts mixed(PairPrompt prompt, int count, int longest, long seed) {
    Random random = new Random(seed);
    List<Integer> wanted = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double passage = 100 * Math.exp(0.7 * random.nextGaussian());
      wanted.add(SHARED + Math.clamp((int) passage, 16, longest));
    }
    return of(prompt, random, wanted);
  }

  private static PairTexts of(PairPrompt prompt, Random random, List<Integer> wanted) {
    String query = "";
    while (prompt.shared(query) < SHARED) {
      query += word(random);
    }
    List<String> passages = new ArrayList<>();
    List<Integer> tokens = new ArrayList<>();
    for (int want : wanted) {
      String passage = passage(prompt, random, query, want);
      passages.add(passage);
      tokens.add(prompt.ids(query, passage).length);
    }
    return new PairTexts(query, List.copyOf(passages), List.copyOf(tokens));
  }

  /** Words until there are too many tokens, and then letters off its end until there are not. */
  private static String passage(PairPrompt prompt, Random random, String query, int want) {
    StringBuilder text = new StringBuilder();
    while (prompt.ids(query, text.toString()).length <= want) {
      text.append(word(random));
    }
    while (prompt.ids(query, text.toString()).length > want) {
      text.setLength(text.length() - 1);
    }
    return text.toString();
  }

  private static String word(Random random) {
    StringBuilder word = new StringBuilder();
    for (int i = 2 + random.nextInt(6); i > 0; i--) {
      word.append((char) ('a' + random.nextInt(26)));
    }
    return word.append(' ').toString();
  }
}
