package dev.petunia.retriever;

import dev.petunia.core.internal.Checks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a conversation has been about so far. The caller keeps it between turns, one for each
 * conversation, and may store it like any value; the library keeps none. Immutable.
 *
 * <pre>{@code
 * ConversationState state = ConversationState.start();
 * RetrievalResult first = retriever.search(RetrievalRequest.of("What is a StampedLock?").in(state));
 * state = first.next();
 * RetrievalResult second = retriever.search(RetrievalRequest.of("is it reentrant?").in(state));
 * }</pre>
 */
public final class ConversationState {
  /** So many of the latest questions are kept. */
  public static final int MAX_QUESTIONS = 4;

  private static final ConversationState START =
      new ConversationState(0, null, List.of(), List.of(), List.of());

  private final int turns;
  private final float @Nullable [] centroid;
  private final List<String> lastHits;
  private final List<String> served;
  private final List<String> questions;

  private ConversationState(
      int turns,
      float @Nullable [] centroid,
      Collection<String> lastHits,
      Collection<String> served,
      Collection<String> questions) {
    this.turns = turns;
    this.centroid = centroid;
    this.lastHits = Collections.unmodifiableList(new ArrayList<>(lastHits));
    this.served = Collections.unmodifiableList(new ArrayList<>(new LinkedHashSet<>(served)));
    this.questions = Collections.unmodifiableList(new ArrayList<>(questions));
  }

  /** A conversation in which nothing was said. */
  public static ConversationState start() {
    return START;
  }

  /**
   * A state that a caller stored.
   *
   * @param turns questions so far, at least 0
   * @param centroid the decayed mean of what was asked and served, finite; empty before the first
   *     turn
   * @param lastHits ids of the last turn's passages
   * @param served ids of all passages served
   * @param questions the latest questions, newest first
   */
  public static ConversationState of(
      int turns,
      Optional<float[]> centroid,
      Collection<String> lastHits,
      Collection<String> served,
      Collection<String> questions) {
    Checks.range("turns", turns, 0, Integer.MAX_VALUE);
    for (String id : lastHits) {
      Checks.id("lastHits", id);
    }
    for (String id : served) {
      Checks.id("served", id);
    }
    for (String question : questions) {
      Checks.wellFormed("questions", question);
    }
    float[] copy = centroid.map(c -> Checks.finite("centroid", c).clone()).orElse(null);
    return new ConversationState(turns, copy, lastHits, served, questions);
  }

  /** Questions so far. */
  public int turns() {
    return turns;
  }

  /**
   * The decayed mean of what was asked and served, unit length, a copy; empty before the first
   * turn.
   */
  public Optional<float[]> centroid() {
    return centroid == null ? Optional.empty() : Optional.of(centroid.clone());
  }

  /** Ids of the last turn's passages: where the next search starts from beside the entry point. */
  public List<String> lastHits() {
    return lastHits;
  }

  /** Ids of all passages served, oldest first: not served again. */
  public List<String> served() {
    return served;
  }

  /** The latest questions, newest first: their words help the text search of a follow-up. */
  public List<String> questions() {
    return questions;
  }

  /** This without memory of what was served: those passages may come again. */
  public ConversationState forgetServed() {
    return new ConversationState(turns, centroid, lastHits, List.of(), questions);
  }

  /** This with these ids marked as served too, such as passages that came from elsewhere. */
  public ConversationState alsoServed(Collection<String> ids) {
    List<String> all = new ArrayList<>(served);
    for (String id : ids) {
      all.add(Checks.id("served", id));
    }
    return new ConversationState(turns, centroid, lastHits, all, questions);
  }

  /**
   * The state after a turn.
   *
   * @param turn the turn's vector, unit length; null when the question has none
   * @param hits ids served in this turn
   * @param question what was asked
   * @param decay share of the old centroid in the new one, in [0, 1]
   */
  ConversationState after(
      float @Nullable [] turn, List<String> hits, String question, double decay) {
    float[] next = turn == null ? centroid : turn;
    if (centroid != null && turn != null) {
      if (centroid.length != turn.length) {
        throw Checks.bad(
            "conversation centroid",
            centroid.length + " components",
            turn.length + " components, the index's dimension");
      }
      float[] mixed = Vectors.unitSum(decay, centroid, 1 - decay, turn);
      next = mixed == null ? turn : mixed;
    }
    List<String> all = new ArrayList<>(served);
    all.addAll(hits);
    List<String> latest = new ArrayList<>(List.of(question));
    latest.addAll(questions);
    return new ConversationState(
        turns + 1,
        next == null ? null : next.clone(),
        hits,
        all,
        latest.subList(0, Math.min(MAX_QUESTIONS, latest.size())));
  }

  @Override
  public String toString() {
    return "ConversationState[turns="
        + turns
        + ", lastHits="
        + lastHits.size()
        + ", served="
        + served.size()
        + ", questions="
        + questions.size()
        + "]";
  }
}
