package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import java.util.List;

/**
 * Turns texts into vectors of unit length. Safe for many threads. The same text in the same form
 * always gets the same bits, whatever is embedded beside it.
 */
public interface Embedder extends AutoCloseable {
  /** A name that changes whenever the vectors would: model, precision, pooling. */
  String modelId();

  /** Number of components of each vector. */
  int dimension();

  /** Most tokens of a text that the model reads, its special tokens included. */
  int maxTokens();

  /**
   * Whether the two forms of a text may have different vectors. When not, embedding a text in both
   * would do the same work twice.
   */
  default boolean distinguishesForms() {
    return true;
  }

  /**
   * The embeddings of texts, in their order. An empty text is allowed.
   *
   * @throws IndexClosedException when closed
   */
  List<Embedding> embed(List<String> texts, TextForm form);

  /** The embedding of one text. */
  default Embedding embed(String text, TextForm form) {
    return embed(List.of(Checks.present("text", text)), form).getFirst();
  }

  @Override
  void close();
}
