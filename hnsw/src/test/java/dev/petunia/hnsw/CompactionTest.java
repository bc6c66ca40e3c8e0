package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.COSINE;
import static dev.petunia.hnsw.Given.id;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.IdFilter;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.SearchResult;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Vectors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compaction: nothing is lost, no gap is left. */
class CompactionTest {
  private static final List<float[]> VECTORS =
      Vectors.clustered(3_000, 24, 30, 0.5).generate(Given.random(1));

  @TempDir Path folder;

  private static HnswConfig config(Quantization kind) {
    return Given.config(24, COSINE).m(8).quantization(kind).codesFrom(100).build();
  }

  private static long bytes(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(f -> f.toFile().length()).sum();
    }
  }

  @ParameterizedTest
  @EnumSource(Quantization.class)
  void compactionLosesNothingAndLeavesNoGaps(Quantization kind) throws IOException {
    Path directory = folder.resolve("index");
    List<SearchResult> before = new ArrayList<>();
    try (HnswIndex index = HnswIndex.open(directory, config(kind))) {
      Given.fill(index, VECTORS);
      index.commit();
      for (int i = 0; i < 3_000; i += 2) {
        index.delete(id(i));
      }
      index.upsert("twin", VECTORS.get(7));
      index.commit();
      long full = bytes(directory);
      for (int q = 0; q < 50; q++) {
        before.add(index.search(VectorQuery.builder(VECTORS.get(q)).ef(200).build()));
      }
      index.compact();
      index.verify();
      assertEquals(1_500, index.state().table.nodeLimit());
      index.commit(); // the commit before the compaction is let go of
      assertTrue(bytes(directory) < 0.7 * full, () -> "from " + full);
      check(index, before);
    }
    try (HnswIndex index = HnswIndex.open(directory, config(kind))) {
      index.verify();
      assertEquals(1_501, index.size());
      check(index, before);
      index.upsert(id(0), VECTORS.get(0));
      index.commit();
      index.verify();
    }
  }

  private static void check(HnswIndex index, List<SearchResult> before) {
    double recall = 0;
    for (int q = 0; q < before.size(); q++) {
      VectorQuery query = VectorQuery.builder(VECTORS.get(q)).ef(200).build();
      recall += Given.recall(before.get(q), index.search(query)) / before.size();
    }
    double r = recall;
    assertTrue(r >= 0.99, () -> "the same answers, but for " + (1 - r));
    for (int i = 1; i < 3_000; i += 2) {
      assertArrayEquals(VECTORS.get(i), index.vector(id(i)), 1e-6f);
    }
    assertArrayEquals(VECTORS.get(7), index.vector("twin"), 1e-6f);
  }

  @Test
  void aDirectoryCompactedBeforeItsFirstCommitOpens() {
    Path directory = folder.resolve("index");
    try (HnswIndex index = HnswIndex.open(directory, config(Quantization.BITS2))) {
      index.compact(); // empty
      Given.fill(index, VECTORS.subList(0, 200));
      index.compact();
      assertEquals(2, index.generation());
    }
    try (HnswIndex index = HnswIndex.open(directory, config(Quantization.BITS2))) {
      assertEquals(200, index.size());
      index.verify();
    }
  }

  @Test
  void compactionInMemoryLosesNothing() {
    try (HnswIndex index = HnswIndex.inMemory(config(Quantization.BITS2))) {
      Given.fill(index, VECTORS);
      IdFilter filter = index.prepare(IdFilter.where(id -> id.endsWith("1")));
      for (int i = 0; i < 3_000; i += 2) {
        index.delete(id(i));
      }
      index.compact();
      index.verify();
      assertEquals(1_500, index.state().table.nodeLimit());
      assertEquals(1_500, index.size());
      VectorQuery query = VectorQuery.builder(VECTORS.get(1)).accept(filter).build();
      SearchResult found = index.search(query); // prepared before, works after
      assertEquals(id(1), found.hits().getFirst().id());
      assertTrue(Given.ids(found).stream().allMatch(id -> id.endsWith("1")));
      assertEquals(0, found.trace().filterEvaluations());
    }
  }

  @Test
  void twoCompactionsOfTheSameContentGiveTheSameBytes() throws IOException {
    List<byte[]> first = new ArrayList<>();
    for (int round = 0; round < 2; round++) {
      Path directory = folder.resolve("round-" + round);
      try (HnswIndex index = HnswIndex.open(directory, config(Quantization.BITS2))) {
        Given.fill(index, VECTORS);
        index.commit();
        index.delete(id(5));
        index.compact();
      }
      try (Stream<Path> files = Files.list(directory)) {
        List<Path> sorted = files.sorted().toList();
        for (int i = 0; i < sorted.size(); i++) {
          byte[] all = Files.readAllBytes(sorted.get(i));
          if (round == 0) {
            first.add(all);
          } else {
            assertArrayEquals(first.get(i), all, sorted.get(i).toString());
          }
        }
      }
    }
  }

  @Test
  void aReaderOpenedBeforeKeepsItsCommit() {
    Path directory = folder.resolve("index");
    HnswConfig config = config(Quantization.BITS2);
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      Given.fill(index, VECTORS);
      index.commit();
      try (HnswIndex reader = HnswIndex.openReadOnly(directory, config)) {
        for (int i = 0; i < 2_000; i++) {
          index.delete(id(i));
        }
        index.compact();
        Given.fill(index, VECTORS.subList(0, 100));
        index.compact();
        index.commit();
        assertEquals(3_000, reader.size());
        for (int i = 0; i < 3_000; i += 17) {
          assertEquals(id(i), Given.top(reader, VECTORS.get(i)));
        }
      }
    }
  }

  @Test
  void verifyTellsItsStagesAndCanBeCancelled() {
    try (HnswIndex index = HnswIndex.open(folder.resolve("index"), config(Quantization.BITS2))) {
      Given.fill(index, VECTORS);
      index.commit();
      List<String> stages = new ArrayList<>();
      ProgressListener all =
          (stage, done, total) -> {
            if (!stages.contains(stage)) {
              stages.add(stage);
            }
            return true;
          };
      index.verify(all);
      assertEquals(List.of("files", "vectors", "codes", "structure"), stages);
      Assertions.assertThrows(
          CancellationException.class,
          () -> index.verify((stage, done, total) -> !stage.equals("vectors")));
    }
  }

  @Test
  void memoryIsWhatThePartsTake() {
    Path directory = folder.resolve("index");
    HnswConfig config = config(Quantization.BITS2);
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      Given.fill(index, VECTORS);
      MemoryUse before = index.memory();
      assertEquals(0, before.mappedBytes());
      assertTrue(before.offHeapBytes() >= 3_000L * (24 * 4 + 32));
      index.commit();
      MemoryUse after = index.memory();
      // 2 of 3 pages of 1,024 are full
      assertEquals(2_048L * (24 * 4 + 32), after.mappedBytes());
      assertEquals(before.offHeapBytes(), after.offHeapBytes() + after.mappedBytes());
      assertTrue(after.diskBytes() > 3_000L * 4 * 8, after::toString);
      assertEquals(before.heapBytes(), after.heapBytes());
      assertTrue(after.heapBytes() > 3_000L * 150 && after.heapBytes() < 3_000L * 400);
      assertEquals(
          after.total(),
          after.heapBytes() + after.offHeapBytes() + after.mappedBytes() + after.diskBytes());
    }
  }
}
