package dev.petunia.retriever;

import dev.petunia.core.SearchTrace;
import dev.petunia.retriever.Shortfall.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The answer to a {@link FloorRequest}: passages, and what was and was not done to choose them.
 *
 * @param passages best first: those that nearly are the question's own words, then those scored by
 *     the cross-encoder by falling logit, then the others by fusion and rescoring; in order of
 *     selection when lambda is below 1
 * @param display how many of them are meant to be shown
 * @param total candidates after fusion, near-duplicates of better ones not counted
 * @param scored how many of them the cross-encoder scored
 * @param model label of the cross-encoder that scored; empty when none did
 * @param shortfalls stages that did less than they were meant to; empty when all was done
 * @param targets what the vector search's targets were: {@code question}, {@code question as
 *     document}
 * @param trace of the vector search; empty without one
 * @param lexicalText what the text search looked for
 * @param rareTerms the rare terms of the question that gave candidates
 * @param notes anything else worth knowing
 * @param questionTruncated the embedder did not see the question's end
 * @param timings time spent
 * @param next the conversation after this turn, with the displayed passages served
 */
public record Floor(
    List<FloorPassage> passages,
    int display,
    int total,
    int scored,
    Optional<String> model,
    List<Shortfall> shortfalls,
    List<String> targets,
    Optional<SearchTrace> trace,
    String lexicalText,
    List<String> rareTerms,
    List<String> notes,
    boolean questionTruncated,
    Timings timings,
    ConversationState next) {
  /** Copies. */
  public Floor {
    passages = List.copyOf(passages);
    shortfalls = List.copyOf(shortfalls);
    targets = List.copyOf(targets);
    rareTerms = List.copyOf(rareTerms);
    notes = List.copyOf(notes);
  }

  /** This with other notes. */
  Floor notes(List<String> newNotes) {
    return new Floor(
        passages,
        display,
        total,
        scored,
        model,
        shortfalls,
        targets,
        trace,
        lexicalText,
        rareTerms,
        newNotes,
        questionTruncated,
        timings,
        next);
  }

  /** The passages to show: the first {@code display}. */
  public List<FloorPassage> displayed() {
    return passages.subList(0, Math.min(display, passages.size()));
  }

  /** Whether some candidates were not scored. */
  public boolean partial() {
    return scored < total;
  }

  /** Why nothing was scored, so that the order is that of fusion; empty when something was. */
  public Optional<Shortfall> fallback() {
    return scored > 0 ? Optional.empty() : shortfall(Stage.RERANK);
  }

  /** What a stage fell short of. */
  public Optional<Shortfall> shortfall(Stage stage) {
    return shortfalls.stream().filter(s -> s.stage() == stage).findFirst();
  }

  /**
   * Time spent.
   *
   * @param embedding on the question's vectors
   * @param searching on candidates, their texts and fusion
   * @param reranking in the cross-encoder
   * @param total from the call to the answer
   */
  public record Timings(
      Duration embedding, Duration searching, Duration reranking, Duration total) {}
}
