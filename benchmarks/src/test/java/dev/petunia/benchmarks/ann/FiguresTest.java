package dev.petunia.benchmarks.ann;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.benchmarks.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {
  /** Recall 0.90 at ef 10 and 0.98 at ef 400, so 0.95 lies between and 0.99 is not reached. */
  private static SetResult.Row row(String system, double build, double factor, double more) {
    SetResult.Row row = new SetResult.Row(system, "made up");
    row.add(new SystemProcess.Build(build + 1, 2 * build + 1));
    row.add(new SystemProcess.Build(build, 2 * build));
    row.single(new SystemProcess.Build(3 * build, 3 * build));
    row.add(new SetResult.Cell(10, 0.90 + more, List.of(4000 * factor, 3000 * factor)));
    row.add(new SetResult.Cell(400, 0.98 + more, List.of(900 * factor, 1000 * factor)));
    return row;
  }

  private static final SetResult RESULT =
      new SetResult(
          "s",
          List.of(
              row("petunia", 10, 2, 0),
              row("petunia-int8", 9, 3, -0.01),
              row("petunia-scalar", 50, 0.5, 0),
              row("hnswlib", 8, 1, 0),
              row("lucene", 20, 1.5, 0),
              row("lucene-int8", 20, 0.8, 0)));

  private static Report report() {
    Report report = new Report("ann");
    new AnnMetrics(RESULT, false).addBuilds(report);
    new AnnMetrics(RESULT, false).addCurves(report);
    return report;
  }

  private static double value(String name) {
    return report().value("ann.s." + name).orElseThrow(() -> new AssertionError(name));
  }

  @Test
  void speedIsThatOfTheFastestConfigurationAtTheRecall() {
    double int8 = value("petunia-int8.r95.qps");
    assertTrue(int8 > value("petunia.r95.qps"));
    assertEquals(int8 / value("hnswlib.r95.qps"), value("r95.qps_vs_hnswlib"), 1e-9);
    assertEquals(int8 / value("lucene-int8.r95.qps"), value("r95.qps_vs_lucene-int8"), 1e-9);
  }

  @Test
  void theBestPeerIsTheFastestOfAllTheirConfigurations() {
    assertEquals(value("r95.qps_vs_lucene"), value("r95.qps_vs_best_peer"), 1e-9);
    assertTrue(value("r95.qps_vs_best_peer") < value("r95.qps_vs_hnswlib"));
  }

  @Test
  void fullPrecisionIsComparedByItself() {
    assertEquals(2, value("r95.qps_float_vs_hnswlib"), 1e-9);
  }

  @Test
  void buildsAreComparedByTheFastestOnesOfTheSlowestConfiguration() {
    assertEquals(1.25, value("build_vs_hnswlib"), 1e-9);
    assertEquals(9.0 / 8, value("petunia-int8.build_vs_hnswlib"), 1e-9);
    assertEquals(1.25, value("build1_vs_hnswlib"), 1e-9);
  }

  @Test
  void recallIsComparedAtEqualEf() {
    assertEquals(0.97, value("ef400.recall"), 1e-9); // of the worst configuration
    assertEquals(-0.01, value("ef400.recall_minus_hnswlib"), 1e-9);
    assertEquals(0, value("petunia.ef400.recall_minus_hnswlib"), 1e-9);
    assertEquals(-0.01, value("petunia-int8.ef400.recall_minus_hnswlib"), 1e-9);
    assertEquals(0.89 / 0.90, value("petunia-int8.recall_vs_float"), 1e-9); // the worse of the two
    assertEquals(0.98, value("highest_recall"), 0);
  }

  @Test
  void theScalarTwinIsComparedAtEqualEf() {
    assertEquals(0.25, value("scalar_vs_simd"), 1e-9);
    assertEquals(8000, value("petunia.ef10.qps"), 0);
  }

  @Test
  void whatWasNotReachedIsLeftOutAndSaid() {
    assertTrue(report().value("ann.s.r99.qps_vs_hnswlib").isEmpty());
    assertTrue(report().value("ann.s.r99.qps_vs_best_peer").isEmpty());
    assertTrue(report().value("ann.s.r95.qps_vs_jvector").isEmpty());
    String table = table();
    assertTrue(table.contains("not reached"), table);
    assertTrue(table.contains("fastest at 0.99: none; of the peers none"), table);
  }

  @Test
  void theTableSaysWhichConfigurationWon() {
    assertTrue(table().contains("fastest at 0.95: petunia-int8 "), table());
    assertTrue(table().contains("; of the peers lucene "), table());
  }

  private static String table() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new AnnFigures(RESULT, false).print(new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void headlineHasTheRatiosAndNotEachPoint() {
    List<String> names = AnnMetrics.headline(report()).stream().map(Report.Metric::name).toList();
    assertTrue(names.contains("ann.s.build_vs_hnswlib"), names.toString());
    assertTrue(names.contains("ann.s.ef400.recall"), names.toString());
    assertTrue(names.contains("ann.s.petunia-int8.recall_vs_float"), names.toString());
    assertTrue(names.stream().noneMatch(n -> n.contains("ef10")), names.toString());
    assertTrue(names.stream().noneMatch(n -> n.endsWith("_seconds")), names.toString());
  }
}
