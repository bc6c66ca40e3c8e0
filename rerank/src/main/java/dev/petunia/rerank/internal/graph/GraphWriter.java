package dev.petunia.rerank.internal.graph;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes a changed graph without its weights: those stay where they are, and are named as external
 * data, also those inside the model's own file. What no output needs is left out.
 */
final class GraphWriter {
  /** Smaller weights are copied: shapes must be known when the graph is loaded. */
  private static final long FEW_BYTES = 1024;

  private final OnnxFile file;
  private final List<GraphNode> nodes;
  private final Map<String, Initializer> added;
  private final List<ByteString> outputs;

  /** Files of weights by the names that the graph gives them. */
  private final Map<String, Path> real = new HashMap<>();

  GraphWriter(
      OnnxFile file,
      List<GraphNode> nodes,
      Map<String, Initializer> added,
      List<ByteString> outputs) {
    this.file = file;
    this.nodes = nodes;
    this.added = added;
    this.outputs = outputs;
  }

  /**
   * The encoded model.
   *
   * @param maxBytes most bytes of weights that may be copied
   */
  Rewritten write(String result, boolean rows, long maxBytes) throws IOException, NotRewritable {
    Set<String> needed = new HashSet<>();
    List<GraphNode> kept = needed(needed);
    for (ByteString input : file.inputs) {
      needed.add(Wire.text(input, 1)); // a default of an input must stay, or it has to be fed
    }
    List<Initializer> weights = new ArrayList<>();
    for (String name : file.order) {
      if (needed.contains(name)) {
        weights.add(file.initializers.get(name));
      }
    }
    weights.addAll(added.values());
    checkSize(weights, maxBytes);
    Path data = resolve(weights);

    ByteString.Output graphBytes = ByteString.newOutput();
    CodedOutputStream graph = CodedOutputStream.newInstance(graphBytes);
    for (GraphNode n : kept) {
      graph.writeBytes(1, n.write());
    }
    try (FileChannel own = FileChannel.open(file.path)) {
      for (Initializer i : weights) {
        graph.writeBytes(5, write(i, own, data));
      }
    }
    for (ByteString input : file.inputs) {
      graph.writeBytes(11, input);
    }
    for (ByteString output : outputs) {
      graph.writeBytes(12, output);
    }
    graph.flush();
    ByteString.Output modelBytes = ByteString.newOutput();
    CodedOutputStream model = CodedOutputStream.newInstance(modelBytes);
    model.writeBytes(7, graphBytes.toByteString().concat(file.graphRest));
    model.flush();
    byte[] bytes = file.modelRest.concat(modelBytes.toByteString()).toByteArray();
    return new Rewritten(bytes, data, result, rows);
  }

  /** The nodes that outputs depend on, in order; fills in the tensors they read. */
  private List<GraphNode> needed(Set<String> tensors) throws IOException {
    for (ByteString o : outputs) {
      tensors.add(Wire.text(o, 1));
    }
    List<GraphNode> kept = new ArrayList<>();
    for (GraphNode n : nodes.reversed()) { // nodes are sorted, readers after writers
      if (n.outputs().stream().anyMatch(tensors::contains)) {
        kept.add(n);
        tensors.addAll(n.inputs());
        tensors.addAll(n.outer());
      }
    }
    return kept.reversed();
  }

  /**
   * The folder that holds all files of weights, links followed: caches keep a link in the model's
   * folder and the file elsewhere, and ONNX Runtime reads nothing outside the folder it is told.
   */
  private Path resolve(List<Initializer> weights) throws IOException, NotRewritable {
    Set<String> names = new TreeSet<>();
    for (Initializer i : weights) {
      if (i.file() != null && !inline(i)) {
        names.add(i.file());
      }
    }
    Path folder = null;
    for (String name : names) {
      Path relative = Path.of(name);
      if (relative.isAbsolute() || relative.normalize().startsWith("..")) {
        throw new NotRewritable("weights are outside of the model's folder: " + name);
      }
      real.put(name, file.folder().resolve(relative).toRealPath());
      Path parent = real.get(name).getParent();
      while (folder != null && parent != null && !folder.startsWith(parent)) {
        parent = parent.getParent();
      }
      folder = parent;
      if (folder == null) {
        throw new NotRewritable("weights are in folders without anything in common");
      }
    }
    return folder == null ? file.folder() : folder;
  }

  private String location(Path data, Initializer i) {
    return data.relativize(real.get(String.valueOf(i.file()))).toString().replace('\\', '/');
  }

  private void checkSize(List<Initializer> weights, long maxBytes) throws NotRewritable {
    long copied = 0;
    for (Initializer i : weights) {
      copied += inline(i) ? i.length() : 0;
    }
    if (copied > maxBytes) {
      throw new NotRewritable(
          copied + " bytes of weights at odd places would have to be copied, allowed: " + maxBytes);
    }
  }

  /**
   * Whether a weight of the model's own file is copied. ONNX Runtime maps external data, so numbers
   * must lie at multiples of their width; inside a protobuf they lie anywhere.
   */
  private boolean inline(Initializer i) {
    if (i.file() == null || !isOwn(i)) {
      return false;
    }
    int width = Initializer.width(i.type());
    return i.length() < FEW_BYTES || !i.plain() || i.offset() % width != 0;
  }

  private boolean isOwn(Initializer i) {
    return file.path.getFileName().toString().equals(i.file());
  }

  private ByteString write(Initializer i, FileChannel own, Path data) throws IOException {
    if (i.file() == null) {
      return i.rest();
    }
    ByteString.Output bytes = ByteString.newOutput();
    CodedOutputStream o = CodedOutputStream.newInstance(bytes);
    if (inline(i)) {
      ByteBuffer values = ByteBuffer.allocate(Math.toIntExact(i.length()));
      while (values.hasRemaining()) {
        if (own.read(values, i.offset() + values.position()) < 0) {
          throw new EOFException(file.path + " ends inside " + i.name());
        }
      }
      o.writeBytes(9, UnsafeByteOperations.unsafeWrap(values.flip()));
    } else {
      entry(o, "location", location(data, i));
      entry(o, "offset", Long.toString(i.offset()));
      entry(o, "length", Long.toString(i.length()));
      o.writeInt32(14, 1); // DataLocation.EXTERNAL
    }
    o.flush();
    return i.rest().concat(bytes.toByteString());
  }

  private static void entry(CodedOutputStream o, String key, String value) throws IOException {
    ByteString.Output bytes = ByteString.newOutput();
    CodedOutputStream e = CodedOutputStream.newInstance(bytes);
    e.writeString(1, key);
    e.writeString(2, value);
    e.flush();
    o.writeBytes(13, bytes.toByteString());
  }
}
