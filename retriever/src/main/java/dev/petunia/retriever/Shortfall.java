package dev.petunia.retriever;

import dev.petunia.core.internal.Checks;

/**
 * A stage that did less than it was meant to, and why. The answer is there all the same, from what
 * the other stages did.
 *
 * @param stage that fell short
 * @param reason to decide by
 * @param detail for people, one sentence
 */
public record Shortfall(Stage stage, Reason reason, String detail) {
  /** The stages of a floor that may fall short. */
  public enum Stage {
    /** Turning the question into vectors; without it there is no vector search. */
    EMBED,
    /** Scoring by the cross-encoder. */
    RERANK
  }

  /** What a caller can tell apart; docs/floor.md says what to do on each. */
  public enum Reason {
    /** None is configured. */
    NO_MODEL,
    /** It is being loaded; the next request may have it. */
    MODEL_LOADING,
    /** It could not be loaded, or keeps failing. */
    MODEL_FAILED,
    /** It was closed. */
    CLOSED,
    /** The deadline came before the first score; before embedding, when the stage is EMBED. */
    DEADLINE_BEFORE_FIRST_SCORE,
    /** The deadline came before the last score: some passages are scored and some are not. */
    DEADLINE,
    /** The model failed on this request. */
    SCORER_ERROR
  }

  /** Checks. */
  public Shortfall {
    Checks.present("stage", stage);
    Checks.present("reason", reason);
    Checks.id("detail", detail);
  }
}
