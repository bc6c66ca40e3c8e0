package dev.petunia.retriever;

import dev.petunia.core.Filter;
import dev.petunia.core.internal.Checks;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One question to a {@link Retriever}. Immutable; the methods give a changed copy.
 *
 * @param text what the user said
 * @param mode which channels answer
 * @param conversation what came before
 * @param limit most passages, 1 to 1000
 * @param filter only chunks that match
 * @param ef beam width of the vector search; empty: the index decides
 * @param lambda 1 = relevance only, down to 0 = diversity only
 * @param exclude leave out what the conversation has served; false: it may come again
 * @param collapse of near-duplicates show the best only, and none of what was served when exclude
 *     is on; false: each passage stands for itself
 */
public record RetrievalRequest(
    String text,
    Mode mode,
    ConversationState conversation,
    int limit,
    Optional<Filter> filter,
    OptionalInt ef,
    double lambda,
    boolean exclude,
    boolean collapse) {
  /** The default of {@code limit}. */
  public static final int DEFAULT_LIMIT = 8;

  /** Which channels answer. */
  public enum Mode {
    /** Both, fused by reciprocal rank. */
    HYBRID,
    /** Vectors only. */
    DENSE,
    /** BM25 only. */
    LEXICAL
  }

  /**
   * Checks.
   *
   * @throws IllegalArgumentException that names the field, the value and what is allowed
   */
  public RetrievalRequest {
    Checks.wellFormed("text", text);
    if (text.isBlank()) {
      throw Checks.bad("text", text, "text with at least one character that is not space");
    }
    Checks.present("mode", mode);
    Checks.present("conversation", conversation);
    Checks.range("limit", limit, 1, 1000);
    Checks.present("filter", filter);
    Checks.present("ef", ef);
    if (ef.isPresent()) {
      Checks.range("ef", ef.getAsInt(), 1, Integer.MAX_VALUE);
    }
    Checks.range("lambda", lambda, 0, 1);
  }

  /** A question outside any conversation, by all channels. */
  public static RetrievalRequest of(String text) {
    return new RetrievalRequest(
        text,
        Mode.HYBRID,
        ConversationState.start(),
        DEFAULT_LIMIT,
        Optional.empty(),
        OptionalInt.empty(),
        1,
        true,
        true);
  }

  /** This as the next turn of a conversation. */
  public RetrievalRequest in(ConversationState state) {
    return new RetrievalRequest(text, mode, state, limit, filter, ef, lambda, exclude, collapse);
  }

  /** This by other channels. */
  public RetrievalRequest mode(Mode newMode) {
    return new RetrievalRequest(
        text, newMode, conversation, limit, filter, ef, lambda, exclude, collapse);
  }

  /** This with another number of passages. */
  public RetrievalRequest limit(int newLimit) {
    return new RetrievalRequest(
        text, mode, conversation, newLimit, filter, ef, lambda, exclude, collapse);
  }

  /** This with a filter. */
  public RetrievalRequest filter(Filter newFilter) {
    return new RetrievalRequest(
        text, mode, conversation, limit, Optional.of(newFilter), ef, lambda, exclude, collapse);
  }

  /** This with a beam width. */
  public RetrievalRequest ef(int newEf) {
    return new RetrievalRequest(
        text, mode, conversation, limit, filter, OptionalInt.of(newEf), lambda, exclude, collapse);
  }

  /** This with another balance of relevance (1) and diversity (0). */
  public RetrievalRequest lambda(double newLambda) {
    return new RetrievalRequest(
        text, mode, conversation, limit, filter, ef, newLambda, exclude, collapse);
  }

  /** This with or without leaving out what was served. */
  public RetrievalRequest exclude(boolean newExclude) {
    return new RetrievalRequest(
        text, mode, conversation, limit, filter, ef, lambda, newExclude, collapse);
  }

  /** This with or without collapsing near-duplicates. */
  public RetrievalRequest collapse(boolean newCollapse) {
    return new RetrievalRequest(
        text, mode, conversation, limit, filter, ef, lambda, exclude, newCollapse);
  }
}
