package dev.petunia.retriever;

import dev.petunia.core.Deadline;
import dev.petunia.core.Readiness;
import dev.petunia.core.Reranker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;

/** Scores the first few passages by a function of their text, and remembers what it was asked. */
final class FakeReranker implements Reranker {
  private final int most;
  private final Cause cause;
  private final ToDoubleFunction<String> logit;
  final List<List<String>> asked = new CopyOnWriteArrayList<>();
  final List<Deadline> deadlines = new CopyOnWriteArrayList<>();
  final AtomicBoolean closed = new AtomicBoolean();

  FakeReranker(int most, Cause cause, ToDoubleFunction<String> logit) {
    this.most = most;
    this.cause = cause;
    this.logit = logit;
  }

  /** Scores all. */
  FakeReranker(ToDoubleFunction<String> logit) {
    this(Integer.MAX_VALUE, Cause.DEADLINE, logit);
  }

  @Override
  public String label() {
    return "fake fp64";
  }

  @Override
  public Readiness readiness() {
    return () ->
        List.of(
            new Readiness.Model(
                label(), Readiness.State.READY, Optional.empty(), Optional.of("made up")));
  }

  @Override
  public Reranking rerank(String query, List<String> passages, Deadline deadline) {
    asked.add(List.copyOf(passages));
    deadlines.add(deadline);
    boolean open = !closed.get();
    List<Score> scores = new ArrayList<>();
    for (int i = 0; i < passages.size(); i++) {
      if (open && i < most) {
        double x = logit.applyAsDouble(passages.get(i));
        scores.add(
            new Score(
                OptionalDouble.of(1 / (1 + Math.exp(-x))), OptionalDouble.of(x), i == 0, i == 1));
      } else {
        scores.add(Score.absent());
      }
    }
    boolean missing = scores.stream().anyMatch(s -> s.value().isEmpty());
    return new Reranking(
        scores,
        missing
            ? Optional.of(new Shortfall(open ? cause : Cause.CLOSED, "as the test wants it"))
            : Optional.empty());
  }

  @Override
  public void close() {
    closed.set(true);
  }
}
