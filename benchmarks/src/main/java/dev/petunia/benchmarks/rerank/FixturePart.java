package dev.petunia.benchmarks.rerank;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.petunia.benchmarks.Report;
import dev.petunia.core.Deadline;
import dev.petunia.core.Reranker.Reranking;
import dev.petunia.rerank.CrossEncoder;
import dev.petunia.rerank.CrossEncoderConfig;
import dev.petunia.rerank.PromptStyle;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Scores of the tiny model in each of its fp32 forms against those of an independent program. */
final class FixturePart {
  private static final List<String> GRAPHS =
      List.of(
          "plain.onnx",
          "kv.onnx",
          "gqa.onnx",
          "yesno.onnx",
          "kv_yesno.onnx",
          "external/model.onnx");

  private static final double TOLERANCE = 1e-4;

  private final Path folder;
  private final PrintStream out;

  FixturePart(Path folder, PrintStream out) {
    this.folder = folder;
    this.out = out;
  }

  void run(Report report) throws IOException {
    out.printf("%nThe tiny model in %d forms:%n", GRAPHS.size());
    JsonObject golden =
        JsonParser.parseString(Files.readString(folder.resolve("golden.json"))).getAsJsonObject();
    double worst = 0;
    for (String graph : GRAPHS) {
      for (boolean reuse : new boolean[] {false, true}) {
        double difference = difference(graph, reuse, golden);
        out.printf(
            Locale.ROOT,
            "  %-20s %-18s largest difference %.1e%n",
            graph,
            reuse ? "prefix reused" : "one by one",
            difference);
        worst = Math.max(worst, difference);
      }
    }
    if (!(worst <= TOLERANCE)) {
      throw new IllegalStateException(
          "scores differ by " + worst + " from the golden ones, allowed: " + TOLERANCE);
    }
    report.add("rerank.fixture.max_abs_diff", worst, "score");
  }

  private double difference(String graph, boolean reuse, JsonObject golden) {
    double worst = 0;
    for (JsonElement e : golden.getAsJsonArray("cases")) {
      JsonObject one = e.getAsJsonObject();
      CrossEncoderConfig config =
          CrossEncoderConfig.builder(folder.resolve(graph))
              .tokenizer(folder.resolve("tokenizer.json"))
              .style(PromptStyle.QWEN3)
              .instruction(one.get("instruction").getAsString())
              .reusePrefix(reuse)
              .workers(1)
              .cacheBytes(0)
              .build();
      try (CrossEncoder encoder = CrossEncoder.open(config)) {
        Reranking got =
            encoder.rerank(
                one.get("query").getAsString(),
                List.of(one.get("document").getAsString()),
                Deadline.NONE);
        // of a document with template tokens in it: the score where they are read as text
        JsonObject expected = one.has("literal") ? one.getAsJsonObject("literal") : one;
        double score = got.scores().getFirst().value().orElseThrow();
        worst = Math.max(worst, Math.abs(score - expected.get("score").getAsDouble()));
      }
    }
    return worst;
  }
}
