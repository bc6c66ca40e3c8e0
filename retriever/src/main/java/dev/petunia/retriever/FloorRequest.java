package dev.petunia.retriever;

import dev.petunia.core.Deadline;
import dev.petunia.core.Filter;
import dev.petunia.core.internal.Checks;
import dev.petunia.retriever.RetrievalRequest.Mode;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A question to {@link Retriever#ask}. Immutable; the methods give a changed copy.
 *
 * @param text what the user said
 * @param mode which channels give candidates
 * @param conversation what came before
 * @param filter only chunks that match
 * @param ef beam width of the vector search; empty: the index decides
 * @param deadline when the answer is due, made once for the whole request
 * @param exclude leave out what the conversation has served; false: it may come again
 * @param collapse of near-duplicates show the best only, and none of what was served when exclude
 *     is on; false: each passage stands for itself
 * @param required stages without which the request shall fail instead of falling short
 * @param options in place of those of the retriever; empty: those
 */
public record FloorRequest(
    String text,
    Mode mode,
    ConversationState conversation,
    Optional<Filter> filter,
    OptionalInt ef,
    Deadline deadline,
    boolean exclude,
    boolean collapse,
    Set<Shortfall.Stage> required,
    Optional<FloorOptions> options) {
  /**
   * Checks.
   *
   * @throws IllegalArgumentException that names the field, the value and what is allowed
   */
  public FloorRequest {
    Checks.wellFormed("text", text);
    if (text.isBlank()) {
      throw Checks.bad("text", text, "text with at least one character that is not space");
    }
    Checks.present("mode", mode);
    Checks.present("conversation", conversation);
    Checks.present("filter", filter);
    Checks.present("ef", ef);
    if (ef.isPresent()) {
      Checks.range("ef", ef.getAsInt(), 1, Integer.MAX_VALUE);
    }
    Checks.present("deadline", deadline);
    required = Checks.set("required", required);
    Checks.present("options", options);
  }

  /** A question outside any conversation, by all channels, without a deadline. */
  public static FloorRequest of(String text) {
    return new FloorRequest(
        text,
        Mode.HYBRID,
        ConversationState.start(),
        Optional.empty(),
        OptionalInt.empty(),
        Deadline.NONE,
        true,
        true,
        Set.of(),
        Optional.empty());
  }

  /** This as the next turn of a conversation. */
  public FloorRequest in(ConversationState state) {
    return new FloorRequest(
        text, mode, state, filter, ef, deadline, exclude, collapse, required, options);
  }

  /** This by other channels. */
  public FloorRequest mode(Mode newMode) {
    return new FloorRequest(
        text, newMode, conversation, filter, ef, deadline, exclude, collapse, required, options);
  }

  /** This with a filter. */
  public FloorRequest filter(Filter newFilter) {
    return new FloorRequest(
        text,
        mode,
        conversation,
        Optional.of(Checks.present("filter", newFilter)),
        ef,
        deadline,
        exclude,
        collapse,
        required,
        options);
  }

  /** This with a beam width. */
  public FloorRequest ef(int newEf) {
    return new FloorRequest(
        text,
        mode,
        conversation,
        filter,
        OptionalInt.of(newEf),
        deadline,
        exclude,
        collapse,
        required,
        options);
  }

  /** This with a deadline, such as {@code Deadline.after(Duration.ofSeconds(2))}. */
  public FloorRequest deadline(Deadline newDeadline) {
    return new FloorRequest(
        text, mode, conversation, filter, ef, newDeadline, exclude, collapse, required, options);
  }

  /** This with or without leaving out what was served. */
  public FloorRequest exclude(boolean newExclude) {
    return new FloorRequest(
        text, mode, conversation, filter, ef, deadline, newExclude, collapse, required, options);
  }

  /** This with or without collapsing near-duplicates. */
  public FloorRequest collapse(boolean newCollapse) {
    return new FloorRequest(
        text, mode, conversation, filter, ef, deadline, exclude, newCollapse, required, options);
  }

  /** This failing when one of these stages can do nothing. */
  public FloorRequest require(Shortfall.Stage... stages) {
    Set<Shortfall.Stage> set = new LinkedHashSet<>(Arrays.asList(stages));
    return new FloorRequest(
        text, mode, conversation, filter, ef, deadline, exclude, collapse, set, options);
  }

  /** This with options of its own. */
  public FloorRequest options(FloorOptions newOptions) {
    return new FloorRequest(
        text,
        mode,
        conversation,
        filter,
        ef,
        deadline,
        exclude,
        collapse,
        required,
        Optional.of(Checks.present("options", newOptions)));
  }
}
