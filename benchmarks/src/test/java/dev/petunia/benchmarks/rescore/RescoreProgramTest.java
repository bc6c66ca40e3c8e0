package dev.petunia.benchmarks.rescore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.benchmarks.Options;
import dev.petunia.benchmarks.Report;
import dev.petunia.dedup.RescoreCandidate;
import dev.petunia.dedup.Shingler;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RescoreProgramTest {
  @TempDir Path folder;

  private Report run(String... arguments) throws Exception {
    Report report = new Report("rescore");
    new RescoreProgram(model -> new WordDirections())
        .run(Options.parse(List.of(arguments), Set.of("quick")), report);
    return report;
  }

  private static double value(Report report, String name) {
    return report.value(name).orElseThrow(() -> new AssertionError(name));
  }

  @Test
  void onGeneratedDocumentsAllFiguresAreThereAndFitTogether() throws Exception {
    Report r = run("--quick", "--queries", "40", "--cache", folder.toString());
    double rrf = value(r, "rescore.rrf.success1");
    for (String c : List.of("j", "jc", "tuned.j", "tuned.jc")) {
      double delta = value(r, "rescore." + c + ".success1.delta");
      assertEquals((value(r, "rescore." + c + ".success1") - rrf) / 150, delta, 1e-12, c);
      assertTrue(value(r, "rescore." + c + ".success1.delta_low") <= delta, c);
      assertTrue(value(r, "rescore." + c + ".mrr") <= 1, c);
      double worst = value(r, "rescore." + c + ".ordinary_recall10.delta");
      assertEquals(
          Math.min(
              value(r, "rescore.ordinary.headings." + c + ".recall10.delta"),
              value(r, "rescore.ordinary.headings-cut." + c + ".recall10.delta")),
          worst,
          c);
    }
    // the thirty whole chunks, 5 % of their words altered at most, are above the tier's border
    double fired = value(r, "rescore.tier.fired");
    assertTrue(fired >= 20 && value(r, "rescore.tier.right") <= fired, () -> "fired " + fired);
    assertTrue(value(r, "rescore.splade.headings.gain") >= 0);
  }

  @Test
  void setsWithoutDataAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> run("--quick", "--sets", "scifact"));
  }

  @Test
  void contendersOrderTheSameCandidatesEachByItsRule() {
    String text = "one two three four five six seven eight nine ten eleven twelve";
    String other = "a b c d e f g h i j k l m n o p q r s t u v w x y z";
    Asked asked =
        new Asked(
            text,
            Shingler.v1().shingles(text),
            Map.of("copy", 1),
            List.of(
                new RescoreCandidate("first", 0.03, Shingler.v1().shingles(other)),
                new RescoreCandidate("copy", 0.01, Shingler.v1().shingles(text + " thirteen"))),
            new LexicalOracle(0, 0, 0),
            false);
    assertEquals(List.of("first", "copy"), Contender.RRF.order(asked));
    assertEquals(List.of("copy", "first"), Contender.J.order(asked));
    assertEquals(List.of("copy"), Tables.near(asked));
    Outcome rrf = Outcome.of(Contender.RRF, List.of(asked));
    Outcome j = Outcome.of(Contender.J, List.of(asked));
    assertEquals(0.5, rrf.mrr());
    assertEquals(1, j.mrr());
    assertEquals(1, j.gained(rrf));
    assertEquals(0, rrf.gained(j));
  }

  @Test
  void onlyTheLastSnapshotIsTheCorpus() throws Exception {
    Path file = folder.resolve("docs.jsonl.gz");
    try (Writer w =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8)) {
      w.write("{\"id\":\"0123abcd@00/a/b.md#0\",\"text\":\"old\"}\n");
      w.write("{\"id\":\"0123abcd@00/gone.md#0\",\"text\":\"gone\"}\n");
      w.write("{\"id\":\"4567cdef@01/a/b.md#0\",\"text\":\"new\"}\n");
      w.write("{\"id\":\"4567cdef@01/a/b.md#1\",\"text\":\"more\"}\n");
    }
    Corpus corpus = Corpus.lastSnapshot("docs", file);
    assertEquals(
        List.of("a/b.md#0 new", "a/b.md#1 more"),
        corpus.chunks().stream().map(c -> c.id() + " " + c.text()).toList());
    assertEquals(1, corpus.chunks().get(1).ordinal());
  }
}
