package dev.petunia.benchmarks.rerank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.benchmarks.Options;
import dev.petunia.benchmarks.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RerankProgramTest {
  private static final String TINY = "2,32,4,2,8,48,700";

  @TempDir Path models;

  private static Options options(String... args) {
    return Options.parse(List.of(args), Set.of("quick", "fetch-tokenizer"));
  }

  @Test
  void aTinyModelIsMeasuredFromEndToEnd() throws Exception {
    for (String precision : List.of("fp32", "int8")) {
      Report report = new Report("rerank");
      new RerankProgram()
          .run(
              options(
                  "--models",
                  models.toString(),
                  "--shape",
                  TINY,
                  "--precision",
                  precision,
                  "--pairs",
                  "12",
                  "--rounds",
                  "2",
                  "--tokens",
                  "120",
                  "--mixed",
                  "24",
                  "--deadlines",
                  "1,20",
                  "--requests",
                  "3",
                  "--parts",
                  "pairs,mixed,deadline"),
              report);
      for (String name :
          List.of(
              "rerank.scaled.pairs_per_s_vs_naive",
              "rerank.scaled.mixed24.pairs_per_s_vs_naive_padded",
              "rerank.deadline.overshoot_p99_ms")) {
        assertTrue(report.value(name).isPresent(), name);
      }
      assertTrue(report.value("rerank.scaled.pairs_per_s_vs_naive").getAsDouble() > 0);
      // Figures of the full size come from the full size only.
      assertTrue(report.metrics().stream().noneMatch(m -> m.name().contains("fullsize")));
    }
  }

  @Test
  void wrongOptionsAreNamed() {
    for (String shape : List.of("tiny", "1,2,3", "2,32,4,3,8,48,700", "2,32,4,2,8,48,x")) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> RerankPlan.of(options("--shape", shape)));
      assertTrue(e.getMessage().contains("allowed"), e.getMessage());
    }
    assertRefused("--precision is \"q4\"", "--precision", "q4");
    assertRefused("--fixture is", "--fixture", "nowhere");
    assertRefused("--tokenizer is", "--tokenizer", "nowhere");
    assertRefused("unknown option --pair;", "--pair", "3");
  }

  private static void assertRefused(String message, String... args) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> RerankPlan.of(options(args)));
    assertTrue(e.getMessage().startsWith(message), e.getMessage());
  }

  @Test
  void aSetupSurvivesTheCommandLine() {
    ScorerSetup setup =
        new ScorerSetup(
            models, ModelShape.QWEN3_0_6B, Precision.INT8, 7, models.resolve("t.json"), 2, 8);
    assertEquals(setup, ScorerSetup.fromArguments(setup.toArguments()));
  }

  @Test
  void aChildThatCannotStartSaysWhy() throws Exception {
    ScorerSetup setup =
        new ScorerSetup(
            models,
            ScorerSetup.shape(TINY),
            Precision.FP32,
            1,
            models.resolve("no-tokenizer.json"),
            1,
            1);
    Path work = Files.createDirectory(models.resolve("work"));
    Exception e =
        assertThrows(
            java.io.IOException.class, () -> ScorerProcess.start(ScorerKind.NAIVE, setup, work));
    assertTrue(e.getMessage().contains("no-tokenizer.json"), e.getMessage());
  }

  @Test
  void quantilesAreValuesThatOccurred() {
    List<Double> values = List.of(5.0, 1.0, 3.0, 2.0);
    assertEquals(2, DeadlinePart.quantile(values, 0.5));
    assertEquals(5, DeadlinePart.quantile(values, 0.99));
    assertEquals(1, DeadlinePart.quantile(values, 0));
  }
}
