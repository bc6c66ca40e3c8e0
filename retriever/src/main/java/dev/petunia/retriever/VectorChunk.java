package dev.petunia.retriever;

import dev.petunia.core.Chunk;
import dev.petunia.core.internal.Checks;

/**
 * A chunk with its vector, for callers that bring their own vectors.
 *
 * @param chunk the passage
 * @param vector not copied, so don't change it until the call it is passed to has returned
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier of arguments; equality by identity is right
public record VectorChunk(Chunk chunk, float[] vector) {
  /** Checks that both are there and the components finite. */
  public VectorChunk {
    Checks.present("chunk", chunk);
    Checks.finite("vector of \"" + chunk.id() + "\"", vector);
  }
}
