package dev.petunia.benchmarks.ann;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.benchmarks.Options;
import dev.petunia.benchmarks.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnnProgramTest {
  @TempDir Path folder;

  @Test
  void aTinyRunMeasuresAllSystemsOnTheJvm() throws Exception {
    Report report = new Report("ann");
    String args =
        "--set generated --n 2000 --queries 100 --ef 10,100,400 --builds 1 --rounds 2 --round-ms 1"
            + " --warm-ms 8 --heap 256m --petunia float,int8 --peers lucene,jvector"
            + " --parts curves,self,memory,cold,filter,mixed,deletes --plots "
            + folder;
    new AnnProgram().run(Options.parse(List.of(args.split(" ")), Set.of()), report);
    for (String system :
        List.of("petunia", "petunia-int8", "petunia-scalar", "lucene", "jvector")) {
      String name = "ann.generated." + system + ".";
      assertTrue(value(report, name + "ef10.qps") > 0);
      assertTrue(value(report, name + "ef10.recall") >= 0.5, system);
    }
    for (String system : List.of("petunia", "petunia-int8", "lucene", "jvector")) {
      assertTrue(value(report, "ann.generated." + system + ".build_seconds") > 0);
      assertTrue(value(report, "ann.generated." + system + ".ef100.recall") >= 0.97, system);
    }
    for (String ratio :
        List.of(
            "r95.qps_vs_lucene",
            "r99.qps_vs_lucene",
            "r95.qps_vs_jvector",
            "r99.qps_vs_jvector",
            "scalar_vs_simd",
            "alloc_bytes_per_query")) {
      assertTrue(value(report, "ann.generated." + ratio) > 0, ratio);
    }
    assertTrue(value(report, "ann.generated.ef400.recall") >= 0.99);
    assertTrue(report.value("ann.generated.r95.qps_vs_hnswlib").isEmpty()); // it did not run
    assertTrue(report.value("ann.generated.petunia-scalar.build_seconds").isEmpty()); // taken over
    assertEquals(
        Math.max(
                value(report, "ann.generated.petunia.r95.qps"),
                value(report, "ann.generated.petunia-int8.r95.qps"))
            / value(report, "ann.generated.lucene.r95.qps"),
        value(report, "ann.generated.r95.qps_vs_lucene"),
        1e-9);
    assertEquals(1, value(report, "ann.generated.self_recall"), 0);
    assertTrue(value(report, "ann.generated.bytes_per_vector") > 128 * 4);
    for (String metric :
        List.of(
            "petunia.cold.open_seconds",
            "petunia.cold.first_answer_seconds",
            "petunia-int8.mixed.writes_per_second",
            "petunia-int8.deletes.recall_vs_fresh",
            "filter10pct.qps_vs_lucene",
            "filter_near.qps_vs_lucene",
            "filter_far.predicate.recall")) {
      assertTrue(value(report, "ann.generated." + metric) > 0, metric);
    }
    String drawing = Files.readString(folder.resolve("recall-qps-generated.svg"));
    assertTrue(drawing.contains("petunia-int8"), drawing);
  }

  private static double value(Report report, String name) {
    return report
        .value(name)
        .orElseThrow(() -> new AssertionError(name + " is missing: " + report.metrics()));
  }
}
