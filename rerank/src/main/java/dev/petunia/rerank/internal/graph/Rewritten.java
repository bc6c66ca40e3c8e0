package dev.petunia.rerank.internal.graph;

import java.nio.file.Path;

/**
 * A model after {@link YesNoRewriter}.
 *
 * @param model refers to the weights in the original files by their offsets
 * @param folder where it looks for its weights
 * @param output name of the new output, {@code [1, 1, 2]} or {@code [1, 2]}: (no, yes)
 * @param rows whether the head itself was cut to two rows
 */
@SuppressWarnings("ArrayRecordComponent") // handed on to ONNX Runtime, once
public record Rewritten(byte[] model, Path folder, String output, boolean rows) {
  /** For labels. */
  public String label() {
    return rows ? "last position, 2 rows" : "last position";
  }
}
