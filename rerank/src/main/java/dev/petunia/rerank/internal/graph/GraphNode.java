package dev.petunia.rerank.internal.graph;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One operator of a graph (NodeProto of onnx.proto3). Attributes are kept as they were written.
 *
 * @param inputs names of tensors; an empty name is an input that was left out
 * @param outer names that its subgraphs (bodies of If and Loop) read; some may be their own
 * @param rest every field but inputs and outputs, encoded with its tag
 */
public record GraphNode(
    List<String> inputs,
    List<String> outputs,
    String op,
    Map<String, ByteString> attributes,
    Set<String> outer,
    ByteString rest) {

  static GraphNode read(ByteString node) throws IOException {
    List<String> in = new ArrayList<>();
    List<String> out = new ArrayList<>();
    Map<String, ByteString> attributes = new TreeMap<>();
    Set<String> outer = new TreeSet<>();
    String op = "";
    ByteString.Output rest = ByteString.newOutput();
    CodedOutputStream copy = CodedOutputStream.newInstance(rest);
    CodedInputStream p = node.newCodedInput();
    for (int tag = p.readTag(); tag != 0; tag = p.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> in.add(p.readString());
        case 2 -> out.add(p.readString());
        case 4 -> {
          op = p.readString();
          copy.writeString(4, op);
        }
        case 5 -> {
          ByteString attribute = p.readBytes();
          attributes.put(Wire.text(attribute, 1), attribute);
          subgraphs(attribute, outer);
          copy.writeBytes(5, attribute);
        }
        default -> Wire.copy(p, tag, copy);
      }
    }
    copy.flush();
    return new GraphNode(in, out, op, attributes, outer, rest.toByteString());
  }

  /** A node of the default domain whose one attribute, if any, is an integer. */
  static GraphNode make(String op, List<String> inputs, String output, Map<String, Long> integers)
      throws IOException {
    ByteString.Output rest = ByteString.newOutput();
    CodedOutputStream o = CodedOutputStream.newInstance(rest);
    o.writeString(3, output);
    o.writeString(4, op);
    for (Map.Entry<String, Long> e : integers.entrySet()) {
      ByteString.Output bytes = ByteString.newOutput();
      CodedOutputStream a = CodedOutputStream.newInstance(bytes);
      a.writeString(1, e.getKey());
      a.writeInt64(3, e.getValue());
      a.writeInt32(20, 2); // AttributeType.INT
      a.flush();
      o.writeBytes(5, bytes.toByteString());
    }
    o.flush();
    return new GraphNode(inputs, List.of(output), op, Map.of(), Set.of(), rest.toByteString());
  }

  GraphNode withInput(int index, String name) {
    List<String> in = new ArrayList<>(inputs);
    in.set(index, name);
    return new GraphNode(in, outputs, op, attributes, outer, rest);
  }

  /** An integer attribute. */
  long integer(String name, long whenAbsent) throws IOException {
    ByteString a = attributes.get(name);
    return a == null ? whenAbsent : Wire.number(a, 3, 0);
  }

  /** A list of integers; empty when absent. */
  List<Long> integers(String name) throws IOException {
    ByteString a = attributes.get(name);
    return a == null ? List.of() : Wire.numbers(a, 8);
  }

  ByteString write() throws IOException {
    ByteString.Output bytes = ByteString.newOutput();
    CodedOutputStream o = CodedOutputStream.newInstance(bytes);
    for (String s : inputs) {
      o.writeString(1, s);
    }
    for (String s : outputs) {
      o.writeString(2, s);
    }
    o.flush();
    return bytes.toByteString().concat(rest);
  }

  /** Adds what the nodes of an attribute's graphs read, at any depth. */
  private static void subgraphs(ByteString attribute, Set<String> names) throws IOException {
    for (int field : new int[] {6, 11}) {
      for (ByteString graph : Wire.messages(attribute, field)) {
        for (ByteString node : Wire.messages(graph, 1)) {
          GraphNode inner = read(node);
          names.addAll(inner.inputs);
          names.addAll(inner.outer);
        }
        for (ByteString output : Wire.messages(graph, 12)) {
          names.add(Wire.text(output, 1)); // a body may hand out a tensor of the outer graph
        }
      }
    }
  }
}
