package dev.petunia.benchmarks.rerank;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A generated model in ONNX Runtime as a plain program would use it: no past is kept, and logits
 * are made for all tokens at all positions. In one thing it is better than plain: logits are
 * written into a buffer that is used again, so they are never copied.
 */
@SuppressWarnings("MustBeClosedChecker") // the arena is a field, and closed with this
final class PlainModel implements AutoCloseable {
  private static final int MAX_BUFFER = Integer.MAX_VALUE - 8;

  private final ModelShape shape;
  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final OrtSession session;
  private final boolean copies;
  private Arena memory = Arena.ofConfined();
  private MemorySegment logits = MemorySegment.NULL;

  /**
   * @param copies read logits by {@link OnnxTensor#getFloatBuffer}, which copies them
   */
  PlainModel(GeneratedModel model, int threads, boolean copies) throws OrtException {
    this.shape = model.shape();
    this.copies = copies;
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(threads);
      options.setInterOpNumThreads(1);
      this.session = environment.createSession(model.graph().toString(), options);
    }
  }

  /** Rows of logits: those of text {@code b} at position {@code t} start at [b, t, 0]. */
  record Logits(FloatBuffer values, int positions, int vocabulary) {
    float at(int text, int position, int token) {
      return values.get((text * positions + position) * vocabulary + token);
    }
  }

  /**
   * The logits of texts, padded on the left to the longest with token 0. Valid until the next call.
   */
  Logits run(long[][] texts) throws OrtException {
    int longest = 0;
    for (long[] text : texts) {
      longest = Math.max(longest, text.length);
    }
    int n = texts.length * longest;
    long[] ids = new long[n];
    long[] mask = new long[n];
    long[] positions = new long[n];
    for (int b = 0; b < texts.length; b++) {
      int padding = longest - texts[b].length;
      for (int t = 0; t < texts[b].length; t++) {
        int at = b * longest + padding + t;
        ids[at] = texts[b][t];
        mask[at] = 1;
        positions[at] = t;
      }
    }
    long[] size = {texts.length, longest};
    Map<String, OnnxTensor> in = new HashMap<>();
    try {
      in.put("input_ids", OnnxTensor.createTensor(environment, LongBuffer.wrap(ids), size));
      in.put("attention_mask", OnnxTensor.createTensor(environment, LongBuffer.wrap(mask), size));
      in.put(
          "position_ids", OnnxTensor.createTensor(environment, LongBuffer.wrap(positions), size));
      long[] nothing = {texts.length, shape.kvHeads(), 0, shape.headDim()};
      for (int layer = 0; layer < shape.layers(); layer++) {
        for (String part : new String[] {"key", "value"}) {
          in.put(
              QwenGraph.past(layer, part),
              OnnxTensor.createTensor(environment, FloatBuffer.allocate(0), nothing));
        }
      }
      FloatBuffer values = copies ? copied(in) : written(in, texts.length, longest);
      return new Logits(values, longest, shape.vocabulary());
    } finally {
      in.values().forEach(OnnxTensor::close);
    }
  }

  private FloatBuffer copied(Map<String, OnnxTensor> in) throws OrtException {
    try (OrtSession.Result result = session.run(in, Set.of(QwenGraph.LOGITS))) {
      return ((OnnxTensor) result.get(0)).getFloatBuffer();
    }
  }

  private FloatBuffer written(Map<String, OnnxTensor> in, int texts, int positions)
      throws OrtException {
    FloatBuffer into = buffer((long) texts * positions * shape.vocabulary());
    long[] size = {texts, positions, shape.vocabulary()};
    try (OnnxTensor out = OnnxTensor.createTensor(environment, into, size)) {
      session.run(in, Map.of(QwenGraph.LOGITS, out)).close();
      return into;
    }
  }

  private FloatBuffer buffer(long floats) {
    long bytes = floats * Float.BYTES;
    if (bytes > MAX_BUFFER) {
      throw new IllegalArgumentException(
          "the logits of one run have " + bytes + " bytes, allowed: " + MAX_BUFFER);
    }
    if (logits.byteSize() < bytes) {
      memory.close(); // there is no room for the old and the new one together
      memory = Arena.ofConfined();
      logits = memory.allocate(bytes, Float.BYTES);
    }
    ByteBuffer buffer = logits.asSlice(0, bytes).asByteBuffer();
    return buffer.order(ByteOrder.nativeOrder()).asFloatBuffer();
  }

  /** The session, for runs of another kind. */
  OrtSession session() {
    return session;
  }

  @Override
  public void close() {
    try {
      session.close();
      memory.close();
    } catch (OrtException e) {
      throw new IllegalStateException("a session can't be closed", e);
    }
  }
}
