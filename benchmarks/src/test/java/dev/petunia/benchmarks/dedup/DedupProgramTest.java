package dev.petunia.benchmarks.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.benchmarks.Options;
import dev.petunia.benchmarks.Report;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DedupProgramTest {
  @TempDir Path folder;

  private static Report run(String... arguments) throws Exception {
    Report report = new Report("dedup");
    new DedupProgram().run(Options.parse(List.of(arguments), Set.of("quick")), report);
    return report;
  }

  private static double value(Report report, String name) {
    return report.value("dedup." + name).orElseThrow(() -> new AssertionError(name));
  }

  @Test
  void quickRunOnGeneratedDataMeasuresEveryPart() throws Exception {
    GeneratedData data = new GeneratedData(folder);
    for (String name : Corpora.NEARDUP) {
      data.numbered(name, 250);
    }
    for (String name : Corpora.OTHERS) {
      data.named(name, 150);
    }
    Report r = run("--quick", "--data", folder.toString());
    // every pair that the test itself found by comparing all with all
    assertEquals(1, value(r, "min_recall_ge90"));
    assertEquals(1, value(r, "precision"));
    for (String name : Corpora.NEARDUP) {
      assertEquals(1, value(r, name + ".normalizer.precision"), name);
      assertEquals(1, value(r, name + ".blanks.recall_ge90"), name);
      assertTrue(value(r, name + ".blanks.recall_80_90") > 0.8, name);
    }
    for (String name : Corpora.OTHERS) {
      assertEquals(1, value(r, name + ".alnum.recall_ge90"), name);
    }
    assertEquals(1, value(r, "stream.planted_recall"));
    assertEquals(144, value(r, "stream.lsh_bytes_per_doc"), 2);
    for (String rate :
        List.of(
            "signature_docs_per_s",
            "mdver-en.folder_docs_per_s",
            "debdesc.hash4j_sets_per_s",
            "vs_java_lsh",
            "hot_bucket_s",
            "rescore100_us",
            "simhash.tokens12.caught_by_j1")) {
      assertTrue(value(r, rate) > 0, rate);
    }
  }

  @Test
  void partsCorporaAndFoldersThatAreNotThereAreRefused() throws Exception {
    String data = folder.toString();
    assertThrows(IllegalArgumentException.class, () -> run("--quick", "--data", data)); // is empty
    new GeneratedData(folder).numbered("spdx", 20);
    assertThrows(
        IllegalArgumentException.class, () -> run("--data", data, "--corpora", "mdver-en"));
    assertThrows(IllegalArgumentException.class, () -> run("--data", data, "--part", "thruth"));
    assertThrows(IllegalArgumentException.class, () -> run("--data", data, "--fast", "1"));
    Report r = run("--data", data, "--part", "truth");
    assertEquals(1, value(r, "spdx.blanks.precision"));
    assertTrue(r.value("dedup.hot_bucket_s").isEmpty());
  }
}
