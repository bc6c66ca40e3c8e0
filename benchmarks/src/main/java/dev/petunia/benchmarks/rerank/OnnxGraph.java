package dev.petunia.benchmarks.rerank;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;

/** An ONNX graph as it grows: nodes, constants, and weights in a file beside it. */
final class OnnxGraph {
  static final int FLOAT = 1;
  static final int INT8 = 3;
  static final int INT64 = 7;
  static final int BOOL = 9;

  /** ONNX Runtime's own operators. */
  static final String MICROSOFT = "com.microsoft";

  private static final int IR_VERSION = 8;
  private static final int OPSET = 17;

  private final Proto graph = new Proto();
  private final Set<String> constants = new HashSet<>();
  private final ExternalData data;
  private int nodes;

  OnnxGraph(ExternalData data) {
    this.data = data;
  }

  /** Writes the values of a tensor. */
  interface Values {
    void write(ExternalData to) throws IOException;
  }

  /** A node with a new output, whose name is given back. */
  String node(String operator, String... inputs) {
    return add(operator, "", "n" + nodes, inputs, new Proto[0]);
  }

  /** As {@link #node(String, String...)}, with attributes. */
  String node(String operator, Proto attribute, String... inputs) {
    return add(operator, "", "n" + nodes, inputs, attribute);
  }

  /** One of {@link #MICROSOFT}. */
  String microsoft(String operator, String... inputs) {
    return add(operator, MICROSOFT, "n" + nodes, inputs);
  }

  /** A node whose output has a name of its own. */
  String named(String output, String operator, Proto attribute, String... inputs) {
    return add(operator, "", output, inputs, attribute);
  }

  /** The same value under another name. */
  void rename(String output, String input) {
    add("Identity", "", output, new String[] {input});
  }

  private String add(
      String operator, String domain, String output, String[] inputs, Proto... attributes) {
    Proto node = new Proto();
    for (String input : inputs) {
      node.text(1, input);
    }
    node.text(2, output).text(3, operator + "_" + nodes++).text(4, operator).text(7, domain);
    for (Proto attribute : attributes) {
      node.message(5, attribute);
    }
    graph.message(1, node);
    return output;
  }

  static Proto integer(String name, long value) {
    return new Proto().text(1, name).number(3, value).number(20, 2);
  }

  static Proto integers(String name, long... values) {
    return new Proto().text(1, name).numbers(8, values).number(20, 7);
  }

  /** A constant list. */
  String longs(long... values) {
    StringBuilder name = new StringBuilder("list");
    for (long v : values) {
      name.append('_').append(v);
    }
    return longs(name.toString(), values, values.length);
  }

  /** A constant number. */
  String scalar(long value) {
    return longs("long_" + value, new long[] {value});
  }

  private String longs(String name, long[] values, long... shape) {
    ByteBuffer raw = ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    raw.asLongBuffer().put(values);
    return constant(name, INT64, raw.array(), shape);
  }

  /** A constant number. */
  String scalar(String name, float value) {
    return floats(name, new float[] {value});
  }

  /** A constant tensor. */
  String floats(String name, float[] values, long... shape) {
    ByteBuffer raw =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    raw.asFloatBuffer().put(values);
    return constant(name, FLOAT, raw.array(), shape);
  }

  private String constant(String name, int type, byte[] raw, long... shape) {
    if (constants.add(name)) {
      graph.message(5, new Proto().numbers(1, shape).number(2, type).text(8, name).bytes(9, raw));
    }
    return name;
  }

  /** Weights in the file beside the graph. */
  String external(String name, int type, Values values, long... shape) throws IOException {
    if (!constants.add(name)) {
      throw new IllegalStateException(name + " is written twice");
    }
    long start = data.nextPage();
    values.write(data);
    Proto tensor = new Proto().numbers(1, shape).number(2, type).text(8, name);
    entry(tensor, "location", data.name());
    entry(tensor, "offset", Long.toString(start));
    entry(tensor, "length", Long.toString(data.position() - start));
    graph.message(5, tensor.number(14, 1));
    return name;
  }

  private static void entry(Proto tensor, String key, String value) {
    tensor.message(13, new Proto().text(1, key).text(2, value));
  }

  /** An input of the graph; a dimension is a number or a name. */
  void input(String name, int type, Object... shape) {
    graph.message(11, value(name, type, shape));
  }

  /** An output of the graph. */
  void output(String name, int type, Object... shape) {
    graph.message(12, value(name, type, shape));
  }

  private static Proto value(String name, int type, Object... shape) {
    Proto dims = new Proto();
    for (Object d : shape) {
      dims.message(
          1, d instanceof Integer i ? new Proto().number(1, i) : new Proto().text(2, (String) d));
    }
    Proto tensor = new Proto().number(1, type).message(2, dims);
    return new Proto().text(1, name).message(2, new Proto().message(1, tensor));
  }

  /** The whole model. */
  byte[] model(String name) {
    graph.text(2, name);
    return new Proto()
        .number(1, IR_VERSION)
        .text(2, "petunia-benchmarks")
        .message(7, graph)
        .message(8, new Proto().text(1, "").number(2, OPSET))
        .message(8, new Proto().text(1, MICROSOFT).number(2, 1))
        .toByteArray();
  }
}
