package dev.petunia.retriever;

import dev.petunia.hnsw.HnswIndex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a question takes from its conversation, and what it leaves to it. */
final class Turn {
  private final RetrieverConfig config;
  private final HnswIndex vectors;

  Turn(RetrieverConfig config, HnswIndex vectors) {
    this.config = config;
    this.vectors = vectors;
  }

  /** The question, and the words of the latest ones. */
  String lexicalText(String question, ConversationState state) {
    StringBuilder text = new StringBuilder(question);
    List<String> earlier = state.questions();
    for (int i = 0; i < Math.min(config.carriedQuestions(), earlier.size()); i++) {
      text.append('\n').append(earlier.get(i));
    }
    return text.toString();
  }

  /**
   * The conversation after a question was answered with these chunks.
   *
   * @param question its vector; null when it has none: what the conversation is about stays
   */
  ConversationState next(
      ConversationState state, float @Nullable [] question, List<String> ids, String text) {
    return state.after(question == null ? null : about(question, ids), ids, text, config.decay());
  }

  /** What a turn was about: its question and the mean of what was served, by their shares. */
  private float[] about(float[] question, List<String> ids) {
    double share = config.servedShare();
    float[] sum = null;
    for (String id : ids) {
      float[] v = vectors.vector(id);
      if (v != null) {
        sum = sum == null ? v : add(sum, v);
      }
    }
    float[] mean = sum == null ? null : Vectors.unitSum(1, sum, 0, sum);
    float[] both = mean == null ? null : Vectors.unitSum(1 - share, question, share, mean);
    return both == null ? question : both;
  }

  private static float[] add(float[] a, float[] b) {
    for (int i = 0; i < a.length; i++) {
      a[i] += b[i];
    }
    return a;
  }
}
