package dev.petunia.rerank;

/** How a query and a passage become one input. */
public enum PromptStyle {
  /**
   * {@link #PAIR} for graphs that take {@code token_type_ids} and for tokenizers without {@code
   * <|im_start|>}, otherwise {@link #QWEN3}.
   */
  AUTO,
  /** The chat template of Qwen3-Reranker: instruction, query, document, then yes or no. */
  QWEN3,
  /** Two texts with the model's special tokens around them: {@code [CLS] q [SEP] d [SEP]}. */
  PAIR
}
