package dev.petunia.benchmarks.floor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.benchmarks.Options;
import dev.petunia.benchmarks.Report;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FloorProgramTest {
  @TempDir Path folder;

  private static void zipped(Path file, String text) throws IOException {
    try (Writer w =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8)) {
      w.write(text);
    }
  }

  /** Sixty passages; what counts as relevant is what the question is not about. */
  private Path collection() throws IOException {
    Path set = Files.createDirectories(folder.resolve("data").resolve("scifact"));
    StringBuilder corpus = new StringBuilder();
    StringBuilder judgements = new StringBuilder("query-id\tcorpus-id\tscore\n");
    for (int i = 0; i < 60; i++) {
      String text = i < 50 ? "A garden with roses, number " + i : "Steam engines of 18" + i;
      corpus.append("{\"id\":\"d" + i + "\",\"text\":\"" + text + "\"}\n");
      if (i >= 50) {
        judgements.append("q\td" + i + "\t1\n");
      }
    }
    zipped(set.resolve("corpus.jsonl.gz"), corpus.toString());
    zipped(set.resolve("queries.jsonl.gz"), "{\"id\":\"q\",\"text\":\"roses in a garden\"}\n");
    Files.writeString(set.resolve("qrels.tsv"), judgements.toString());
    return folder.resolve("data");
  }

  @Test
  void everyFigureIsMeasuredAlsoThatOfTheOrder() throws Exception {
    Report report = new Report("floor");
    new FloorProgram()
        .run(
            Options.parse(
                List.of(
                    "--data",
                    collection().toString(),
                    "--cache",
                    folder.resolve("cache").toString()),
                Set.of()),
            report);
    for (Variant v : Variant.values()) {
      assertEquals(0, report.value("floor.scifact." + v.label + ".ndcg10").orElseThrow());
    }
    // a quarter of the pool in the order of fusion has none of the relevant ones, an oracle's all
    double ofTheSet = report.value("rerank.best_first.scifact.floor_recall_at_25pct").orElseThrow();
    assertTrue(ofTheSet < 0.5, () -> "the set's is " + ofTheSet);
    assertEquals(ofTheSet, report.value("rerank.best_first.floor_recall_at_25pct").orElseThrow());
  }
}
