package dev.petunia.onnx;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A graph of one Gather: the vector of token {@code i} is row {@code i} of a table. Written as
 * protobuf by hand (field numbers of onnx.proto3), so that graphs which are wrong in one way can be
 * made. Its tokenizer knows the words w0, w1, ... and adds no special tokens.
 */
final class TinyModel {
  static final int WORDS = 8;
  static final int DIMENSION = 4;
  private static final int FLOAT = 1;
  private static final int INT64 = 7;

  String idsName = "input_ids";
  int idsRank = 2;
  String outputName = "last_hidden_state";
  List<String> unusedInputs = new ArrayList<>();
  float[] table = new float[WORDS * DIMENSION];

  /** Rows in the table; more words than rows make ids that the graph can't look up. */
  int rows = WORDS;

  boolean flatOutput;
  boolean twiceTheTokens;

  TinyModel() {
    float[] first = {5, 6, 7, 8, 1, 2, 3, 4, 8, -2, 5, 1};
    for (int i = 0; i < table.length; i++) {
      table[i] = i < first.length ? first[i] : i;
    }
  }

  /** Writes graph and tokenizer and describes them. */
  EmbedderModel write(Path dir) {
    try {
      Path onnx = Files.write(dir.resolve("tiny.onnx"), onnx());
      Path tokenizer = Files.writeString(dir.resolve("tokenizer.json"), tokenizer());
      return EmbedderModel.builder()
          .name("tiny")
          .onnx(ModelSource.file(onnx))
          .tokenizer(ModelSource.file(tokenizer))
          .maxTokens(16)
          .dimension(DIMENSION)
          .build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String tokenizer() {
    StringBuilder vocabulary = new StringBuilder();
    for (int i = 0; i < WORDS; i++) {
      vocabulary.append(i == 0 ? "" : ",").append("\"w").append(i).append("\":").append(i);
    }
    return """
        {"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":null,
         "pre_tokenizer":{"type":"WhitespaceSplit"},"post_processor":null,"decoder":null,
         "model":{"type":"WordLevel","vocab":{%s},"unk_token":"w0"}}
        """
        .formatted(vocabulary);
  }

  private byte[] onnx() {
    Proto weights = new Proto().packed(1, rows, DIMENSION).number(2, FLOAT).text(8, "table");
    ByteBuffer raw =
        ByteBuffer.allocate(rows * DIMENSION * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < rows * DIMENSION; i++) {
      raw.putFloat(table[i]);
    }
    weights.bytes(9, raw.array());
    boolean more = flatOutput || twiceTheTokens;
    String gathered = more ? "rows" : outputName;
    Proto graph = new Proto().message(1, node("Gather", gathered, "table", idsName));
    if (flatOutput) {
      graph.message(1, node("Flatten", outputName, "rows"));
    }
    if (twiceTheTokens) {
      Proto axis = new Proto().text(1, "axis").number(3, 1).number(20, 2);
      graph.message(1, node("Concat", outputName, "rows", "rows").message(5, axis));
    }
    graph.text(2, "g").message(5, weights).message(11, value(idsName, INT64, idsRank));
    for (String name : unusedInputs) {
      graph.message(11, value(name, INT64, 2));
    }
    graph.message(12, value(outputName, FLOAT, flatOutput ? 2 : idsRank + 1));
    return new Proto()
        .number(1, 7)
        .message(7, graph)
        .message(8, new Proto().number(2, 13))
        .toByteArray();
  }

  private static Proto node(String operator, String output, String... inputs) {
    Proto node = new Proto();
    for (String input : inputs) {
      node.text(1, input);
    }
    return node.text(2, output).text(4, operator);
  }

  /** A ValueInfoProto of a tensor whose dimensions may have any size. */
  private static Proto value(String name, int type, int rank) {
    Proto shape = new Proto();
    for (int i = 0; i < rank; i++) {
      shape.message(1, new Proto().text(2, name + i));
    }
    Proto tensor = new Proto().number(1, type).message(2, shape);
    return new Proto().text(1, name).message(2, new Proto().message(1, tensor));
  }
}
