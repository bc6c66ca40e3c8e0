package dev.petunia.benchmarks.ann;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SystemsTest {
  private static final int K = 10;
  private static final AnnSet SET = Generated.set(2000, 100, 33, 11);

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        Systems.PETUNIA,
        Systems.INT8,
        Systems.BITS2,
        Systems.BIT1,
        Systems.LUCENE,
        Systems.LUCENE_INT8,
        Systems.JVECTOR
      })
  void eachSystemOnTheJvmFindsAlmostAllOfTheNearest(String name) throws Exception {
    ExactTruth truth = ExactTruth.of(SET, K, 2);
    try (AnnSystem system = Systems.create(name, folder)) {
      for (int threads : new int[] {1, 2}) { // the second build replaces the first
        system.build(SET.base(), parameters(threads));
        Answers answers = answers(system, 100);
        answers.check(name, SET, truth);
        double recall = answers.recall(SET, truth);
        assertTrue(recall >= 0.97, name + ", " + threads + " threads: recall " + recall);
      }
    }
  }

  /** With so few components, four bytes or 33 bits of a vector say little: a wide beam makes up. */
  @ParameterizedTest
  @ValueSource(strings = {Systems.LUCENE_1BIT, Systems.JVECTOR_PQ, Systems.JVECTOR_BQ})
  void aWideBeamMakesUpForCoarseCodes(String name) throws Exception {
    ExactTruth truth = ExactTruth.of(SET, K, 2);
    try (AnnSystem system = Systems.create(name, folder)) {
      system.build(SET.base(), parameters(2));
      Answers answers = answers(system, 400);
      answers.check(name, SET, truth); // so the distances are exact, whatever the walk compared
      double recall = answers.recall(SET, truth);
      assertTrue(recall >= 0.9, name + ": recall " + recall);
      assertTrue(recall > answers(system, 10).recall(SET, truth) + 0.1, name);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Systems.PETUNIA, Systems.JVECTOR})
  void aSavedIndexAnswersAsTheBuiltOne(String name) throws Exception {
    Path saved = Files.createDirectories(folder.resolve("saved"));
    try (AnnSystem built = Systems.create(name, folder.resolve("a"));
        AnnSystem taken = Systems.create(name, folder.resolve("b"))) {
      built.build(SET.base(), parameters(2));
      built.save(saved);
      taken.restore(saved, SET.base(), parameters(2));
      assertArrayEquals(answers(built, 20).rows(), answers(taken, 20).rows());
    }
  }

  @Test
  void everyRowFindsItselfAndATwinCountsAsItself() throws Exception {
    float[][] base = SET.base().clone();
    base[7] = base[1500].clone(); // either of them may come first
    try (AnnSystem system = Systems.create(Systems.PETUNIA, folder)) {
      system.build(base, parameters(2));
      assertEquals(base.length, SelfSearch.found(system, base, K, 2));
      Collections.rotate(Arrays.asList(base), 1); // now each asks for the row before it
      assertEquals(0, SelfSearch.found(system, base, K, 2));
    }
  }

  /** The rows that pass: an eighth of all, three rows, and none. */
  private static RowFiles.Filters filters() {
    List<BitSet> passing = List.of(new BitSet(), new BitSet(), new BitSet());
    for (int row = 0; row < SET.base().length; row += 8) {
      passing.get(0).set(row);
    }
    passing.get(1).set(5);
    passing.get(1).set(700);
    passing.get(1).set(701);
    return new RowFiles.Filters(
        passing, IntStream.range(0, SET.queries().length).map(q -> q % 3).toArray());
  }

  @ParameterizedTest
  @ValueSource(strings = {Systems.PETUNIA, Systems.INT8, Systems.LUCENE, Systems.LUCENE_INT8})
  void underAFilterEachSystemAnswersWithTheNearestThatPass(String name) throws Exception {
    RowFiles.Filters filters = filters();
    ExactTruth truth = ExactTruth.among(SET, filters.passing(), filters.ofQuery(), K, 2);
    FilterCase filter = new FilterCase("f", "made up", filters, truth);
    try (AnnSystem system = Systems.create(name, folder)) {
      system.build(SET.base(), parameters(2));
      system.filters(filters.passing());
      for (AnnSystem.Form form : AnnSystem.Form.values()) {
        Answers answers =
            answers(
                (q, rows, distances) ->
                    system.search(
                        SET.queries()[q], filters.ofQuery()[q], form, 100, K, rows, distances));
        filter.check(name, SET, answers);
        double recall = answers.recall(SET, truth);
        assertTrue(recall >= 0.97, name + ", " + form + ": recall " + recall);
      }
    }
  }

  @Test
  void churnedRowsAreAwayOrElsewhereUntilTheyAreRestored() throws Exception {
    try (AnnSystem system = Systems.create(Systems.PETUNIA, folder)) {
      system.build(SET.base(), parameters(2));
      int[] before = answers(system, 400).rows();
      Churn churn = new Churn(system, SET.base(), IntStream.range(0, 1000).toArray());
      for (int i = 0; i < 3000; i++) {
        churn.change();
      }
      assertFalse(Arrays.equals(before, answers(system, 400).rows()));
      churn.restore();
      Answers after = answers(system, 400);
      ExactTruth truth = ExactTruth.of(SET, K, 2);
      after.check("restored", SET, truth);
      assertTrue(after.recall(SET, truth) >= 0.97);
    }
  }

  @Test
  void whatASystemIsNotAskedForItRefuses() throws Exception {
    try (AnnSystem system = Systems.create(Systems.LUCENE, folder)) {
      assertThrows(UnsupportedOperationException.class, () -> system.delete(1));
      assertThrows(UnsupportedOperationException.class, () -> system.save(folder));
      assertThrows(UnsupportedOperationException.class, system::footprint);
    }
  }

  private static AnnSystem.Parameters parameters(int threads) {
    return new AnnSystem.Parameters(SET.dimension(), 16, 100, threads);
  }

  private static Answers answers(AnnSystem system, int ef) throws Exception {
    return answers((q, rows, distances) -> system.search(SET.queries()[q], ef, K, rows, distances));
  }

  private static Answers answers(SearchRounds.Search search) throws Exception {
    int[] rows = new int[SET.queries().length * K];
    float[] distances = new float[rows.length];
    Arrays.fill(rows, -1);
    int[] row = new int[K];
    float[] distance = new float[K];
    for (int q = 0; q < SET.queries().length; q++) {
      int found = search.run(q, row, distance);
      System.arraycopy(row, 0, rows, q * K, found);
      System.arraycopy(distance, 0, distances, q * K, found);
    }
    return new Answers(K, rows, distances);
  }

  @Test
  void petuniaTellsTheBytesOfItsResultApart() throws Exception {
    try (AnnSystem system = Systems.create(Systems.PETUNIA, folder)) {
      system.build(SET.base(), parameters(2));
      Allocation a = system.allocation(SET.queries(), 50, K);
      assertTrue(a.result() > 0 && a.perQuery() >= a.result(), a.toString());
    }
  }

  @Test
  void hnswlibAnswersThroughThePipe() throws Exception {
    HnswlibCompiler.Result driver = HnswlibCompiler.compile(folder);
    Assumptions.assumeTrue(driver.program().isPresent(), driver.reason());
    try (SystemProcess hnswlib =
        SystemProcess.start(
            "hnswlib", List.of(driver.program().orElseThrow().toString()), folder.resolve("err"))) {
      recallThroughThePipe(hnswlib);
      IOException e = assertThrows(IOException.class, () -> hnswlib.allocation(10, K));
      assertTrue(String.valueOf(e.getMessage()).contains("unknown command"), e.getMessage());
    }
  }

  @Test
  void aChildJvmAnswersThroughThePipe() throws Exception {
    try (SystemProcess lucene =
        Systems.start(Systems.LUCENE, folder.resolve("lucene"), "256m", List.of())) {
      recallThroughThePipe(lucene);
      assertTrue(lucene.allocation(50, K).perQuery() > 0);
    }
  }

  @Test
  void aReopenedIndexAnswersAndSaysWhatItTakes() throws Exception {
    HnswlibCompiler.Result driver = HnswlibCompiler.compile(folder);
    Path queries = folder.resolve("queries.f32");
    VectorFiles.write(queries, SET.queries());
    for (String name : List.of(Systems.PETUNIA, Systems.HNSWLIB)) {
      if (name.equals(Systems.HNSWLIB) && driver.program().isEmpty()) {
        continue; // another test says so
      }
      Path saved = folder.resolve("saved-" + name);
      try (SystemProcess built = start(name, driver, name + "-built")) {
        recallThroughThePipe(built);
        built.save(saved);
      }
      try (SystemProcess reopened = start(name, driver, name + "-reopened")) {
        reopened.load(queries, 0, SET.dimension(), queries, SET.queries().length);
        SystemProcess.Used before = reopened.used();
        assertTrue(reopened.restore(saved, 16, 100, 2).seconds() > 0);
        assertEquals(20, reopened.first(100, K, 20).length);
        assertTrue(reopened.used().resident() > before.resident(), name);
        SystemProcess.Round round = reopened.search(100, K, 1);
        assertTrue(round.answers().recall(SET, ExactTruth.of(SET, K, 2)) >= 0.97);
        if (name.equals(Systems.PETUNIA)) {
          long vectors = 4L * SET.base().length * SET.dimension();
          assertTrue(reopened.footprint().sum() >= vectors, () -> "less than the vectors alone");
          assertTrue(reopened.work(100, K) > 100); // a beam of 100 looks at more than 100
        }
      }
    }
  }

  private SystemProcess start(String name, HnswlibCompiler.Result driver, String label)
      throws IOException {
    return name.equals(Systems.HNSWLIB)
        ? SystemProcess.start(
            name, List.of(driver.program().orElseThrow().toString()), folder.resolve(label))
        : Systems.start(name, folder.resolve(label), "256m", List.of());
  }

  @Test
  void searchesBesideAWriterAreAnsweredAndCounted() throws Exception {
    Path rows = folder.resolve("rows");
    RowFiles.write(rows, IntStream.range(0, 500).toArray());
    try (SystemProcess petunia =
        start(
            Systems.PETUNIA, new HnswlibCompiler.Result(Optional.empty(), "not needed"), "mixed")) {
      recallThroughThePipe(petunia);
      SystemProcess.Mixed mixed = petunia.mixed(100, K, 200, rows);
      assertTrue(mixed.writesPerSecond() > 0);
      BitSet untouched = new BitSet();
      untouched.set(500, SET.base().length);
      ExactTruth truth =
          ExactTruth.among(SET, List.of(untouched), new int[SET.queries().length], K, 2);
      double recall = MixedPart.recall(SET, mixed.round().answers(), untouched, truth);
      assertTrue(recall >= 0.95, "recall beside a writer " + recall);
      Answers after = petunia.search(100, K, 1).answers();
      after.check("petunia", SET, ExactTruth.of(SET, K, 2)); // all rows are back
      RowFiles.write(rows, IntStream.range(0, 1000).toArray());
      assertTrue(petunia.delete(rows).seconds() > 0);
      for (int row : petunia.search(100, K, 1).answers().rows()) {
        assertTrue(row >= 1000);
      }
    }
  }

  private void recallThroughThePipe(SystemProcess system) throws Exception {
    Path base = folder.resolve("base.f32");
    Path queries = folder.resolve("queries.f32");
    VectorFiles.write(base, SET.base());
    VectorFiles.write(queries, SET.queries());
    assertTrue(!system.info().isBlank());
    system.load(base, SET.base().length, SET.dimension(), queries, SET.queries().length);
    assertTrue(system.build(16, 100, 2).seconds() > 0);
    SystemProcess.Round round = system.search(100, K, 1);
    ExactTruth truth = ExactTruth.of(SET, K, 2);
    round.answers().check(system.name(), SET, truth);
    assertTrue(round.answers().recall(SET, truth) >= 0.97);
    assertTrue(round.qps() > 0 && round.cpuQps() > 0);
  }

  @Test
  void aChildThatFailsIsNamedWithWhatItSaid() throws Exception {
    try (SystemProcess lucene =
        Systems.start(Systems.LUCENE, folder.resolve("lucene"), "256m", List.of())) {
      IOException e = assertThrows(IOException.class, () -> lucene.search(10, K, 1));
      assertTrue(String.valueOf(e.getMessage()).startsWith("lucene answered"), e.getMessage());
      assertTrue(String.valueOf(e.getMessage()).contains("before load"), e.getMessage());
    }
    try (SystemProcess none =
        Systems.start(Systems.LUCENE, folder.resolve("lucene"), "1m", List.of())) {
      IOException e = assertThrows(IOException.class, none::info); // too small a heap to start
      assertTrue(String.valueOf(e.getMessage()).contains("Error occurred"), e.getMessage());
    }
  }

  @Test
  void aWorkerAnswersWrongCommandsAndGoesOn() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (AnnSystem system = Systems.create(Systems.JVECTOR, folder)) {
      new SystemWorker(system)
          .serve(
              new ByteArrayInputStream(
                  "nonsense\nsearch\tx\t1\t1\ninfo\nquit\ninfo\n".getBytes(StandardCharsets.UTF_8)),
              out);
    }
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertEquals(3, lines.size());
    assertTrue(lines.get(0).startsWith("error\t"));
    assertTrue(lines.get(1).startsWith("error\t"));
    assertTrue(lines.get(2).startsWith("ok\tJVector"));
  }

  @Test
  void luceneStartsFromAnEmptyFolderEachTime() throws Exception {
    Files.writeString(folder.resolve("left-behind"), "x");
    try (AnnSystem system = Systems.create(Systems.LUCENE, folder)) {
      system.build(SET.base(), parameters(1));
      assertTrue(Files.notExists(folder.resolve("left-behind")));
    }
  }
}
