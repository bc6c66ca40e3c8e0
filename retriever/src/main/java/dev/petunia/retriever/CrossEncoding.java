package dev.petunia.retriever;

import dev.petunia.core.Deadline;
import dev.petunia.core.IndexClosedException;
import dev.petunia.core.Reranker;
import dev.petunia.core.Reranker.Reranking;
import dev.petunia.core.Reranker.Score;
import dev.petunia.retriever.Shortfall.Reason;
import dev.petunia.retriever.Shortfall.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The cross-encoder's scores of a pool, and why some are missing. A model that is missing, slow or
 * broken makes this empty, never an exception.
 *
 * @param size of the pool
 * @param scores by place in the pool; empty when the model gave none
 * @param model its label; empty without a model
 * @param shortfall why scores are missing
 */
record CrossEncoding(
    int size, List<Score> scores, Optional<String> model, Optional<Shortfall> shortfall) {

  static CrossEncoding of(
      @Nullable Reranker reranker, String question, List<String> passages, Deadline deadline) {
    if (reranker == null) {
      return without(passages, null, Reason.NO_MODEL, "no cross-encoder is configured");
    }
    String label = "a cross-encoder";
    try {
      label = reranker.label();
      if (passages.isEmpty()) {
        return new CrossEncoding(0, List.of(), Optional.of(label), Optional.empty());
      }
      if (deadline.passed()) {
        return without(
            passages, label, Reason.DEADLINE_BEFORE_FIRST_SCORE, "no time was left for " + label);
      }
      Reranking reranking = reranker.rerank(question, passages, deadline);
      if (reranking.scores().size() != passages.size()) {
        return without(
            passages,
            label,
            Reason.SCORER_ERROR,
            label
                + " gave "
                + reranking.scores().size()
                + " scores for "
                + passages.size()
                + " passages");
      }
      int scored = reranking.scored();
      return new CrossEncoding(
          passages.size(),
          reranking.scores(),
          Optional.of(label),
          reranking
              .shortfall()
              .map(s -> new Shortfall(Stage.RERANK, reason(s.cause(), scored), s.detail())));
    } catch (IndexClosedException e) {
      return without(passages, label, Reason.CLOSED, label + " is closed");
    } catch (RuntimeException | LinkageError | StackOverflowError e) { // also of native parts
      System.getLogger("dev.petunia.retriever")
          .log(System.Logger.Level.WARNING, label + " failed", e);
      return without(passages, label, Reason.SCORER_ERROR, label + " failed: " + e);
    }
  }

  private static Reason reason(Reranker.Cause cause, int scored) {
    return switch (cause) {
      case MODEL_LOADING -> Reason.MODEL_LOADING;
      case MODEL_FAILED -> Reason.MODEL_FAILED;
      case CLOSED -> Reason.CLOSED;
      case DEADLINE -> scored == 0 ? Reason.DEADLINE_BEFORE_FIRST_SCORE : Reason.DEADLINE;
      case SCORER_ERROR -> Reason.SCORER_ERROR;
    };
  }

  private static CrossEncoding without(
      List<String> passages, @Nullable String label, Reason reason, String detail) {
    return new CrossEncoding(
        passages.size(),
        List.of(),
        Optional.ofNullable(label),
        Optional.of(new Shortfall(Stage.RERANK, reason, detail)));
  }

  int scored() {
    return (int) scores.stream().filter(s -> s.value().isPresent()).count();
  }

  /** The score of the passage at a place of the pool; null when the model gave none at all. */
  @Nullable Score score(int place) {
    return scores.isEmpty() ? null : scores.get(place);
  }

  /**
   * Places of the pool: its heads, what was scored by falling logit, ties in pool order, then the
   * others.
   *
   * @param heads so many at the beginning stay there
   */
  int[] order(int heads) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < heads; i++) {
      order.add(i);
    }
    List<Integer> scored = new ArrayList<>();
    List<Integer> others = new ArrayList<>();
    for (int i = heads; i < size; i++) {
      Score s = score(i);
      (s != null && s.logit().isPresent() ? scored : others).add(i);
    }
    scored.sort(Comparator.comparingDouble((Integer i) -> -scores.get(i).logit().orElseThrow()));
    order.addAll(scored);
    order.addAll(others);
    return order.stream().mapToInt(Integer::intValue).toArray();
  }
}
