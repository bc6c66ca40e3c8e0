package dev.petunia.onnx;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import dev.petunia.onnx.internal.OnnxSession;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an embedding graph takes and gives. Everything that isn't understood is refused here, by
 * name, so that no wrong output is ever read as a vector.
 *
 * @param output name of the token vectors, or of the text's vector with {@link Pooling#GRAPH}
 * @param inputs names of the inputs {@code [batch, tokens]} that it has
 * @param past inputs for tokens read before
 */
record EmbedderGraph(EmbedderModel model, String output, Set<String> inputs, List<PastInput> past) {
  private static final String IDS = "input_ids";
  private static final String MASK = "attention_mask";
  private static final String TYPES = "token_type_ids";
  private static final String POSITIONS = "position_ids";
  private static final List<String> UNDERSTOOD = List.of(IDS, MASK, TYPES, POSITIONS);

  /**
   * @throws ModelException when inputs or outputs aren't those of a text encoder
   */
  static EmbedderGraph of(EmbedderModel model, OnnxSession session) {
    Map<String, TensorInfo> in = session.inputs();
    if (!in.containsKey(IDS)) {
      throw wrong(model, "has no input " + IDS + ", but " + in.keySet());
    }
    List<PastInput> past = new ArrayList<>();
    Set<String> plain = new HashSet<>();
    in.forEach(
        (name, info) -> {
          if (PastInput.isNamedSo(name)) {
            past.add(
                PastInput.of(name, info)
                    .orElseThrow(() -> unexpected(model, name, info, PastInput.EXPECTED)));
          } else if (!UNDERSTOOD.contains(name)) {
            throw wrong(
                model,
                "has input " + name + "; understood are " + UNDERSTOOD + " and past_key_values.*");
          } else if (info.type != OnnxJavaType.INT64 || info.getShape().length != 2) {
            throw unexpected(model, name, info, "INT64[batch, tokens]");
          } else {
            plain.add(name);
          }
        });
    String output = output(model, session.outputs());
    return new EmbedderGraph(model, output, Set.copyOf(plain), List.copyOf(past));
  }

  private static ModelException unexpected(
      EmbedderModel model, String name, TensorInfo info, String expected) {
    return wrong(model, "input " + name + " is " + show(info) + ", expected " + expected);
  }

  /**
   * The only float output of the expected rank, or when there are several the one called
   * last_hidden_state (rank 3), or sentence_embedding (rank 2, pooling by the graph).
   */
  private static String output(EmbedderModel model, Map<String, TensorInfo> outputs) {
    boolean pooled = model.pooling() == Pooling.GRAPH;
    int rank = pooled ? 2 : 3;
    String usual = pooled ? "sentence_embedding" : "last_hidden_state";
    List<String> candidates =
        outputs.entrySet().stream()
            .filter(e -> e.getValue().type == OnnxJavaType.FLOAT)
            .filter(e -> e.getValue().getShape().length == rank)
            .map(Map.Entry::getKey)
            .toList();
    String name =
        candidates.contains(usual) || candidates.size() != 1 ? usual : candidates.getFirst();
    TensorInfo info = outputs.get(name);
    if (info == null || !candidates.contains(name)) {
      Map<String, String> shown = new TreeMap<>();
      outputs.forEach((n, i) -> shown.put(n, show(i)));
      String expected = pooled ? "FLOAT[batch, dimension]" : "FLOAT[batch, tokens, dimension]";
      throw wrong(
          model,
          "has outputs "
              + shown
              + ", expected one "
              + expected
              + " (pooling "
              + model.pooling().label()
              + "), or one of them called "
              + usual);
    }
    long declared = info.getShape()[rank - 1];
    if (declared > 0 && declared != model.dimension()) {
      throw wrong(
          model,
          "output " + name + " has " + declared + " components, described as " + model.dimension());
    }
    return name;
  }

  /** The shape of the output for a text of so many tokens. */
  long[] outputShape(int tokens) {
    return model.pooling() == Pooling.GRAPH
        ? new long[] {1, model.dimension()}
        : new long[] {1, tokens, model.dimension()};
  }

  /** The inputs of a run on the first {@code tokens} of {@code scratch}. */
  GraphFeed feed(OnnxSession.Lease lease, Scratch scratch, int tokens) throws OrtException {
    GraphFeed feed = new GraphFeed();
    try {
      for (String name : inputs) {
        LongBuffer values =
            switch (name) {
              case IDS -> scratch.ids;
              case MASK -> scratch.mask;
              case TYPES -> scratch.types;
              default -> scratch.positions;
            };
        feed.add(name, lease.tensor(values.slice(0, tokens), 1, tokens));
      }
      for (PastInput p : past) {
        feed.add(p.name(), lease.empty(p.type(), p.emptyShape()));
      }
      return feed;
    } catch (Throwable e) {
      feed.close();
      throw e;
    }
  }

  /**
   * Runs the graph on {@code tokens} and looks at what comes out.
   *
   * @throws ModelException when it can't, or the output has another shape or numbers that aren't
   *     finite
   */
  void checkOutput(OnnxSession session, long[] tokens) {
    Scratch scratch = new Scratch(1, tokens.length); // its room for token vectors isn't used
    scratch.ids.put(0, tokens);
    try (OnnxSession.Lease lease = session.lease();
        GraphFeed feed = feed(lease, scratch, tokens.length);
        OrtSession.Result result = lease.run(feed.tensors(), Set.of(output))) {
      OnnxTensor vectors = (OnnxTensor) result.get(0);
      long[] expected = outputShape(tokens.length);
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
