package dev.petunia.rerank;

/** How much a model is tried before it is called ready. */
public enum CheckLevel {
  /** Tokens of the template, and one pair whose score is a number. */
  QUICK,
  /**
   * Also: two different pairs have different scores, a pair alone and behind a shared prefix has
   * the same, and the golden scores beside the model, if there are any, are met.
   */
  FULL,
  /**
   * Also the four published scores of Qwen3-Reranker-0.6B. For the real weights only: any other
   * model fails.
   */
  PUBLISHED
}
