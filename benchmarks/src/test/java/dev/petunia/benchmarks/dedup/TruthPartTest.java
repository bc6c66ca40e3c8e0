package dev.petunia.benchmarks.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.benchmarks.Report;
import dev.petunia.benchmarks.dedup.GeneratedData.Near;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the part says of truth files that are right, and of such with one wrong line. */
class TruthPartTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @TempDir Path folder;

  private Report check(String name) throws IOException {
    Report report = new Report("dedup");
    Corpora corpora = new Corpora(Optional.of(folder), true);
    printed.reset();
    try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      new TruthPart()
          .run(new DedupContext(corpora, List.of(name), report, out, folder.resolve("no"), true));
    }
    return report;
  }

  private void assertPrinted(String text) {
    String all = printed.toString(StandardCharsets.UTF_8);
    assertTrue(all.contains(text), () -> "<" + text + "> is not in\n" + all);
  }

  /** One line is missing, has another number, or is there for a pair that is none. */
  private static List<List<Near>> wrong(List<Near> right) {
    Near p = right.getFirst();
    List<Near> missing = right.subList(1, right.size());
    List<Near> another = new ArrayList<>(missing);
    another.add(new Near(p.a(), p.b(), p.shared(), p.sizeA() + 1, p.sizeB()));
    List<Near> more = new ArrayList<>(right);
    assertTrue(right.stream().noneMatch(x -> x.a() == 0 && x.b() == 59), "0 and 59 are a pair");
    more.add(new Near(0, 59, 9, 10, 9));
    return List.of(missing, another, more);
  }

  private static final List<String> SAYS =
      List.of(
          "1 pairs only here, 0 only there, 0 with another overlap",
          "0 pairs only here, 0 only there, 1 with another overlap",
          "0 pairs only here, 1 only there, 0 with another overlap");

  private static void write(Path file, List<Near> pairs) throws IOException {
    GeneratedData.zipped(file, pairs.stream().map(Near::line).toList());
  }

  @Test
  void rightFilesGiveRecallAndPrecisionOfOne() throws IOException {
    List<Near> pairs = new GeneratedData(folder).numbered("spdx", 120);
    assertTrue(pairs.size() > 20, () -> "pairs " + pairs.size());
    Report report = check("spdx");
    for (String metric :
        List.of(
            "spdx.normalizer.recall_ge90",
            "spdx.blanks.recall_ge90",
            "spdx.blanks.recall_ge90_not_identical",
            "spdx.blanks.precision",
            "min_recall_ge90",
            "precision")) {
      assertEquals(1, report.value("dedup." + metric).orElseThrow(), metric);
    }
    for (String file : List.of("spdx.truth.tsv.gz", "spdx.truth-ws.tsv.gz")) {
      assertPrinted(file + ": 0 pairs only here, 0 only there, 0 with another overlap");
    }
  }

  @Test
  void wrongLineAboutWordsBetweenBlanksIsAnError() throws IOException {
    GeneratedData data = new GeneratedData(folder);
    List<List<Near>> wrong = wrong(data.numbered("spdx", 60));
    for (int i = 0; i < wrong.size(); i++) {
      write(data.truthAtBlanks("spdx"), wrong.get(i));
      Exception e = assertThrows(IllegalStateException.class, () -> check("spdx"));
      assertTrue(e.getMessage().contains("spdx.truth-ws.tsv.gz"), e.getMessage());
      assertPrinted(SAYS.get(i));
    }
  }

  /** Those files are another normalizer's, so what differs is told and not refused. */
  @Test
  void wrongLineAboutNormalizedWordsIsToldWithItsReason() throws IOException {
    GeneratedData data = new GeneratedData(folder);
    data.numbered("spdx", 60);
    List<List<Near>> wrong = wrong(data.normalized("spdx", 60));
    for (int i = 0; i < wrong.size(); i++) {
      write(data.truth("spdx"), wrong.get(i));
      assertEquals(1, check("spdx").value("dedup.precision").orElseThrow());
      assertPrinted(SAYS.get(i));
      assertPrinted(", 1 with none of these");
    }
  }

  @Test
  void pairsByIdsAreCountedAsTheyAgree() throws IOException {
    GeneratedData data = new GeneratedData(folder);
    List<Near> pairs = data.named("mtrag", 100);
    int all = pairs.size();
    long edges = pairs.stream().filter(p -> p.jaccard() >= 0.9).count();
    check("mtrag");
    assertPrinted(all + " pairs " + all + " have this similarity; of its " + edges + " with");
    assertPrinted(edges + " have J >= .90 here too; here " + edges + " have; 0 with J >= .80 are");
    data.names("mtrag", pairs.subList(1, all));
    check("mtrag");
    assertPrinted((all - 1) + " pairs " + (all - 1) + " have this similarity");
    assertPrinted("have; 1 with J >= .80 are not in it");
    List<Near> other = new ArrayList<>(pairs.subList(1, all));
    Near p = pairs.getFirst();
    other.add(new Near(p.a(), p.b(), p.shared(), 2 * p.sizeA(), p.sizeB()));
    data.names("mtrag", other);
    check("mtrag");
    assertPrinted(all + " pairs " + (all - 1) + " have this similarity");
  }
}
