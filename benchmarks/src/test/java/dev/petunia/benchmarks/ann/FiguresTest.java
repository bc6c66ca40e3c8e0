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
  private static SetResult.Row row(String system, double build, double factor) {
    SetResult.Row row = new SetResult.Row(system, "made up");
    row.add(new SystemProcess.Build(build + 1, 2 * build + 1));
    row.add(new SystemProcess.Build(build, 2 * build));
    row.add(new SetResult.Cell(10, 0.90, List.of(4000 * factor, 3000 * factor)));
    row.add(new SetResult.Cell(400, 0.98, List.of(900 * factor, 1000 * factor)));
    return row;
  }

  private static final SetResult RESULT =
      new SetResult(
          "s",
          List.of(row("petunia", 10, 2), row("petunia-scalar", 50, 0.5), row("hnswlib", 8, 1)));

  @Test
  void ratiosAreThoseOfTheFastestRoundsAndBuilds() {
    Report report = new Report("ann");
    new AnnFigures(RESULT, false).addTo(report);
    assertEquals(2, report.value("ann.s.r95.qps_vs_hnswlib").orElseThrow(), 1e-9);
    assertEquals(1.25, report.value("ann.s.build_vs_hnswlib").orElseThrow(), 1e-9);
    assertEquals(0.25, report.value("ann.s.scalar_vs_simd").orElseThrow(), 1e-9);
    assertEquals(0.98, report.value("ann.s.ef400.recall").orElseThrow(), 0);
    assertEquals(8000, report.value("ann.s.petunia.ef10.qps").orElseThrow(), 0);
  }

  @Test
  void whatWasNotReachedIsLeftOutAndSaid() {
    Report report = new Report("ann");
    AnnFigures figures = new AnnFigures(RESULT, false);
    figures.addTo(report);
    assertTrue(report.value("ann.s.r99.qps_vs_hnswlib").isEmpty());
    assertTrue(report.value("ann.s.r95.qps_vs_lucene").isEmpty());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    figures.print(new PrintStream(out, true, StandardCharsets.UTF_8));
    assertTrue(out.toString(StandardCharsets.UTF_8).contains("not reached"));
  }

  @Test
  void headlineHasTheRatiosAndNotEachPoint() {
    Report report = new Report("ann");
    new AnnFigures(RESULT, false).addTo(report);
    List<String> names = AnnFigures.headline(report).stream().map(Report.Metric::name).toList();
    assertTrue(names.contains("ann.s.build_vs_hnswlib"), names.toString());
    assertTrue(names.contains("ann.s.ef400.recall"), names.toString());
    assertTrue(names.stream().noneMatch(n -> n.contains("ef10")), names.toString());
  }
}
