package dev.petunia.rerank;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Deadline;
import dev.petunia.core.Reranker.Score;
import dev.petunia.core.testing.Expect;
import dev.petunia.onnx.ModelException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Graphs of other makes: heads, pairs, half-precision keys, links; and what is refused. */
class GraphVariantsTest {
  private static final String QUERY = "What is the capital of China?";
  private static final List<String> PASSAGES =
      List.of("The capital of China is Beijing.", "Gravity is a force.", "", "42 is the answer.");

  @TempDir Path dir;

  private CrossEncoderConfig.Builder qwen(TinyGraph g) {
    return CrossEncoderConfig.builder(g.write(dir.resolve("g.onnx")))
        .tokenizer(Fixture.dir().resolve("tokenizer.json"))
        .workers(1);
  }

  private static TinyGraph head(String kind) {
    int words = TinyGraph.WORDS;
    int size = TinyGraph.SIZE;
    float[] weight = TinyGraph.random(words * size, 2);
    float[] bias = TinyGraph.random(words, 3);
    TinyGraph g = new TinyGraph().languageModel().logits();
    List<String> hidden = List.of("hidden", "w");
    return switch (kind) {
      case "MatMul" -> g.floats("w", weight, size, words).node("MatMul", "logits", hidden);
      case "tied" ->
          g.node("Transpose", "w", List.of("embedding"), TinyGraph.integers("perm", 1, 0))
              .node("MatMul", "logits", hidden);
      case "MatMul and Add" ->
          g.floats("w", weight, size, words)
              .floats("b", bias, words)
              .node("MatMul", "product", hidden)
              .node("Add", "logits", List.of("product", "b"));
      case "Gemm, rows" -> gemm(g, 1).floats("w", weight, words, size).floats("b", bias, words);
      case "Gemm, columns" -> gemm(g, 0).floats("w", weight, size, words).floats("b", bias, words);
      case "MatMulInteger" -> {
        byte[] q = new byte[size * words];
        for (int i = 0; i < q.length; i++) {
          q[i] = (byte) Math.round(weight[i] * 64);
        }
        yield g.weight("w8", 3, ByteBuffer.wrap(q), size, words)
            .floats("s", new float[] {1 / 64f})
            .node("DynamicQuantizeLinear", List.of("q", "scale", "zero"), List.of("hidden"))
            .node("MatMulInteger", "i", List.of("q", "w8", "zero"))
            .node("Cast", "f", List.of("i"), TinyGraph.integer("to", TinyGraph.FLOAT))
            .node("Mul", "both", List.of("scale", "s"))
            .node("Mul", "logits", List.of("f", "both"));
      }
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private static TinyGraph gemm(TinyGraph g, int transposed) {
    return g.longs("flat", -1, TinyGraph.SIZE)
        .longs("back", 1, -1, TinyGraph.WORDS)
        .node("Reshape", "rows", List.of("hidden", "flat"))
        .node("Gemm", "product", List.of("rows", "w", "b"), TinyGraph.integer("transB", transposed))
        .node("Reshape", "logits", List.of("product", "back"));
  }

  private static double[] logits(CrossEncoder model) {
    return model.rerank(QUERY, PASSAGES, Deadline.NONE).scores().stream()
        .mapToDouble(s -> s.logit().orElseThrow())
        .toArray();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MatMul",
        "tied",
        "MatMul and Add",
        "Gemm, rows",
        "Gemm, columns",
        "MatMulInteger"
      })
  void everyKindOfHeadIsCutAndScoresTheSame(String kind) {
    CrossEncoderConfig.Builder config = qwen(head(kind));
    try (CrossEncoder cut = CrossEncoder.open(config.build());
        CrossEncoder whole = CrossEncoder.open(config.rewrite(false).build())) {
      boolean rows = List.of("MatMul", "tied", "Gemm, rows", "Gemm, columns").contains(kind);
      assertTrue(cut.label().endsWith(rows ? "(last position, 2 rows)" : "(last position)"));
      assertTrue(whole.label().endsWith("(all logits)"), whole.label());
      // quantised: the scale is that of one position instead of all
      assertArrayEquals(logits(whole), logits(cut), kind.equals("MatMulInteger") ? 0.2 : 1e-5);
    }
  }

  @Test
  void aGraphThatIsNotUnderstoodRunsAsItIsAndSaysWhy() {
    TinyGraph g =
        new TinyGraph()
            .languageModel()
            .logits()
            .floats("w", TinyGraph.random(TinyGraph.WORDS * TinyGraph.SIZE, 2), 16, 700)
            .node("MatMul", "product", List.of("hidden", "w"))
            .node("LogSoftmax", "logits", List.of("product"));
    try (CrossEncoder model = CrossEncoder.open(qwen(g).build())) {
      assertTrue(model.label().endsWith("(all logits)"), model.label());
      String found = model.readiness().models().getFirst().selfCheck().orElseThrow();
      assertTrue(found.contains("not rewritten: logits comes from a LogSoftmax"), found);
    }
  }

  @Test
  void anotherOutputOfTheHeadIsNotChanged() {
    TinyGraph g =
        head("MatMul")
            .node("Softmax", "probabilities", List.of("logits"))
            .output("probabilities", TinyGraph.FLOAT, -1, -1, TinyGraph.WORDS);
    try (CrossEncoder model = CrossEncoder.open(qwen(g).build())) {
      String found = model.readiness().models().getFirst().selfCheck().orElseThrow();
      assertTrue(found.contains("output probabilities is computed from the head's input"), found);
    }
  }

  /** Half-precision past, and outputs called present_key_values as some exporters do. */
  @Test
  void halfPrecisionPastIsReadByTheGraphsOwnNames() {
    TinyGraph g =
        new TinyGraph()
            .input("input_ids", TinyGraph.INT64, -1, -1)
            .input("past_key_values.0.key", TinyGraph.FLOAT16, -1, 1, -1, TinyGraph.SIZE)
            .floats("embedding", TinyGraph.random(700 * 16, 1), 700, 16)
            .floats("w", TinyGraph.random(700 * 16, 2), 16, 700)
            .longs("one", 1)
            .node("Gather", "x", List.of("embedding", "input_ids"))
            .node("Unsqueeze", "x4", List.of("x", "one"))
            .node("Cast", "xh", List.of("x4"), TinyGraph.integer("to", TinyGraph.FLOAT16))
            .node(
                "Concat",
                "present_key_values.0.key",
                List.of("past_key_values.0.key", "xh"),
                TinyGraph.integer("axis", 2))
            .node(
                "Cast",
                "all",
                List.of("present_key_values.0.key"),
                TinyGraph.integer("to", TinyGraph.FLOAT))
            .node("Squeeze", "all3", List.of("all", "one"))
            .node("CumSum", "sums", List.of("all3", "one"))
            .node("Tanh", "hidden", List.of("sums"))
            .node("MatMul", "logits", List.of("hidden", "w"))
            .logits()
            .output("present_key_values.0.key", TinyGraph.FLOAT16, -1, 1, -1, TinyGraph.SIZE);
    CrossEncoderConfig.Builder config = qwen(g);
    try (CrossEncoder reusing = CrossEncoder.open(config.build());
        CrossEncoder whole = CrossEncoder.open(config.rewrite(false).reusePrefix(false).build())) {
      assertTrue(reusing.label().endsWith("(last position, 2 rows, prefix reused)"));
      assertArrayEquals(logits(whole), logits(reusing), 1e-4);
    }
  }

  @Test
  void aSentencePairModelGetsBothTextsTheirTypesAndOnlyThePassageIsCut() throws IOException {
    float[] types = TinyGraph.random(2 * TinyGraph.SIZE, 5);
    float[] head = TinyGraph.random(TinyGraph.SIZE, 6);
    TinyGraph g = TinyGraph.pairs(1, types, head);
    Path file = g.write(dir.resolve("bert.onnx"));
    Files.writeString(dir.resolve("tokenizer.json"), TinyGraph.bertTokenizer());
    try (CrossEncoder model =
        CrossEncoder.open(CrossEncoderConfig.builder(file).maxTokens(64).build())) {
      assertEquals("bert fp32 (one logit)", model.label());
      Score s = Fixture.one(model, "w10 w11 [SEP]", "w12 a unknown");
      // [SEP] in a user's text is text: three unknown words
      int[] ids = {1, 10, 11, 0, 0, 0, 2, 12, 3, 0, 2};
      int[] kinds = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
      assertEquals(expected(g, types, head, ids, kinds), s.logit().orElseThrow(), 1e-5);
      assertFalse(s.truncated());

      Score longer = Fixture.one(model, "w10 w11", "w12 ".repeat(500));
      int[] cut =
          IntStream.range(0, 64).map(i -> i == 0 ? 1 : i == 3 || i == 63 ? 2 : 12).toArray();
      cut[1] = 10;
      cut[2] = 11;
      int[] cutKinds = IntStream.range(0, 64).map(i -> i < 4 ? 0 : 1).toArray();
      assertTrue(longer.truncated());
      assertEquals(expected(g, types, head, cut, cutKinds), longer.logit().orElseThrow(), 1e-5);
      Expect.refused(
          "query",
          "63 tokens with the special ones",
          "at most 56",
          () -> Fixture.one(model, "w10 ".repeat(60), "w12"));
    }
  }

  @Test
  void aSequenceClassificationExportGetsThePromptAndItsOneLogitIsTheScore() {
    float[] head = TinyGraph.random(TinyGraph.SIZE, 6);
    TinyGraph g = new TinyGraph();
    g.input("input_ids", TinyGraph.INT64, -1, -1)
        .floats("embedding", g.embedding, TinyGraph.WORDS, TinyGraph.SIZE)
        .floats("head", head, TinyGraph.SIZE, 1)
        .node("Gather", "words", List.of("embedding", "input_ids"))
        .node(
            "ReduceMean",
            "mean",
            List.of("words"),
            TinyGraph.integers("axes", 1),
            TinyGraph.integer("keepdims", 0))
        .node("MatMul", "scores", List.of("mean", "head"))
        .output("scores", TinyGraph.FLOAT, -1, 1);
    Fixture.Case c = Fixture.CASES.getFirst();
    int[] ids = Arrays.stream(c.ids()).mapToInt(Math::toIntExact).toArray();
    float[] noTypes = new float[TinyGraph.SIZE];
    try (CrossEncoder model = CrossEncoder.open(qwen(g).build())) {
      assertEquals("g fp32 (one logit)", model.label());
      assertEquals(
          expected(g, noTypes, head, ids, new int[ids.length]),
          Fixture.one(model, c.query(), c.document()).logit().orElseThrow(),
          1e-5);
    }
  }

  private static double expected(TinyGraph g, float[] types, float[] head, int[] ids, int[] kinds) {
    double sum = 0;
    for (int i = 0; i < ids.length; i++) {
      for (int k = 0; k < TinyGraph.SIZE; k++) {
        sum +=
            (double)
                    (g.embedding[ids[i] * TinyGraph.SIZE + k]
                        + types[kinds[i] * TinyGraph.SIZE + k])
                * head[k];
      }
    }
    return sum / ids.length;
  }

  @Test
  void outputsThatAreNotUnderstoodAreRefusedByName() throws IOException {
    Path bert = Files.writeString(dir.resolve("tokenizer.json"), TinyGraph.bertTokenizer());
    float[] types = TinyGraph.random(2 * TinyGraph.SIZE, 5);
    assertRefused(
        bert,
        TinyGraph.pairs(3, types, TinyGraph.random(3 * TinyGraph.SIZE, 6)),
        "output logits is FLOAT[-1, 3]",
        "expected logits[batch, tokens, vocabulary], [batch, 2] (no, yes) or [batch, 1]");
    TinyGraph hidden =
        new TinyGraph()
            .languageModel()
            .node("Identity", "last_hidden_state", List.of("hidden"))
            .output("last_hidden_state", TinyGraph.FLOAT, -1, -1, TinyGraph.SIZE);
    assertRefused(hidden, "has outputs {last_hidden_state=FLOAT[-1, -1, 16]}");
    TinyGraph tokens =
        new TinyGraph()
            .languageModel()
            .floats("w", TinyGraph.random(2 * TinyGraph.SIZE, 5), TinyGraph.SIZE, 2)
            .node("MatMul", "logits", List.of("hidden", "w"))
            .output("logits", TinyGraph.FLOAT, -1, -1, 2);
    assertRefused(tokens, "output logits is FLOAT[-1, -1, 2]");
  }

  @Test
  void inputsThatAreNotUnderstoodAreRefusedByName() {
    assertRefused(head("MatMul").input("images", TinyGraph.FLOAT, -1, 3), "has input images");
    assertRefused(
        head("MatMul").input("position_ids", TinyGraph.FLOAT, -1, -1),
        "input position_ids is FLOAT[-1, -1], expected INT64[batch, tokens]");
    assertRefused(
        head("MatMul").input("past_key_values.0.key", TinyGraph.FLOAT, -1, 1, -1, 4),
        "has input past_key_values.0.key but outputs [] for it");
  }

  private void assertRefused(TinyGraph g, String... parts) {
    assertRefused(Fixture.dir().resolve("tokenizer.json"), g, parts);
  }

  private void assertRefused(Path tokenizer, TinyGraph g, String... parts) {
    CrossEncoderConfig config = qwen(g).tokenizer(tokenizer).build();
    ModelException e = assertThrows(ModelException.class, () -> CrossEncoder.open(config).close());
    for (String part : parts) {
      assertTrue(e.getMessage().contains(part), () -> part + " is not in: " + e.getMessage());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"kv_int8.onnx", "external/model.onnx"})
  void aModelBehindLinksIsRewrittenAndLoaded(String graph) throws IOException {
    Path blobs = Files.createDirectories(dir.resolve("blobs"));
    Path snapshot = Files.createDirectories(dir.resolve("snapshots").resolve("1"));
    link(blobs, snapshot, Fixture.dir().resolve(graph), "model.onnx");
    if (graph.startsWith("external")) {
      link(blobs, snapshot, Fixture.dir().resolve("external/model.onnx_data"), "model.onnx_data");
    }
    link(blobs, snapshot, Fixture.dir().resolve("tokenizer.json"), "tokenizer.json");
    try (CrossEncoder linked = CrossEncoder.open(CrossEncoderConfig.builder(snapshot).build());
        CrossEncoder direct = CrossEncoder.open(Fixture.config(graph).build())) {
      assertTrue(linked.label().contains("last position"), linked.readiness().models().toString());
      assertArrayEquals(logits(direct), logits(linked), 0);
    }
  }

  private static void link(Path blobs, Path snapshot, Path from, String name) throws IOException {
    Path blob = Files.copy(from, blobs.resolve(Integer.toHexString(name.hashCode())));
    Files.createSymbolicLink(snapshot.resolve(name), snapshot.relativize(blob));
  }
}
