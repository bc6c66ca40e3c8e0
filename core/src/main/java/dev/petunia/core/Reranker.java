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
   * Scores passages in the order given until done or the deadline.
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
   * @param reason why some were not scored; empty when all were
   */
  record Reranking(List<Score> scores, Optional<String> reason) {
    /** Copies, and checks that there is a reason exactly when a score is missing. */
    public Reranking {
      scores = Checks.list("scores", scores);
      Checks.present("reason", reason);
      boolean missing = scores.stream().anyMatch(s -> s.value().isEmpty());
      if (missing != reason.isPresent()) {
        throw Checks.bad(
            "reason",
            reason.orElse(null),
            missing ? "a reason, since scores are missing" : "none when all were scored");
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
   * @param truncated the passage was cut to fit the model
   */
  record Score(OptionalDouble value, boolean truncated) {
    /** Checks. */
    public Score {
      if (Checks.present("score", value).isPresent()) {
        Checks.range("score", value.getAsDouble(), 0, 1);
      }
    }
  }
}
