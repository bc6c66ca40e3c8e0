package dev.petunia.retriever;

import dev.petunia.core.Hit;
import dev.petunia.core.SearchTrace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The answer to a request.
 *
 * @param passages best first (in order of selection when lambda is below 1); at most {@code limit}
 * @param targets what the vector search's targets were, in the order of {@link
 *     Hit#targetDistances}: {@code question}, {@code conversation}
 * @param leftOut passages that would be among these had the conversation not served them before,
 *     best first; empty when exclusion is off
 * @param trace of the vector search; empty without one
 * @param lexicalText what the text search looked for: the question, and in a conversation the words
 *     of the latest questions
 * @param embedding time spent on the question's vector
 * @param searching time spent on everything else
 * @param truncated the question was longer than the model reads, and its end was not seen
 * @param next the conversation after this turn; give it to the next request
 */
public record RetrievalResult(
    List<Passage> passages,
    List<String> targets,
    List<Passage> leftOut,
    Optional<SearchTrace> trace,
    String lexicalText,
    Duration embedding,
    Duration searching,
    boolean truncated,
    ConversationState next) {
  /** Copies. */
  public RetrievalResult {
    passages = List.copyOf(passages);
    targets = List.copyOf(targets);
    leftOut = List.copyOf(leftOut);
  }
}
