package dev.petunia.benchmarks.rescore;

import dev.petunia.core.Embedder;
import dev.petunia.core.Embedding;
import dev.petunia.core.TextForm;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A text as the sum of a random direction for each of its words: alike when words are shared. */
final class WordDirections implements Embedder {
  private static final int DIMENSION = 32;

  @Override
  public String modelId() {
    return "word-directions";
  }

  @Override
  public int dimension() {
    return DIMENSION;
  }

  @Override
  public int maxTokens() {
    return 10_000;
  }

  @Override
  public List<Embedding> embed(List<String> texts, TextForm form) {
    List<Embedding> out = new ArrayList<>();
    for (String text : texts) {
      String[] words = text.split("\\W+");
      double[] sum = new double[DIMENSION];
      double squares = 0;
      for (int i = 0; i < DIMENSION; i++) {
        sum[i] = i == 0 ? 1e-3 : 0; // a text without words has a direction too
        for (String word : words) {
          sum[i] += new SplittableRandom(word.hashCode() * 31L + i).nextGaussian();
        }
        squares += sum[i] * sum[i];
      }
      float[] unit = new float[DIMENSION];
      for (int i = 0; i < DIMENSION; i++) {
        unit[i] = (float) (sum[i] / Math.sqrt(squares));
      }
      out.add(new Embedding(unit, words.length, false));
    }
    return out;
  }

  @Override
  public void close() {}
}
