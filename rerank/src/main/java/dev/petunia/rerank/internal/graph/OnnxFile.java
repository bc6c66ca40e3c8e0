package dev.petunia.rerank.internal.graph;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A model file (ModelProto of onnx.proto3), read in one pass that skips the weights: a graph of
 * gigabytes takes as much memory as its nodes.
 */
public final class OnnxFile {
  final Path path;
  final List<GraphNode> nodes = new ArrayList<>();
  final Map<String, Initializer> initializers = new HashMap<>();

  /** Initializers in the order of the file. */
  final List<String> order = new ArrayList<>();

  final List<ByteString> inputs = new ArrayList<>();
  final List<ByteString> outputs = new ArrayList<>();

  /** Fields of the graph that are copied, encoded. */
  ByteString graphRest = ByteString.EMPTY;

  /** Fields of the model that are copied, encoded. */
  ByteString modelRest = ByteString.EMPTY;

  /** Version of the default operator set. */
  long opset;

  private final Map<String, GraphNode> producers = new HashMap<>();

  private OnnxFile(Path path) {
    this.path = path;
  }

  /**
   * Reads a model.
   *
   * @throws IOException when it can't be read or is no such file
   */
  public static OnnxFile read(Path path) throws IOException {
    OnnxFile file = new OnnxFile(path.toAbsolutePath());
    try (InputStream in = new FileInputStream(path.toFile());
        InputStream buffered = new BufferedInputStream(in, 1 << 16)) {
      file.model(CodedInputStream.newInstance(buffered, 1 << 16));
    } catch (InvalidProtocolBufferException e) {
      throw new IOException(path + " is no ONNX file: " + e.getMessage(), e);
    }
    for (GraphNode n : file.nodes) {
      n.outputs().forEach(o -> file.producers.put(o, n));
    }
    return file;
  }

  private void model(CodedInputStream p) throws IOException {
    ByteString.Output rest = ByteString.newOutput();
    CodedOutputStream copy = CodedOutputStream.newInstance(rest);
    for (int tag = p.readTag(); tag != 0; tag = p.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 7 -> {
          int old = p.pushLimit(p.readRawVarint32());
          graph(p);
          p.popLimit(old);
        }
        case 8 -> {
          ByteString set = p.readBytes();
          if (Wire.text(set, 1).isEmpty() || Wire.text(set, 1).equals("ai.onnx")) {
            opset = Wire.number(set, 2, 0);
          }
          copy.writeBytes(8, set);
        }
        default -> Wire.copy(p, tag, copy);
      }
    }
    copy.flush();
    modelRest = rest.toByteString();
  }

  private void graph(CodedInputStream p) throws IOException {
    ByteString.Output rest = ByteString.newOutput();
    CodedOutputStream copy = CodedOutputStream.newInstance(rest);
    for (int tag = p.readTag(); tag != 0; tag = p.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> nodes.add(GraphNode.read(p.readBytes()));
        case 5 -> {
          int old = p.pushLimit(p.readRawVarint32());
          Initializer i = Initializer.read(p, path.getFileName().toString());
          p.popLimit(old);
          initializers.put(i.name(), i);
          order.add(i.name());
        }
        case 11 -> inputs.add(p.readBytes());
        case 12 -> outputs.add(p.readBytes());
        case 13 ->
            p.skipField(tag); // shapes of inner tensors: some change, ONNX Runtime infers them
        default -> Wire.copy(p, tag, copy);
      }
    }
    copy.flush();
    graphRest = rest.toByteString();
  }

  Path folder() {
    Path parent = path.getParent();
    return parent == null ? Path.of("") : parent;
  }

  @Nullable GraphNode producer(String tensor) {
    return producers.get(tensor);
  }

  /** The declaration of an output. */
  Optional<ByteString> output(String name) throws IOException {
    for (ByteString o : outputs) {
      if (Wire.text(o, 1).equals(name)) {
        return Optional.of(o);
      }
    }
    return Optional.empty();
  }

  /** Whether the graph declares an input of this name. */
  public boolean hasInput(String name) throws IOException {
    for (ByteString i : inputs) {
      if (Wire.text(i, 1).equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** Whether this output is declared as {@code [batch, tokens, vocabulary]}. */
  public boolean isLanguageModel(String output) throws IOException {
    Optional<ByteString> declared = output(output);
    if (declared.isEmpty()) {
      return false;
    }
    for (ByteString type : Wire.messages(declared.get(), 2)) {
      for (ByteString tensor : Wire.messages(type, 1)) {
        for (ByteString shape : Wire.messages(tensor, 2)) {
          List<ByteString> dims = Wire.messages(shape, 1);
          return dims.size() == 3 && Wire.number(dims.get(2), 1, Long.MAX_VALUE) > 2;
        }
      }
    }
    return false;
  }

  /** Precision of the weights, as far as operators and types tell. */
  public String precision() throws IOException {
    long half = 0;
    long single = 0;
    for (Initializer i : initializers.values()) {
      half += i.type() == Initializer.FLOAT16 || i.type() == Initializer.BFLOAT16 ? i.length() : 0;
      single += i.type() == Initializer.FLOAT ? i.length() : 0;
    }
    String floats = half > single ? "fp16" : "fp32";
    for (GraphNode n : nodes) {
      if (n.op().equals("MatMulNBits")) {
        return "q" + n.integer("bits", 4) + (half > single ? "f16" : "");
      }
    }
    for (GraphNode n : nodes) {
      switch (n.op()) {
        case "DynamicQuantizeLinear",
            "DynamicQuantizeMatMul",
            "MatMulInteger",
            "MatMulIntegerToFloat",
            "QLinearMatMul",
            "QGemm" -> {
          return "int8";
        }
        case "DequantizeLinear", "QuantizeLinear" -> floats = "qdq";
        default -> {}
      }
    }
    return floats;
  }
}
