package dev.petunia.rerank;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.petunia.core.Deadline;
import dev.petunia.core.Reranker.Reranking;
import dev.petunia.core.Reranker.Score;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The tiny model of the test resources: Qwen3's architecture in two layers with random weights, a
 * tokenizer of 700 of its words, and scores from an independent float64 computation.
 */
final class Fixture {
  static final JsonObject GOLDEN = read("golden.json");
  static final List<Case> CASES = cases();

  /** Float graphs with all logits or two; each with and without past. */
  static final List<String> FLOAT =
      List.of(
          "plain.onnx",
          "kv.onnx",
          "gqa.onnx",
          "yesno.onnx",
          "kv_yesno.onnx",
          "external/model.onnx");

  private Fixture() {}

  record Case(
      String name,
      String instruction,
      String query,
      String document,
      long[] ids,
      long[] real,
      int prefix,
      double score,
      double logit) {}

  static Path dir() {
    try {
      return Path.of(Fixture.class.getResource("/qwen3-tiny").toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  static CrossEncoderConfig.Builder config(String graph) {
    return CrossEncoderConfig.builder(dir().resolve(graph)).workers(2);
  }

  /** The scores of every golden case by a model of this configuration, in the order of cases. */
  static double[] logits(CrossEncoderConfig.Builder config) {
    double[] logits = new double[CASES.size()];
    for (String instruction : CASES.stream().map(Case::instruction).distinct().toList()) {
      try (CrossEncoder model = CrossEncoder.open(config.instruction(instruction).build())) {
        for (int i = 0; i < logits.length; i++) {
          Case c = CASES.get(i);
          if (c.instruction.equals(instruction)) {
            logits[i] = one(model, c.query, c.document).logit().orElseThrow();
          }
        }
      }
    }
    return logits;
  }

  static Score one(CrossEncoder model, String query, String passage) {
    Reranking r = model.rerank(query, List.of(passage), Deadline.NONE);
    if (r.partial()) {
      throw new AssertionError("not scored: " + r.shortfall());
    }
    return r.scores().getFirst();
  }

  private static List<Case> cases() {
    List<Case> all = new ArrayList<>();
    for (JsonElement e : GOLDEN.getAsJsonArray("cases")) {
      JsonObject c = e.getAsJsonObject();
      // special tokens in a document are text here: the golden file has ids and score of that too
      JsonObject read = c.has("literal") ? c.getAsJsonObject("literal") : c;
      all.add(
          new Case(
              c.get("name").getAsString(),
              c.get("instruction").getAsString(),
              c.get("query").getAsString(),
              c.get("document").getAsString(),
              ids(read, "ids"),
              ids(read, "ids_real"),
              c.get("prefix_len").getAsInt(),
              read.get("score").getAsDouble(),
              read.get("logit_yes").getAsDouble() - read.get("logit_no").getAsDouble()));
    }
    return all;
  }

  static long[] ids(JsonObject o, String key) {
    JsonArray a = o.getAsJsonArray(key);
    long[] ids = new long[a.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = a.get(i).getAsLong();
    }
    return ids;
  }

  private static JsonObject read(String name) {
    try {
      return JsonParser.parseString(Files.readString(dir().resolve(name))).getAsJsonObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
