package dev.petunia.onnx;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * A decoder of one causal attention layer with two heads, positions and a cache of past keys and
 * values, in the forms that exports have. {@link #hidden} computes the same in double.
 */
final class TinyDecoder {
  static final int WORDS = 8;
  static final int END = WORDS; // the id of the token at the end
  static final String END_TOKEN = "<|endoftext|>";
  static final int HEADS = 2;
  static final int PER_HEAD = 3;
  static final int DIMENSION = HEADS * PER_HEAD;
  static final int MAX_POSITIONS = 64;

  private static final int FLOAT = 1;
  private static final int INT64 = 7;
  private static final int FLOAT16 = 10;

  boolean positionInput = true;
  boolean past = true;
  boolean halfPast;
  boolean fixedHeads = true;
  boolean tokenVectors = true;
  boolean textVector;
  boolean unitTextVector;

  /** Whether the tokenizer's file puts the end token there itself. */
  boolean tokenizerAppends;

  private final float[][] weights = new float[5][];

  TinyDecoder() {
    Random random = new Random(20);
    int[] rows = {WORDS + 1, MAX_POSITIONS, DIMENSION, DIMENSION, DIMENSION};
    for (int w = 0; w < rows.length; w++) {
      weights[w] = new float[rows[w] * DIMENSION];
      for (int i = 0; i < weights[w].length; i++) {
        weights[w][i] = (float) random.nextGaussian();
      }
    }
  }

  EmbedderModel.Builder write(Path dir) {
    try {
      return EmbedderModel.builder()
          .name("tiny-decoder")
          .onnx(ModelSource.file(Files.write(dir.resolve("decoder.onnx"), onnx())))
          .tokenizer(ModelSource.file(Files.writeString(dir.resolve("decoder.json"), tokenizer())))
          .pooling(Pooling.LAST_TOKEN)
          .appendToken(END_TOKEN)
          .maxTokens(16)
          .dimension(DIMENSION);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String tokenizer() {
    String end =
        "{\"id\":%d,\"content\":\"%s\",\"single_word\":false,\"lstrip\":false,\"rstrip\":false,"
            + "\"normalized\":false,\"special\":true}";
    String template =
        """
        {"type":"Sequence","processors":[{"type":"TemplateProcessing",
         "single":[{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"%1$s","type_id":0}}],
         "pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":0}}],
         "special_tokens":{"%1$s":{"id":"%1$s","ids":[%2$d],"tokens":["%1$s"]}}}]}
        """
            .formatted(END_TOKEN, END);
    return TinyModel.tokenizer()
        .replace("\"added_tokens\":[]", "\"added_tokens\":[" + end.formatted(END, END_TOKEN) + "]")
        .replace(
            "\"post_processor\":null",
            "\"post_processor\":" + (tokenizerAppends ? template : "null"));
  }

  /** The vectors of all tokens, in double. */
  double[][] hidden(int... ids) {
    int n = ids.length;
    double[][] x = new double[n][DIMENSION];
    for (int t = 0; t < n; t++) {
      for (int d = 0; d < DIMENSION; d++) {
        x[t][d] = (double) weights[0][ids[t] * DIMENSION + d] + weights[1][t * DIMENSION + d];
      }
    }
    double[][] q = times(x, weights[2]);
    double[][] k = times(x, weights[3]);
    double[][] v = times(x, weights[4]);
    double[][] out = new double[n][];
    for (int t = 0; t < n; t++) {
      out[t] = x[t].clone();
      for (int h = 0; h < HEADS; h++) {
        double[] attention = new double[t + 1];
        double sum = 0;
        for (int s = 0; s <= t; s++) {
          double dot = 0;
          for (int d = h * PER_HEAD; d < (h + 1) * PER_HEAD; d++) {
            dot += q[t][d] * k[s][d];
          }
          attention[s] = Math.exp(dot / Math.sqrt(PER_HEAD));
          sum += attention[s];
        }
        for (int s = 0; s <= t; s++) {
          for (int d = h * PER_HEAD; d < (h + 1) * PER_HEAD; d++) {
            out[t][d] += attention[s] / sum * v[s][d];
          }
        }
      }
    }
    return out;
  }

  private static double[][] times(double[][] x, float[] w) {
    double[][] out = new double[x.length][DIMENSION];
    for (int t = 0; t < x.length; t++) {
      for (int i = 0; i < DIMENSION; i++) {
        for (int o = 0; o < DIMENSION; o++) {
          out[t][o] += x[t][i] * w[i * DIMENSION + o];
        }
      }
    }
    return out;
  }

  private Proto graph = new Proto();

  private byte[] onnx() {
    graph = new Proto();
    String[] names = {"embed", "positions", "q", "k", "v"};
    for (int w = 0; w < names.length; w++) {
      floats(names[w], weights[w], weights[w].length / DIMENSION, DIMENSION);
    }
    floats("scale", new float[] {(float) (1 / Math.sqrt(PER_HEAD))});
    floats("never", new float[] {-1e9f});
    floats("one", new float[] {1});
    longs("i0", 0);
    longs("i1", 1);
    longs("i2", 2);
    longs("v12", new long[] {1, 2}, 2);
    longs("split", new long[] {0, 0, HEADS, PER_HEAD}, 4);
    longs("join", new long[] {0, 0, DIMENSION}, 3);

    node("Shape", "idsShape", "input_ids");
    node("Gather", "S", "idsShape", "i1");
    if (!positionInput) {
      node("Range", "position_ids", "i0", "S", "i1");
    }
    node("Gather", "words", "embed", "input_ids");
    node("Gather", "places", "positions", "position_ids");
    node("Add", "x", "words", "places");
    heads("q", "qh", false);
    heads("k", "kh", past);
    heads("v", "vh", past);
    node("Transpose", ints("perm", 0, 1, 3, 2), "kt", "kh");
    node("MatMul", "dots", "qh", "kt");
    node("Mul", "scaled", "dots", "scale");
    node("Shape", "kShape", "kh");
    node("Gather", "T", "kShape", "i2");
    node("Sub", "P", "T", "S");
    node("Add", "after", "P", "i1");
    node("Unsqueeze", "Sv", "S", "i0v");
    node("Unsqueeze", "Tv", "T", "i0v");
    longs("i0v", new long[] {0}, 1);
    node("Concat", integer("axis", 0), "square", "Sv", "Tv");
    node("Expand", "nevers", "never", "square");
    node("Trilu", integer("upper", 1), "future", "nevers", "after");
    node("Add", "causal", "scaled", "future");
    node("Cast", integer("to", FLOAT), "maskFloat", "attention_mask");
    node("Sub", "padding", "one", "maskFloat");
    node("Mul", "padded", "padding", "never");
    node("Unsqueeze", "paddedRows", "padded", "v12");
    node("Add", "masked", "causal", "paddedRows");
    node("Softmax", integer("axis", -1), "attention", "masked");
    node("MatMul", "context", "attention", "vh");
    node("Transpose", ints("perm", 0, 2, 1, 3), "contextT", "context");
    node("Reshape", "contextRows", "contextT", "join");
    node("Add", "last_hidden_state", "x", "contextRows");
    longs("iLast", -1);
    String pooled = unitTextVector ? "lastRow" : "sentence_embedding";
    node("Gather", integer("axis", 1), pooled, "last_hidden_state", "iLast");
    if (unitTextVector) {
      Proto p2 = integer("p", 2);
      graph.message(
          1,
          nodeOf("LpNormalization", "sentence_embedding", "lastRow")
              .message(5, integer("axis", -1))
              .message(5, p2));
    }

    graph.text(2, "decoder");
    input("input_ids", INT64, "b", "s");
    input("attention_mask", INT64, "b", "t");
    if (positionInput) {
      input("position_ids", INT64, "b", "s");
    }
    Object heads = fixedHeads ? HEADS : "heads";
    for (String kv : past ? new String[] {"k", "v"} : new String[0]) {
      input(pastName(kv), halfPast ? FLOAT16 : FLOAT, "b", heads, "p", PER_HEAD);
      graph.message(12, value(presentName(kv), FLOAT, "b", heads, "t", PER_HEAD));
    }
    if (tokenVectors) {
      graph.message(12, value("last_hidden_state", FLOAT, "b", "s", DIMENSION));
    }
    if (textVector) {
      graph.message(12, value("sentence_embedding", FLOAT, "b", DIMENSION));
    }
    return new Proto()
        .number(1, 8)
        .message(7, graph)
        .message(8, new Proto().number(2, 17))
        .toByteArray();
  }

  private static String pastName(String kv) {
    return "past_key_values.0." + (kv.equals("k") ? "key" : "value");
  }

  private static String presentName(String kv) {
    return "present.0." + (kv.equals("k") ? "key" : "value");
  }

  /** {@code x} times a matrix, split into heads, behind what is past. */
  private void heads(String matrix, String to, boolean withPast) {
    node("MatMul", matrix + "Rows", "x", matrix);
    node("Reshape", matrix + "Split", matrix + "Rows", "split");
    String own = withPast ? matrix + "Own" : to;
    node("Transpose", ints("perm", 0, 2, 1, 3), own, matrix + "Split");
    if (withPast) {
      String before = pastName(matrix);
      if (halfPast) {
        node("Cast", integer("to", FLOAT), matrix + "Past", before);
        before = matrix + "Past";
      }
      node("Concat", integer("axis", 2), to, before, own);
      node("Identity", presentName(matrix), to);
    }
  }

  private static Proto nodeOf(String operator, String output, String... inputs) {
    Proto node = new Proto();
    for (String in : inputs) {
      node.text(1, in);
    }
    return node.text(2, output).text(4, operator);
  }

  private void node(String operator, String output, String... inputs) {
    graph.message(1, nodeOf(operator, output, inputs));
  }

  private void node(String operator, Proto attribute, String output, String... inputs) {
    graph.message(1, nodeOf(operator, output, inputs).message(5, attribute));
  }

  private static Proto integer(String name, long value) {
    return new Proto().text(1, name).number(3, value).number(20, 2);
  }

  private static Proto ints(String name, long... values) {
    return new Proto().text(1, name).packed(8, values).number(20, 7);
  }

  private void floats(String name, float[] values, long... shape) {
    ByteBuffer raw =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    raw.asFloatBuffer().put(values);
    initializer(name, FLOAT, raw.array(), shape);
  }

  /** A scalar. */
  private void longs(String name, long value) {
    initializer(name, INT64, littleEndian(value));
  }

  private void longs(String name, long[] values, long size) {
    initializer(name, INT64, littleEndian(values), size);
  }

  private static byte[] littleEndian(long... values) {
    ByteBuffer raw = ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    raw.asLongBuffer().put(values);
    return raw.array();
  }

  private void initializer(String name, int type, byte[] raw, long... shape) {
    graph.message(5, new Proto().packed(1, shape).number(2, type).text(8, name).bytes(9, raw));
  }

  private void input(String name, int type, Object... shape) {
    graph.message(11, value(name, type, shape));
  }

  /** A ValueInfoProto; a dimension is a number or a name. */
  private static Proto value(String name, int type, Object... shape) {
    Proto dims = new Proto();
    for (Object d : shape) {
      dims.message(
          1, d instanceof Integer i ? new Proto().number(1, i) : new Proto().text(2, d.toString()));
    }
    Proto tensor = new Proto().number(1, type).message(2, dims);
    return new Proto().text(1, name).message(2, new Proto().message(1, tensor));
  }
}
