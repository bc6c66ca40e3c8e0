package dev.petunia.retriever;

import dev.petunia.core.Embedder;
import dev.petunia.core.Embedding;
import dev.petunia.core.IndexClosedException;
import dev.petunia.core.TextForm;
import dev.petunia.core.internal.Checks;
import dev.petunia.retriever.RetrievalRequest.Mode;
import dev.petunia.retriever.Shortfall.Reason;
import dev.petunia.retriever.Shortfall.Stage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A question's vectors, or why there are none.
 *
 * @param vector of the query form; null without an embedding
 * @param targets of the vector search: each form of the question, mixed with what the conversation
 *     has been about
 * @param names of the targets
 * @param truncated the embedder did not see the end
 * @param shortfall why there is no vector
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier within one request
record Question(
    float @Nullable [] vector,
    List<float[]> targets,
    List<String> names,
    boolean truncated,
    Optional<Shortfall> shortfall) {

  static Question of(FloorRequest request, FloorOptions options, RetrieverConfig config) {
    Embedder embedder = config.embedder().orElse(null);
    if (embedder == null) {
      return request.mode() == Mode.LEXICAL
          ? new Question(null, List.of(), List.of(), false, Optional.empty())
          : without(Reason.NO_MODEL, "no embedder is configured");
    }
    if (request.deadline().passed()) {
      return without(
          Reason.DEADLINE_BEFORE_FIRST_SCORE,
          "the deadline had passed before the question was embedded");
    }
    Embedding query;
    Embedding document = null;
    try {
      query = usable(embedder.embed(request.text(), TextForm.QUERY), config);
      if (options.bothForms() && request.mode() != Mode.LEXICAL && embedder.distinguishesForms()) {
        document = usable(embedder.embed(request.text(), TextForm.DOCUMENT), config);
      }
    } catch (IndexClosedException e) {
      return without(Reason.CLOSED, "the embedder is closed");
    } catch (RuntimeException | LinkageError | StackOverflowError e) { // also of native parts
      System.getLogger("dev.petunia.retriever")
          .log(System.Logger.Level.WARNING, "embedding a question failed", e);
      return without(Reason.MODEL_FAILED, "the embedder failed: " + e);
    }
    if (request.mode() == Mode.LEXICAL) {
      return new Question(
          query.vector(), List.of(), List.of(), query.truncated(), Optional.empty());
    }
    List<float[]> targets = new ArrayList<>();
    List<String> names = new ArrayList<>();
    targets.add(mixed(query.vector(), request.conversation(), config));
    names.add("question");
    // an embedder that does not know may give both forms one vector
    if (document != null && !Arrays.equals(document.vector(), query.vector())) {
      targets.add(mixed(document.vector(), request.conversation(), config));
      names.add("question as document");
    }
    return new Question(query.vector(), targets, names, query.truncated(), Optional.empty());
  }

  /**
   * A vector that can be searched for; the index would refuse others, and with them the request.
   */
  private static Embedding usable(Embedding e, RetrieverConfig config) {
    if (e.vector().length != config.dimension()) {
      throw new IllegalStateException(
          "it gave " + e.vector().length + " components instead of " + config.dimension());
    }
    for (float x : e.vector()) {
      if (x != 0) {
        return e;
      }
    }
    throw new IllegalStateException("it gave the zero vector");
  }

  private static float[] mixed(float[] vector, ConversationState state, RetrieverConfig config) {
    float[] centroid = state.centroid().orElse(null);
    if (centroid == null || config.questionWeight() == 1) {
      return vector;
    }
    if (centroid.length != vector.length) {
      throw Checks.bad(
          "conversation centroid",
          centroid.length + " components",
          vector.length + " components, the index's dimension");
    }
    float[] sum =
        Vectors.unitSum(config.questionWeight(), vector, 1 - config.questionWeight(), centroid);
    return sum == null ? vector : sum;
  }

  private static Question without(Reason reason, String detail) {
    return new Question(
        null, List.of(), List.of(), false, Optional.of(new Shortfall(Stage.EMBED, reason, detail)));
  }
}
