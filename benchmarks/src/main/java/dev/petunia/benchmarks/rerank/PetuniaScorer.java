package dev.petunia.benchmarks.rerank;

import dev.petunia.core.Deadline;
import dev.petunia.core.Reranker.Reranking;
import dev.petunia.rerank.CrossEncoder;
import dev.petunia.rerank.CrossEncoderConfig;
import dev.petunia.rerank.PromptStyle;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Petunia's cross-encoder: one thread for each passage, and no score from a cache. */
final class PetuniaScorer implements PairScorer {
  private final CrossEncoder encoder;

  PetuniaScorer(ScorerSetup setup) throws IOException {
    encoder =
        CrossEncoder.open(
            CrossEncoderConfig.builder(setup.model().graph())
                .tokenizer(setup.tokenizer())
                .style(PromptStyle.QWEN3)
                .instruction(PairPrompt.INSTRUCTION)
                .maxTokens(4096)
                .workers(setup.threads())
                .intraOpThreads(1)
                .cacheBytes(0)
                .build());
  }

  @Override
  public double[] score(String query, List<String> passages) {
    Reranking r = encoder.rerank(query, passages, Deadline.NONE);
    if (r.shortfall().isPresent() || r.scores().stream().anyMatch(s -> s.truncated())) {
      throw new IllegalStateException("not all was scored whole: " + r.shortfall());
    }
    return r.scores().stream().mapToDouble(s -> s.logit().orElseThrow()).toArray();
  }

  /** How many passages are scored by a deadline. */
  int scoredWithin(String query, List<String> passages, Duration time) {
    return encoder.rerank(query, passages, Deadline.after(time)).scored();
  }

  @Override
  public void close() {
    encoder.close();
  }
}
