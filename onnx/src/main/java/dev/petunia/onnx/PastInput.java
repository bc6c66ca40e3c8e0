package dev.petunia.onnx;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.TensorInfo;
import java.util.Optional;

/**
 * An input of a decoder for the keys or values of tokens that it has read before. An embedder reads
 * a text in one go, so it gets none: a tensor with 0 tokens.
 *
 * @param name such as {@code past_key_values.0.key}
 * @param type FLOAT or FLOAT16
 * @param heads second dimension
 * @param components fourth dimension
 */
record PastInput(String name, OnnxJavaType type, long heads, long components) {
  private static final String PREFIX = "past_key_values.";

  /** What is understood, for messages. */
  static final String EXPECTED =
      "FLOAT or FLOAT16[batch, heads, past tokens, components] with a number of heads and components";

  static boolean isNamedSo(String name) {
    return name.startsWith(PREFIX);
  }

  /** Empty when the input isn't as {@link #EXPECTED}. */
  static Optional<PastInput> of(String name, TensorInfo info) {
    long[] shape = info.getShape();
    boolean known =
        (info.type == OnnxJavaType.FLOAT || info.type == OnnxJavaType.FLOAT16)
            && shape.length == 4
            && shape[1] > 0
            && shape[2] <= 0
            && shape[3] > 0;
    return known
        ? Optional.of(new PastInput(name, info.type, shape[1], shape[3]))
        : Optional.empty();
  }

  long[] emptyShape() {
    return new long[] {1, heads, 0, components};
  }
}
