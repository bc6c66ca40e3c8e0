package dev.petunia.benchmarks.rerank;

import dev.petunia.benchmarks.rerank.PlainModel.Logits;
import java.util.List;

/**
 * What most programs do: pairs in the order given, padded on the left to the longest of a batch,
 * all logits of all positions, nothing kept between runs.
 */
final class NaiveScorer implements PairScorer {
  private final PlainModel model;
  private final PairPrompt prompt;
  private final int batch;

  /**
   * @param batch pairs in a run; with 1 nothing is padded
   */
  NaiveScorer(PlainModel model, PairPrompt prompt, int batch) {
    this.model = model;
    this.prompt = prompt;
    this.batch = batch;
  }

  @Override
  public double[] score(String query, List<String> passages) throws Exception {
    double[] out = new double[passages.size()];
    for (int from = 0; from < out.length; from += batch) {
      List<String> some = passages.subList(from, Math.min(out.length, from + batch));
      long[][] ids = some.stream().map(p -> prompt.ids(query, p)).toArray(long[][]::new);
      Logits logits = model.run(ids);
      int last = logits.positions() - 1;
      for (int b = 0; b < ids.length; b++) {
        out[from + b] = (double) logits.at(b, last, prompt.yes()) - logits.at(b, last, prompt.no());
      }
    }
    return out;
  }

  @Override
  public void close() {
    model.close();
    prompt.close();
  }
}
