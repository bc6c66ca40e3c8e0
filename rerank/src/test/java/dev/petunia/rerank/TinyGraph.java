package dev.petunia.rerank;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Writes small ONNX graphs. A made-up language model: token vectors are added up from left to
 * right, which stands for attention, and a head gives logits. A made-up sentence-pair model: token
 * and type vectors are averaged, and a head gives one number.
 */
final class TinyGraph {
  static final int WORDS = 700;
  static final int SIZE = 16;
  static final int FLOAT = 1;
  static final int INT64 = 7;
  static final int FLOAT16 = 10;

  private final List<ByteString> nodes = new ArrayList<>();
  private final List<ByteString> weights = new ArrayList<>();
  private final List<ByteString> inputs = new ArrayList<>();
  private final List<ByteString> outputs = new ArrayList<>();
  final float[] embedding = random(WORDS * SIZE, 1);

  static float[] random(int n, long seed) {
    Random r = new Random(seed);
    float[] f = new float[n];
    for (int i = 0; i < n; i++) {
      f[i] = (float) r.nextGaussian() / 4;
    }
    return f;
  }

  @FunctionalInterface
  interface Fields {
    void to(CodedOutputStream o) throws IOException;
  }

  static ByteString message(Fields fields) {
    try {
      ByteString.Output bytes = ByteString.newOutput();
      CodedOutputStream o = CodedOutputStream.newInstance(bytes);
      fields.to(o);
      o.flush();
      return bytes.toByteString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  TinyGraph node(String op, String output, List<String> in, ByteString... attributes) {
    return node(op, List.of(output), in, attributes);
  }

  TinyGraph node(String op, List<String> out, List<String> in, ByteString... attributes) {
    nodes.add(
        message(
            o -> {
              for (String s : in) {
                o.writeString(1, s);
              }
              for (String s : out) {
                o.writeString(2, s);
              }
              o.writeString(4, op);
              for (ByteString a : attributes) {
                o.writeBytes(5, a);
              }
            }));
    return this;
  }

  static ByteString integer(String name, long value) {
    return message(
        o -> {
          o.writeString(1, name);
          o.writeInt64(3, value);
          o.writeInt32(20, 2);
        });
  }

  static ByteString integers(String name, long... values) {
    return message(
        o -> {
          o.writeString(1, name);
          for (long v : values) {
            o.writeInt64(8, v);
          }
          o.writeInt32(20, 7);
        });
  }

  TinyGraph weight(String name, int type, ByteBuffer values, long... dims) {
    weights.add(
        message(
            o -> {
              for (long d : dims) {
                o.writeInt64(1, d);
              }
              o.writeInt32(2, type);
              o.writeString(8, name);
              o.writeBytes(9, ByteString.copyFrom(values));
            }));
    return this;
  }

  TinyGraph floats(String name, float[] values, long... dims) {
    ByteBuffer b = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    for (float f : values) {
      b.putFloat(f);
    }
    return weight(name, FLOAT, b.flip(), dims);
  }

  TinyGraph longs(String name, long... values) {
    ByteBuffer b = ByteBuffer.allocate(values.length * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (long v : values) {
      b.putLong(v);
    }
    return weight(name, INT64, b.flip(), values.length);
  }

  /** A declaration; −1 is a dimension of any size. */
  static ByteString value(String name, int type, long... dims) {
    ByteString shape =
        message(
            o -> {
              for (int i = 0; i < dims.length; i++) {
                long d = dims[i];
                int at = i;
                o.writeBytes(
                    1,
                    message(
                        x -> {
                          if (d < 0) {
                            x.writeString(2, name + at);
                          } else {
                            x.writeInt64(1, d);
                          }
                        }));
              }
            });
    ByteString tensor =
        message(
            o -> {
              o.writeInt32(1, type);
              o.writeBytes(2, shape);
            });
    return message(
        o -> {
          o.writeString(1, name);
          o.writeBytes(2, message(x -> x.writeBytes(1, tensor)));
        });
  }

  TinyGraph input(String name, int type, long... dims) {
    inputs.add(value(name, type, dims));
    return this;
  }

  TinyGraph output(String name, int type, long... dims) {
    outputs.add(value(name, type, dims));
    return this;
  }

  Path write(Path file) {
    ByteString graph =
        message(
            o -> {
              for (ByteString n : nodes) {
                o.writeBytes(1, n);
              }
              o.writeString(2, "tiny");
              for (ByteString w : weights) {
                o.writeBytes(5, w);
              }
              for (ByteString i : inputs) {
                o.writeBytes(11, i);
              }
              for (ByteString i : outputs) {
                o.writeBytes(12, i);
              }
            });
    ByteString model =
        message(
            o -> {
              o.writeInt64(1, 8);
              o.writeBytes(7, graph);
              o.writeBytes(8, message(x -> x.writeInt64(2, 17)));
            });
    try {
      return Files.write(file, model.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Hidden states {@code hidden [B, S, SIZE]} from {@code input_ids}. */
  TinyGraph languageModel() {
    return input("input_ids", INT64, -1, -1)
        .input("attention_mask", INT64, -1, -1)
        .floats("embedding", embedding, WORDS, SIZE)
        .longs("one", 1)
        .node("Gather", "vectors", List.of("embedding", "input_ids"))
        .node("CumSum", "sums", List.of("vectors", "one"))
        .node("Tanh", "hidden", List.of("sums"));
  }

  TinyGraph logits() {
    return output("logits", FLOAT, -1, -1, WORDS);
  }

  /** A sentence-pair model whose last output has so many numbers. */
  static TinyGraph pairs(int width, float[] types, float[] head) {
    TinyGraph g = new TinyGraph();
    return g.input("input_ids", INT64, -1, -1)
        .input("attention_mask", INT64, -1, -1)
        .input("token_type_ids", INT64, -1, -1)
        .floats("embedding", g.embedding, WORDS, SIZE)
        .floats("types", types, 2, SIZE)
        .floats("head", head, SIZE, width)
        .node("Gather", "words", List.of("embedding", "input_ids"))
        .node("Gather", "kinds", List.of("types", "token_type_ids"))
        .node("Add", "both", List.of("words", "kinds"))
        .node("ReduceMean", "mean", List.of("both"), integers("axes", 1), integer("keepdims", 0))
        .node("MatMul", "logits", List.of("mean", "head"))
        .output("logits", FLOAT, -1, width);
  }

  /** A WordPiece tokenizer as BERT's, of words w4 to w699 and letters. */
  static String bertTokenizer() {
    StringBuilder vocabulary = new StringBuilder("\"[UNK]\":0,\"[CLS]\":1,\"[SEP]\":2,\"a\":3");
    for (int i = 4; i < WORDS; i++) {
      vocabulary.append(",\"w").append(i).append("\":").append(i);
    }
    return """
        {"version":"1.0","truncation":null,"padding":null,
         "added_tokens":[
          {"id":1,"content":"[CLS]","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true},
          {"id":2,"content":"[SEP]","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true}],
         "normalizer":null,"pre_tokenizer":{"type":"BertPreTokenizer"},
         "post_processor":{"type":"BertProcessing","sep":["[SEP]",2],"cls":["[CLS]",1]},"decoder":null,
         "model":{"type":"WordLevel","vocab":{%s},"unk_token":"[UNK]"}}
        """
        .formatted(vocabulary);
  }
}
