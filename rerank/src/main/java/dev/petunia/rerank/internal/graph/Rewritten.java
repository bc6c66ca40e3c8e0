package dev.petunia.rerank.internal.graph;

/**
 * A model after {@link YesNoRewriter}.
 *
 * @param model to be loaded with the original's folder as the place of external data: it refers to
 *     the weights in the original file by their offsets
 * @param output name of the new output, {@code [1, 1, 2]} or {@code [1, 2]}: (no, yes)
 * @param rows whether the head itself was cut to two rows
 */
@SuppressWarnings("ArrayRecordComponent") // handed on to ONNX Runtime, once
public record Rewritten(byte[] model, String output, boolean rows) {
  /** For labels. */
  public String label() {
    return rows ? "last position, 2 rows" : "last position";
  }
}
