package dev.petunia.retriever;

import dev.petunia.core.Embedder;
import dev.petunia.core.Embedding;
import dev.petunia.core.TextForm;
import java.util.List;

/** A {@link WordsEmbedder}, of which a test changes what it wants. */
class ForwardingEmbedder implements Embedder {
  private final WordsEmbedder words = new WordsEmbedder();

  @Override
  public String modelId() {
    return words.modelId();
  }

  @Override
  public int dimension() {
    return words.dimension();
  }

  @Override
  public int maxTokens() {
    return words.maxTokens();
  }

  @Override
  public List<Embedding> embed(List<String> texts, TextForm form) {
    return words.embed(texts, form);
  }

  @Override
  public void close() {
    words.close();
  }
}
