package dev.petunia.benchmarks.rerank;

/** The ways to score that are compared. */
enum ScorerKind {
  /** A plain loop that never copies logits; with a batch of 1 or of more pairs. */
  NAIVE {
    @Override
    PairScorer open(ScorerSetup setup) throws Exception {
      return naive(setup, false);
    }
  },

  /** A plain loop that reads logits as most programs do, which copies them. */
  NAIVE_COPYING {
    @Override
    PairScorer open(ScorerSetup setup) throws Exception {
      return naive(setup, true);
    }
  },

  /** Petunia's cross-encoder. */
  PETUNIA {
    @Override
    PairScorer open(ScorerSetup setup) throws Exception {
      return new PetuniaScorer(setup);
    }
  };

  abstract PairScorer open(ScorerSetup setup) throws Exception;

  private static PairScorer naive(ScorerSetup setup, boolean copies) throws Exception {
    return new NaiveScorer(
        new PlainModel(setup.model(), setup.threads(), copies),
        new PairPrompt(setup.tokenizer()),
        setup.batch());
  }
}
