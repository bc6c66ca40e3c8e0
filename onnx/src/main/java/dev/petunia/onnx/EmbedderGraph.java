package dev.petunia.onnx;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import dev.petunia.onnx.internal.OnnxSession;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an embedding graph takes and gives. Everything that isn't understood is refused here, by
 * name, so that no wrong output is ever read as a vector.
 *
 * @param output name of the token vectors
 * @param mask whether the graph takes {@code attention_mask}
 * @param types whether it takes {@code token_type_ids}
 */
record EmbedderGraph(EmbedderModel model, String output, boolean mask, boolean types) {
  private static final String IDS = "input_ids";
  private static final String MASK = "attention_mask";
  private static final String TYPES = "token_type_ids";

  /**
   * @throws ModelException when inputs or outputs aren't those of a text encoder
   */
  static EmbedderGraph of(EmbedderModel model, OnnxSession session) {
    Map<String, TensorInfo> in = session.inputs();
    if (!in.containsKey(IDS)) {
      throw wrong(model, "has no input " + IDS + ", but " + in.keySet());
    }
    in.forEach(
        (name, info) -> {
          if (!Set.of(IDS, MASK, TYPES).contains(name)) {
            throw wrong(
                model, "has input " + name + "; understood are " + List.of(IDS, MASK, TYPES));
          }
          if (info.type != OnnxJavaType.INT64 || info.getShape().length != 2) {
            throw wrong(
                model, "input " + name + " is " + show(info) + ", expected INT64[batch, tokens]");
          }
        });
    String output = tokenVectors(model, session.outputs());
    return new EmbedderGraph(model, output, in.containsKey(MASK), in.containsKey(TYPES));
  }

  /**
   * The only float output of rank 3, or the one called last_hidden_state when there are several.
   */
  private static String tokenVectors(EmbedderModel model, Map<String, TensorInfo> outputs) {
    List<String> candidates =
        outputs.entrySet().stream()
            .filter(e -> e.getValue().type == OnnxJavaType.FLOAT)
            .filter(e -> e.getValue().getShape().length == 3)
            .map(Map.Entry::getKey)
            .toList();
    String name =
        candidates.contains("last_hidden_state") || candidates.size() != 1
            ? "last_hidden_state"
            : candidates.getFirst();
    TensorInfo info = outputs.get(name);
    if (info == null || !candidates.contains(name)) {
      Map<String, String> shown = new HashMap<>();
      outputs.forEach((n, i) -> shown.put(n, show(i)));
      throw wrong(model, "has outputs " + shown + ", expected one FLOAT[batch, tokens, dimension]");
    }
    long declared = info.getShape()[2];
    if (declared > 0 && declared != model.dimension()) {
      throw wrong(
          model,
          "output " + name + " has " + declared + " components, described as " + model.dimension());
    }
    return name;
  }

  /** The inputs of a run. */
  Map<String, OnnxTensor> feed(OnnxTensor ids, OnnxTensor maskOnes, OnnxTensor typeIds) {
    Map<String, OnnxTensor> feed = new HashMap<>();
    feed.put(IDS, ids);
    if (mask) {
      feed.put(MASK, maskOnes);
    }
    if (types) {
      feed.put(TYPES, typeIds);
    }
    return feed;
  }

  /**
   * Runs the graph on {@code tokens} and looks at what comes out.
   *
   * @throws ModelException when it can't, or the output has another shape or numbers that aren't
   *     finite
   */
  void checkOutput(OnnxSession session, long[] tokens) {
    long[] shape = {1, tokens.length};
    long[] ones = new long[tokens.length];
    Arrays.fill(ones, 1);
    try (OnnxSession.Lease lease = session.lease();
        OnnxTensor ids = lease.tensor(LongBuffer.wrap(tokens), shape);
        OnnxTensor maskOnes = lease.tensor(LongBuffer.wrap(ones), shape);
        OnnxTensor typeIds = lease.tensor(LongBuffer.allocate(tokens.length), shape);
        OrtSession.Result result = lease.run(feed(ids, maskOnes, typeIds), Set.of(output))) {
      OnnxTensor vectors = (OnnxTensor) result.get(0);
      long[] expected = {1, tokens.length, model.dimension()};
      if (!Arrays.equals(vectors.getInfo().getShape(), expected)) {
        throw wrong(
            model,
            "output "
                + output
                + " has shape "
                + Arrays.toString(vectors.getInfo().getShape())
                + " for "
                + tokens.length
                + " tokens, expected "
                + Arrays.toString(expected));
      }
      FloatBuffer f = vectors.getFloatBuffer();
      while (f.hasRemaining()) {
        float x = f.get();
        if (!Float.isFinite(x)) {
          throw wrong(model, "output " + output + " contains " + x);
        }
      }
    } catch (OrtException e) {
      throw new ModelException(
          model.name() + " can't read " + tokens.length + " tokens (maxTokens): " + e.getMessage(),
          e);
    }
  }

  private static String show(@Nullable TensorInfo info) {
    return info == null ? "absent" : info.type + Arrays.toString(info.getShape());
  }

  private static ModelException wrong(EmbedderModel model, String what) {
    return new ModelException("graph of " + model.name() + " (" + model.onnx() + ") " + what, null);
  }
}
