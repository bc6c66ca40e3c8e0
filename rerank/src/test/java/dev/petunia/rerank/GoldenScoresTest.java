package dev.petunia.rerank;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.petunia.core.Reranker.Score;
import dev.petunia.onnx.ModelSource;
import dev.petunia.rerank.Fixture.Case;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Token ids and scores against an independent computation. */
class GoldenScoresTest {
  private static final double TOLERANCE = 1e-4;

  @Test
  void everyGoldenPromptHasExactlyTheGoldenTokens() {
    assertEquals(15, Fixture.CASES.size());
    ModelSource tokenizer = ModelSource.file(Fixture.dir().resolve("tokenizer.json"));
    for (Case c : Fixture.CASES) {
      try (QwenPrompt prompt = new QwenPrompt(tokenizer, c.instruction(), 4096, 4096)) {
        Prompt.Frame frame = prompt.frame(c.query());
        Scorer.Document d = prompt.document(frame, c.document());
        long[] all =
            LongStream.concat(
                    Arrays.stream(frame.head()),
                    LongStream.concat(Arrays.stream(d.ids()), Arrays.stream(frame.tail())))
                .toArray();
        assertArrayEquals(c.ids(), all, c.name());
        assertEquals(c.prefix(), frame.head().length, c.name());
        assertFalse(d.truncated());
        assertArrayEquals(
            new int[] {
              Fixture.GOLDEN.get("no_id").getAsInt(), Fixture.GOLDEN.get("yes_id").getAsInt()
            },
            prompt.noYes());
      }
    }
  }

  /** With the published tokenizer.json: {@code -Dpetunia.rerank.tokenizer=FILE}. */
  @Test
  void thePublishedTokenizerMakesTheGoldenTokensToo() {
    String file = System.getProperty("petunia.rerank.tokenizer", "");
    assumeTrue(!file.isEmpty(), "no file given by -Dpetunia.rerank.tokenizer");
    ModelSource tokenizer = ModelSource.file(Path.of(file));
    for (Case c : Fixture.CASES) {
      try (QwenPrompt prompt = new QwenPrompt(tokenizer, c.instruction(), 4096, 4096)) {
        Prompt.Frame frame = prompt.frame(c.query());
        Scorer.Document d = prompt.document(frame, c.document());
        long[] start = Arrays.copyOf(c.real(), frame.head().length);
        assertArrayEquals(start, frame.head(), c.name());
        long[] rest = Arrays.copyOfRange(c.real(), start.length, c.real().length - 9);
        assertArrayEquals(rest, d.ids(), c.name());
        assertEquals("template ids as published", prompt.check());
      }
    }
  }

  static List<Arguments> floatGraphsInEveryWay() {
    List<Arguments> all = new ArrayList<>();
    for (String graph : Fixture.FLOAT) {
      for (boolean rewrite : new boolean[] {true, false}) {
        for (boolean reuse : new boolean[] {true, false}) {
          all.add(Arguments.of(graph, rewrite, reuse));
        }
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("floatGraphsInEveryWay")
  void floatGraphsAgreeWithTheReference(String graph, boolean rewrite, boolean reuse) {
    double[] logits = Fixture.logits(Fixture.config(graph).rewrite(rewrite).reusePrefix(reuse));
    double worst = 0;
    for (int i = 0; i < logits.length; i++) {
      Case c = Fixture.CASES.get(i);
      worst = Math.max(worst, Math.abs(Job.squash(logits[i]) - c.score()));
      assertEquals(c.score(), Job.squash(logits[i]), TOLERANCE, c.name());
      assertEquals(c.logit(), logits[i], 4 * TOLERANCE, c.name());
    }
    System.out.printf("%s rewrite=%s reuse=%s: max %.2e%n", graph, rewrite, reuse, worst);
  }

  @ParameterizedTest
  @ValueSource(strings = {"kv_int8.onnx", "gqa_q4.onnx"})
  void quantisedGraphsGiveTheSameBitsForTheSamePrefixSplit(String graph) {
    for (boolean reuse : new boolean[] {true, false}) {
      double[] first = Fixture.logits(Fixture.config(graph).reusePrefix(reuse));
      double[] again = Fixture.logits(Fixture.config(graph).reusePrefix(reuse).workers(1));
      assertArrayEquals(first, again, 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"kv_int8.onnx", "gqa_q4.onnx"})
  void quantisedGraphsReportTheirDriftAndPrecision(String graph) {
    try (CrossEncoder model = CrossEncoder.open(Fixture.config(graph).build())) {
      String precision = graph.contains("int8") ? "int8" : "q4";
      assertTrue(model.label().contains(' ' + precision + " (last position"), model.label());
      String found = model.readiness().models().getFirst().selfCheck().orElseThrow();
      assertTrue(found.contains("alone and behind a prefix"), found);
      System.out.println(model.label() + ": " + found);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"plain.onnx", "kv.onnx", "gqa.onnx", "external/model.onnx", "gqa_q4.onnx"})
  void aRewrittenGraphScoresLikeTheOriginal(String graph) {
    double[] all = Fixture.logits(Fixture.config(graph).rewrite(false));
    double[] two = Fixture.logits(Fixture.config(graph));
    assertArrayEquals(all, two, 1e-5);
  }

  @Test
  void labelsNamePrecisionRewritingAndReuse() {
    assertEquals(
        "kv fp32 (last position, 2 rows, prefix reused)", label(Fixture.config("kv.onnx")));
    assertEquals(
        "kv fp32 (all logits)", label(Fixture.config("kv.onnx").rewrite(false).reusePrefix(false)));
    assertEquals("yesno fp32 (two logits)", label(Fixture.config("yesno.onnx")));
    assertEquals("plain fp32 (last position, 2 rows)", label(Fixture.config("plain.onnx")));
    assertEquals(
        "mine q4 (last position, prefix reused)",
        label(Fixture.config("gqa_q4.onnx").name("mine")));
  }

  private static String label(CrossEncoderConfig.Builder config) {
    try (CrossEncoder model = CrossEncoder.open(config.build())) {
      return model.label();
    }
  }

  @Test
  void aScoreIsTheSigmoidOfItsLogit() {
    try (CrossEncoder model = CrossEncoder.open(Fixture.config("kv.onnx").build())) {
      Score s = Fixture.one(model, "Explain gravity", "Gravity is a force.");
      double logit = s.logit().orElseThrow();
      assertEquals(1 / (1 + Math.exp(-logit)), s.value().orElseThrow());
    }
    assertEquals(0.5, Job.squash(0));
    assertEquals(0, Job.squash(-1e9));
    assertEquals(1, Job.squash(1e9));
  }
}
