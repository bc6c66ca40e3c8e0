package dev.petunia.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;

/**
 * Buffers of one run, used again for later ones: the graph reads and writes them directly, so a run
 * copies no tensor and leaves no garbage of the text's size.
 */
final class Scratch {
  final LongBuffer ids;
  final LongBuffer types;

  /** 0, 1, 2, ... */
  final LongBuffer positions;

  /** All ones: a text runs alone, so nothing is padded. */
  final LongBuffer mask;

  /** Token vectors, row after row. */
  final FloatBuffer hidden;

  final float[] row;
  final double[] pooled;

  Scratch(int dimension, int tokens) {
    ids = longs(tokens);
    types = longs(tokens);
    mask = longs(tokens);
    positions = longs(tokens);
    for (int i = 0; i < tokens; i++) {
      mask.put(i, 1);
      positions.put(i, i);
    }
    hidden = direct((long) Float.BYTES * tokens * dimension).asFloatBuffer();
    row = new float[dimension];
    pooled = new double[dimension];
  }

  /** One for a text of so many tokens; a little larger, so that the next one fits too. */
  static Scratch atLeast(EmbedderModel model, int tokens) {
    int rounded = Math.min(model.maxTokens(), (tokens + 255) & -256);
    return new Scratch(model.dimension(), rounded);
  }

  boolean fits(int tokens) {
    return tokens <= ids.capacity();
  }

  private static LongBuffer longs(int count) {
    return direct((long) Long.BYTES * count).asLongBuffer();
  }

  private static ByteBuffer direct(long bytes) {
    return ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
  }
}
