package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Scores passages against a query, best-first until a deadline, and says what it did not score.
 * Safe for many threads.
 */
public interface Reranker extends AutoCloseable {
  /** The label that goes with its scores: model and precision. */
  String label();

  /** Whether it can score now. */
  Readiness readiness();

  /**
   * Scores passages in the order given until done or the deadline. A model that can't score is no
   * exception but a {@link Shortfall} of all passages.
   *
   * @param query the user's question
   * @param passages most promising first
   */
  Reranking rerank(String query, List<String> passages, Deadline deadline);

  @Override
  void close();

  /**
   * The outcome.
   *
   * @param scores one for each passage, in the order given
   * @param shortfall why some were not scored; empty when all were
   */
  record Reranking(List<Score> scores, Optional<Shortfall> shortfall) {
    /** Copies, and checks that there is a shortfall exactly when a score is missing. */
    public Reranking {
      scores = Checks.list("scores", scores);
      Checks.present("shortfall", shortfall);
      boolean missing = scores.stream().anyMatch(s -> s.value().isEmpty());
      if (missing != shortfall.isPresent()) {
        throw Checks.bad(
            "shortfall",
            shortfall.orElse(null),
            missing ? "a shortfall, since scores are missing" : "none when all were scored");
      }
    }

    /** How many were scored. */
    public int scored() {
      return (int) scores.stream().filter(s -> s.value().isPresent()).count();
    }

    /** Whether some were not scored. */
    public boolean partial() {
      return scored() < scores.size();
    }
  }

  /**
   * The score of one passage.
   *
   * @param value in [0, 1], never NaN; empty when it was not computed
   * @param logit what was squashed into {@code value}: the raw difference (yes − no), finite. Sort
   *     by it: many values near 1 round to the same number. Present exactly when {@code value} is
   * @param truncated the passage was cut to fit the model
   * @param cached it was computed for an earlier request
   */
  record Score(OptionalDouble value, OptionalDouble logit, boolean truncated, boolean cached) {
    /** Checks. */
    public Score {
      if (Checks.present("score", value).isPresent()) {
        Checks.range("score", value.getAsDouble(), 0, 1);
      }
      if (Checks.present("logit", logit).isPresent() != value.isPresent()) {
        throw Checks.bad(
            "logit", logit, value.isPresent() ? "a logit beside a score" : "none without a score");
      }
      if (logit.isPresent()) {
        Checks.range("logit", logit.getAsDouble(), -Double.MAX_VALUE, Double.MAX_VALUE);
      }
      if (cached && value.isEmpty()) {
        throw Checks.bad("cached", true, "false without a score");
      }
    }

    /** A score that was not computed. */
    public static Score absent() {
      return absent(false);
    }

    /** A score that was not computed, of a passage that was cut or not. */
    public static Score absent(boolean truncated) {
      return new Score(OptionalDouble.empty(), OptionalDouble.empty(), truncated, false);
    }
  }

  /**
   * Why scores are missing. When there are several reasons, the one that kept most passages
   * unscored.
   *
   * @param cause to decide by
   * @param detail for people, one sentence; not empty
   */
  record Shortfall(Cause cause, String detail) {
    /** Checks. */
    public Shortfall {
      Checks.present("cause", cause);
      Checks.id("detail", detail);
    }
  }

  /** Kinds of shortfalls. */
  enum Cause {
    /** The model is still being loaded; ask again later. */
    MODEL_LOADING,
    /** Loading failed, the self-check failed, or the model keeps failing. */
    MODEL_FAILED,
    /** The reranker was closed, before or during the call. */
    CLOSED,
    /** There was no time for the rest. */
    DEADLINE,
    /** The model failed on these passages, or computed no number. */
    SCORER_ERROR
  }
}
