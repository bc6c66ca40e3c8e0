package dev.petunia.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;

/**
 * Buffers of one run, sized for the longest text and used again: the graph reads and writes them
 * directly, so a run copies no tensor and leaves no garbage of the text's size.
 */
final class Scratch {
  final LongBuffer ids;
  final LongBuffer types;

  /** All ones: a text runs alone, so nothing is padded. */
  final LongBuffer mask;

  /** Token vectors, row after row. */
  final FloatBuffer hidden;

  final float[] row;
  final double[] pooled;

  Scratch(EmbedderModel model) {
    int tokens = model.maxTokens();
    ids = longs(tokens);
    types = longs(tokens);
    mask = longs(tokens);
    for (int i = 0; i < tokens; i++) {
      mask.put(i, 1);
    }
    hidden = direct((long) Float.BYTES * tokens * model.dimension()).asFloatBuffer();
    row = new float[model.dimension()];
    pooled = new double[model.dimension()];
  }

  private static LongBuffer longs(int count) {
    return direct((long) Long.BYTES * count).asLongBuffer();
  }

  private static ByteBuffer direct(long bytes) {
    return ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
  }
}
