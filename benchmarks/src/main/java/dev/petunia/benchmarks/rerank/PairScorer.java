package dev.petunia.benchmarks.rerank;

import java.util.List;

/** A way to score passages against a query. For one thread. */
interface PairScorer extends AutoCloseable {
  /**
   * The logit of "yes" minus that of "no" behind each prompt, in the order given.
   *
   * @throws Exception when one can't be scored
   */
  double[] score(String query, List<String> passages) throws Exception;

  @Override
  void close();
}
