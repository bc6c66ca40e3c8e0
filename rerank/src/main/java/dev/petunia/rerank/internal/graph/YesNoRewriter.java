package dev.petunia.rerank.internal.graph;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites a causal language model so that it computes only what a yes/no question needs: the head
 * runs on the last position, and gives two logits instead of one for each word of the vocabulary.
 *
 * <p>The logits of 256 positions and 151,669 words are 155 MB; these are 8 bytes. The last position
 * is the last column, so inputs must not be padded on the right; this module never pads.
 *
 * <p>Where the head is a MatMul or Gemm of a plain (or transposed) float weight, its two rows are
 * cut out, and the rest is not loaded. Other heads (quantised) are kept whole and their two logits
 * gathered.
 */
public final class YesNoRewriter {
  private static final String SLICED = "petunia/last_hidden";
  private static final String OUTPUT = "petunia/no_yes";
  private static final int SLICE_BY_INPUTS = 10;

  private final OnnxFile file;
  private final int[] ids;
  private final Map<String, Initializer> added = new HashMap<>();

  private YesNoRewriter(OnnxFile file, int[] ids) {
    this.file = file;
    this.ids = ids;
  }

  /**
   * Rewrites a model whose output {@code output} is {@code [batch, tokens, vocabulary]}.
   *
   * @param maxBytes most bytes of weights that may be copied into memory; needed for those that
   *     can't be read from where they are
   * @throws NotRewritable when the graph isn't understood
   */
  public static Rewritten rewrite(OnnxFile file, String output, int noId, int yesId, long maxBytes)
      throws NotRewritable, IOException {
    return new YesNoRewriter(file, new int[] {noId, yesId}).rewrite(output, maxBytes);
  }

  private Rewritten rewrite(String output, long maxBytes) throws NotRewritable, IOException {
    if (file.opset < SLICE_BY_INPUTS) {
      throw new NotRewritable("operator set " + file.opset + " is older than " + SLICE_BY_INPUTS);
    }
    ByteString declared =
        file.output(output).orElseThrow(() -> new NotRewritable("there is no output " + output));
    Head head = Head.find(file, output);
    GraphNode cut = head.onlyCasts() ? twoRows(head.node()) : null;

    List<GraphNode> nodes = new ArrayList<>();
    for (GraphNode n : file.nodes) {
      GraphNode replaced = n.equals(head.node()) && cut != null ? cut : n;
      if (n.equals(head.entry())) {
        nodes.add(slice(head.hidden()));
        replaced = replaced.withInput(0, SLICED);
      }
      nodes.add(replaced);
    }
    String result = head.end();
    if (cut == null) {
      added.put("petunia/ids", integers("petunia/ids", ids[0], ids[1]));
      nodes.add(
          GraphNode.make("Gather", List.of(result, "petunia/ids"), OUTPUT, Map.of("axis", -1L)));
      result = OUTPUT;
    }
    List<ByteString> outputs = new ArrayList<>();
    for (ByteString o : file.outputs) {
      outputs.add(o.equals(declared) ? withoutShape(result, declared) : o);
    }
    return new GraphWriter(file, nodes, added, outputs).write(result, cut != null, maxBytes);
  }

  private GraphNode slice(String hidden) throws IOException {
    added.put("petunia/starts", integers("petunia/starts", -1));
    added.put("petunia/ends", integers("petunia/ends", Integer.MAX_VALUE));
    added.put("petunia/axes", integers("petunia/axes", 1));
    return GraphNode.make(
        "Slice",
        List.of(hidden, "petunia/starts", "petunia/ends", "petunia/axes"),
        SLICED,
        Map.of());
  }

  /** The head with two columns instead of all; null when its weight isn't plain. */
  private @Nullable GraphNode twoRows(GraphNode head) throws IOException {
    boolean gemm = head.op().equals("Gemm");
    if (!gemm && !head.op().equals("MatMul")) {
      return null;
    }
    String weight = head.inputs().get(1);
    boolean transposed = gemm && head.integer("transB", 0) == 1;
    GraphNode maker = file.producer(weight);
    if (maker != null && isTranspose(maker)) {
      weight = maker.inputs().getFirst();
      transposed = !transposed;
    }
    Initializer w = file.initializers.get(weight);
    if (w == null || !w.plain() || w.dims().size() != 2 || !isFloat(w.type())) {
      return null;
    }
    long words = w.dims().get(transposed ? 0 : 1);
    if (Arrays.stream(ids).anyMatch(i -> i >= words)) {
      return null;
    }
    // A Gemm keeps its transB, so its rows stay rows; a MatMul wants [size, 2].
    boolean asRows = gemm && head.integer("transB", 0) == 1;
    ByteBuffer values = w.pick(file.folder(), ids, !transposed);
    if (transposed != asRows) {
      values = transpose(values, Initializer.width(w.type()), transposed);
    }
    long size = w.dims().get(transposed ? 1 : 0);
    List<Long> dims = asRows ? List.of(2L, size) : List.of(size, 2L);
    added.put("petunia/head", Initializer.of("petunia/head", dims, w.type(), values));
    GraphNode cut = head.withInput(1, "petunia/head");
    if (gemm && head.inputs().size() > 2 && !head.inputs().get(2).isEmpty()) {
      Initializer bias = file.initializers.get(head.inputs().get(2));
      if (bias == null || !bias.plain() || !bias.dims().equals(List.of(words))) {
        return null;
      }
      ByteBuffer two = bias.pick(file.folder(), ids, false);
      added.put("petunia/bias", Initializer.of("petunia/bias", List.of(2L), bias.type(), two));
      cut = cut.withInput(2, "petunia/bias");
    }
    return cut;
  }

  private static boolean isFloat(int type) {
    return type == Initializer.FLOAT || type == Initializer.FLOAT16 || type == Initializer.BFLOAT16;
  }

  private static boolean isTranspose(GraphNode n) throws IOException {
    List<Long> perm = n.integers("perm");
    return n.op().equals("Transpose") && (perm.isEmpty() || perm.equals(List.of(1L, 0L)));
  }

  /** From two rows to two columns or back. */
  private static ByteBuffer transpose(ByteBuffer values, int width, boolean fromRows) {
    int size = values.remaining() / width / 2;
    ByteBuffer out = ByteBuffer.allocate(values.remaining());
    for (int i = 0; i < size; i++) {
      for (int k = 0; k < 2; k++) {
        int row = (k * size + i) * width;
        int column = (2 * i + k) * width;
        out.put(fromRows ? column : row, values, fromRows ? row : column, width);
      }
    }
    return out;
  }

  private static Initializer integers(String name, long... values) throws IOException {
    ByteBuffer b = ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long v : values) {
      b.putLong(v);
    }
    return Initializer.of(name, List.of((long) values.length), Initializer.INT64, b.flip());
  }

  /** A declaration of the same element type whose shape is left to ONNX Runtime. */
  private static ByteString withoutShape(String name, ByteString declared) throws IOException {
    ByteString type = Wire.messages(declared, 2).getFirst();
    long element = Wire.number(Wire.messages(type, 1).getFirst(), 1, Initializer.FLOAT);
    ByteString.Output bytes = ByteString.newOutput();
    CodedOutputStream o = CodedOutputStream.newInstance(bytes);
    o.writeString(1, name);
    o.writeBytes(2, message(1, message(1, element)));
    o.flush();
    return bytes.toByteString();
  }

  private static ByteString message(int field, ByteString value) throws IOException {
    ByteString.Output bytes = ByteString.newOutput();
    CodedOutputStream o = CodedOutputStream.newInstance(bytes);
    o.writeBytes(field, value);
    o.flush();
    return bytes.toByteString();
  }

  private static ByteString message(int field, long value) throws IOException {
    ByteString.Output bytes = ByteString.newOutput();
    CodedOutputStream o = CodedOutputStream.newInstance(bytes);
    o.writeInt64(field, value);
    o.flush();
    return bytes.toByteString();
  }
}
