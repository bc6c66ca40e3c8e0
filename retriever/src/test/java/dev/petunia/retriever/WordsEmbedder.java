package dev.petunia.retriever;

import dev.petunia.core.Embedder;
import dev.petunia.core.Embedding;
import dev.petunia.core.TextForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Embeds a text as the sum of one random direction for each of its words: alike when words are
 * shared.
 */
final class WordsEmbedder implements Embedder {
  private final int dimension;
  private final String modelId;
  final AtomicBoolean closed = new AtomicBoolean();

  WordsEmbedder(int dimension, String modelId) {
    this.dimension = dimension;
    this.modelId = modelId;
  }

  WordsEmbedder() {
    this(64, "words-64");
  }

  @Override
  public String modelId() {
    return modelId;
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public int maxTokens() {
    return 1000;
  }

  @Override
  public List<Embedding> embed(List<String> texts, TextForm form) {
    List<Embedding> list = new ArrayList<>();
    for (String text : texts) {
      String[] words = text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+");
      double[] sum = new double[dimension];
      sum[0] = 1e-3; // a text without words has a direction too
      for (String word : words) {
        SplittableRandom random = new SplittableRandom(word.hashCode() * 31L + 7);
        for (int i = 0; !word.isEmpty() && i < dimension; i++) {
          sum[i] += random.nextGaussian();
        }
      }
      double squares = 0;
      for (double x : sum) {
        squares += x * x;
      }
      float[] unit = new float[dimension];
      for (int i = 0; i < dimension; i++) {
        unit[i] = (float) (sum[i] / Math.sqrt(squares));
      }
      int tokens = Math.min(words.length, maxTokens());
      list.add(new Embedding(unit, tokens, words.length > maxTokens()));
    }
    return list;
  }

  @Override
  public void close() {
    closed.set(true);
  }
}
