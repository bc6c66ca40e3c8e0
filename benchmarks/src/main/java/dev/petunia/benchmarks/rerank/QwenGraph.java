package dev.petunia.benchmarks.rerank;

import static dev.petunia.benchmarks.rerank.OnnxGraph.FLOAT;
import static dev.petunia.benchmarks.rerank.OnnxGraph.INT64;
import static dev.petunia.benchmarks.rerank.OnnxGraph.INT8;
import static dev.petunia.benchmarks.rerank.OnnxGraph.integer;
import static dev.petunia.benchmarks.rerank.OnnxGraph.integers;

import java.io.IOException;

/**
 * Writes a causal language model with Qwen3's architecture in plain ONNX operators, as exporters
 * make it: grouped-query attention with normalised queries and keys, rotary positions
 * (rotate-half), SwiGLU, RMS norms, and a head tied to the embedding.
 *
 * <pre>{@code
 * input_ids       [batch, sequence]   ─┐                    logits        [batch, sequence, vocabulary]
 * attention_mask  [batch, past + seq]  ├─► embedding ─►     present.N.key [batch, kv heads, past + seq, d]
 * position_ids    [batch, sequence]    │   layers ─► head   present.N.value
 * past_key_values.N.key / .value      ─┘
 * }</pre>
 */
final class QwenGraph {
  static final String LOGITS = "logits";

  /** Finite: a row that sees nothing must not become NaN. */
  private static final float NEVER = -Float.MAX_VALUE;

  /** What a block adds to the stream between layers, whose parts have this size at first, too. */
  private static final double SMALL_GAIN = 0.1;

  private final ModelShape shape;
  private final Precision precision;
  private final Weights weights;
  private final OnnxGraph g;

  // values that all layers share
  private String cos = "";
  private String sin = "";
  private String bias = "";

  private QwenGraph(ModelShape shape, Precision precision, Weights weights, OnnxGraph g) {
    this.shape = shape;
    this.precision = precision;
    this.weights = weights;
    this.g = g;
  }

  /** Writes all weights to {@code data}, and gives back the model without them. */
  static byte[] write(ModelShape shape, Precision precision, long seed, ExternalData data)
      throws IOException {
    OnnxGraph g = new OnnxGraph(data);
    new QwenGraph(shape, precision, new Weights(seed), g).build();
    return g.model("qwen3-" + shape.label() + '-' + precision.label() + "-random");
  }

  /** The embedding, which is the head too: one output per token. */
  static Weights.Matrix embedding(ModelShape s, Weights weights) {
    return weights.matrix(
        "embed_tokens", s.hidden(), s.vocabulary(), SMALL_GAIN * Math.sqrt(s.hidden()));
  }

  /** A matrix of a layer. */
  static Weights.Matrix projection(ModelShape s, Weights weights, int layer, Projection p) {
    return weights.matrix("layers." + layer + '.' + p, p.in(s), p.out(s), p.gain);
  }

  /** The matrices of a layer. */
  enum Projection {
    Q(1),
    K(1),
    V(1),
    O(SMALL_GAIN),
    GATE(1),
    UP(1),
    DOWN(SMALL_GAIN);

    private final double gain;

    Projection(double gain) {
      this.gain = gain;
    }

    int in(ModelShape s) {
      return switch (this) {
        case O -> s.heads() * s.headDim();
        case DOWN -> s.intermediate();
        default -> s.hidden();
      };
    }

    int out(ModelShape s) {
      return switch (this) {
        case Q -> s.heads() * s.headDim();
        case K, V -> s.kvHeads() * s.headDim();
        case GATE, UP -> s.intermediate();
        case O, DOWN -> s.hidden();
      };
    }
  }

  private void build() throws IOException {
    signature();
    rotations();
    causalBias();
    Weights.Matrix embedding = embedding(shape, weights);
    String hidden = embed(embedding);
    for (int layer = 0; layer < shape.layers(); layer++) {
      hidden = attention(layer, hidden);
      hidden = mlp(layer, hidden);
    }
    String last = rms(hidden, "norm", shape.hidden());
    g.rename(LOGITS, multiply(last, "lm_head", embedding));
  }

  private void signature() {
    String total = "past_sequence_length + sequence_length";
    g.input("input_ids", INT64, "batch_size", "sequence_length");
    g.input("attention_mask", INT64, "batch_size", total);
    g.input("position_ids", INT64, "batch_size", "sequence_length");
    g.output(LOGITS, FLOAT, "batch_size", "sequence_length", shape.vocabulary());
    for (int layer = 0; layer < shape.layers(); layer++) {
      for (String part : new String[] {"key", "value"}) {
        g.input(
            past(layer, part),
            FLOAT,
            "batch_size",
            shape.kvHeads(),
            "past_sequence_length",
            shape.headDim());
        g.output(
            present(layer, part), FLOAT, "batch_size", shape.kvHeads(), total, shape.headDim());
      }
    }
  }

  static String past(int layer, String part) {
    return "past_key_values." + layer + '.' + part;
  }

  static String present(int layer, String part) {
    return "present." + layer + '.' + part;
  }

  /** cos and sin for each position: [batch, 1, sequence, head]. */
  private void rotations() {
    int half = shape.headDim() / 2;
    float[] frequencies = new float[half];
    for (int i = 0; i < half; i++) {
      frequencies[i] = (float) Math.pow(ModelShape.ROPE_THETA, -2.0 * i / shape.headDim());
    }
    String inverse = g.floats("rope.inv_freq", frequencies, 1, 1, half);
    String positions = g.node("Cast", integer("to", FLOAT), "position_ids");
    String angles = g.node("Mul", g.node("Unsqueeze", positions, g.longs(-1)), inverse);
    String both = g.node("Concat", integer("axis", -1), angles, angles);
    cos = g.node("Unsqueeze", g.node("Cos", both), g.longs(1));
    sin = g.node("Unsqueeze", g.node("Sin", both), g.longs(1));
  }

  /** 0 where a token sees another, {@link #NEVER} elsewhere: [batch, 1, sequence, past + seq]. */
  private void causalBias() {
    String sequence = g.node("Gather", g.node("Shape", "input_ids"), g.scalar(1));
    String total = g.node("Gather", g.node("Shape", "attention_mask"), g.scalar(1));
    String past = g.node("Sub", total, sequence);
    String rows = g.node("Unsqueeze", g.node("Range", past, total, g.scalar(1)), g.longs(1));
    String columns =
        g.node("Unsqueeze", g.node("Range", g.scalar(0), total, g.scalar(1)), g.longs(0));
    String causal = g.node("LessOrEqual", columns, rows);
    String real =
        g.node(
            "Cast",
            integer("to", OnnxGraph.BOOL),
            g.node("Unsqueeze", "attention_mask", g.longs(1, 2)));
    bias =
        g.node("Where", g.node("And", causal, real), g.scalar("zero", 0), g.scalar("never", NEVER));
  }

  private String embed(Weights.Matrix m) throws IOException {
    if (precision == Precision.FP32) {
      // [vocabulary, hidden], the other way round than a multiplication wants it
      String table =
          g.external(
              "embed_tokens",
              FLOAT,
              to -> {
                for (int token = 0; token < m.out(); token++) {
                  for (int i = 0; i < m.in(); i++) {
                    to.put(m.at(i, token));
                  }
                }
              },
              m.out(),
              m.in());
      return g.node("Gather", table, "input_ids");
    }
    String table =
        g.external(
            "embed_tokens.q8",
            INT8,
            to -> {
              for (int token = 0; token < m.out(); token++) {
                for (int i = 0; i < m.in(); i++) {
                  to.put(m.quantised(i, token));
                }
              }
            },
            m.out(),
            m.in());
    String scales = scales("embed_tokens.scale", m, m.out(), 1);
    String numbers = g.node("Cast", integer("to", FLOAT), g.node("Gather", table, "input_ids"));
    return g.node("Mul", numbers, g.node("Gather", scales, "input_ids"));
  }

  private String scales(String name, Weights.Matrix m, long... dims) throws IOException {
    return g.external(
        name,
        FLOAT,
        to -> {
          for (int o = 0; o < m.out(); o++) {
            to.put(m.scale(o));
          }
        },
        dims);
  }

  private String multiply(String x, String name, Weights.Matrix m) throws IOException {
    if (precision == Precision.FP32) {
      float[] scale = new float[m.out()];
      for (int o = 0; o < scale.length; o++) {
        scale[o] = m.scale(o);
      }
      String matrix =
          g.external(
              name,
              FLOAT,
              to -> {
                for (int i = 0; i < m.in(); i++) {
                  for (int o = 0; o < m.out(); o++) {
                    to.put(m.quantised(i, o) * scale[o]);
                  }
                }
              },
              m.in(),
              m.out());
      return g.node("MatMul", x, matrix);
    }
    String matrix =
        g.external(
            name + ".q8",
            INT8,
            to -> {
              for (int i = 0; i < m.in(); i++) {
                for (int o = 0; o < m.out(); o++) {
                  to.put(m.quantised(i, o));
                }
              }
            },
            m.in(),
            m.out());
    return g.microsoft("DynamicQuantizeMatMul", x, matrix, scales(name + ".scale", m, m.out()));
  }

  private String multiply(String x, int layer, Projection p) throws IOException {
    String name = "layers." + layer + '.' + p.name().toLowerCase(java.util.Locale.ROOT) + "_proj";
    return multiply(x, name, projection(shape, weights, layer, p));
  }

  /** x / sqrt(mean of squares + epsilon) * weights, in the operators of exporters. */
  private String rms(String x, String name, int size) {
    float[] w = new float[size];
    for (int i = 0; i < size; i++) {
      w[i] = weights.norm(name, i);
    }
    String squares = g.node("Pow", x, g.scalar("two", 2));
    Proto mean = integers("axes", -1);
    String epsilon = g.scalar("epsilon", (float) ModelShape.RMS_EPSILON);
    String root = g.node("Sqrt", g.node("Add", g.node("ReduceMean", mean, squares), epsilon));
    String inverse = g.node("Div", g.scalar("one", 1), root);
    return g.node("Mul", g.node("Mul", x, inverse), g.floats(name + ".weight", w, size));
  }

  private String attention(int layer, String hidden) throws IOException {
    String before = "layers." + layer + '.';
    String x = rms(hidden, before + "input_layernorm", shape.hidden());
    String q = heads(multiply(x, layer, Projection.Q), shape.heads());
    String k = heads(multiply(x, layer, Projection.K), shape.kvHeads());
    String v = heads(multiply(x, layer, Projection.V), shape.kvHeads());
    Proto swap = integers("perm", 0, 2, 1, 3);
    q = rotate(g.node("Transpose", swap, rms(q, before + "q_norm", shape.headDim())));
    k = rotate(g.node("Transpose", swap, rms(k, before + "k_norm", shape.headDim())));
    v = g.node("Transpose", swap, v);
    Proto tokens = integer("axis", 2);
    k = g.named(present(layer, "key"), "Concat", tokens, past(layer, "key"), k);
    v = g.named(present(layer, "value"), "Concat", tokens, past(layer, "value"), v);
    k = repeat(k);
    v = repeat(v);
    String turned = g.node("Transpose", integers("perm", 0, 1, 3, 2), k);
    String dots = g.node("MatMul", q, turned);
    String scale = g.scalar("attention_scale", (float) (1 / Math.sqrt(shape.headDim())));
    String seen = g.node("Add", g.node("Mul", dots, scale), bias);
    String context = g.node("MatMul", g.node("Softmax", integer("axis", -1), seen), v);
    String rows =
        g.node(
            "Reshape",
            g.node("Transpose", swap, context),
            g.longs(0, 0, (long) shape.heads() * shape.headDim()));
    return g.node("Add", hidden, multiply(rows, layer, Projection.O));
  }

  private String heads(String x, int count) {
    return g.node("Reshape", x, g.longs(0, 0, count, shape.headDim()));
  }

  /** Turns the pairs (i, i + half) of each head. */
  private String rotate(String x) {
    int half = shape.headDim() / 2;
    String first = g.node("Slice", x, g.longs(0), g.longs(half), g.longs(3));
    String second = g.node("Slice", x, g.longs(half), g.longs(shape.headDim()), g.longs(3));
    String turned = g.node("Concat", integer("axis", -1), g.node("Neg", second), first);
    return g.node("Add", g.node("Mul", x, cos), g.node("Mul", turned, sin));
  }

  /** Each head of keys or values once for each query head that reads it. */
  private String repeat(String x) {
    int times = shape.heads() / shape.kvHeads();
    if (times == 1) {
      return x;
    }
    String wide = g.node("Expand", g.node("Unsqueeze", x, g.longs(2)), g.longs(1, 1, times, 1, 1));
    return g.node("Reshape", wide, g.longs(0, shape.heads(), -1, shape.headDim()));
  }

  private String mlp(int layer, String hidden) throws IOException {
    String x = rms(hidden, "layers." + layer + ".post_attention_layernorm", shape.hidden());
    String gate = multiply(x, layer, Projection.GATE);
    String up = multiply(x, layer, Projection.UP);
    String active = g.node("Mul", g.node("Mul", gate, g.node("Sigmoid", gate)), up);
    return g.node("Add", hidden, multiply(active, layer, Projection.DOWN));
  }
}
