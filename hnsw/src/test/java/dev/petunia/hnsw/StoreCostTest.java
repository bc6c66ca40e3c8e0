package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.COSINE;
import static dev.petunia.hnsw.Given.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.ProgressListener;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.testing.Vectors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How much a commit writes, an opening reads, and files grow. */
class StoreCostTest {
  private static final int N = 20_000;

  @TempDir Path folder;

  private final FaultyFileSystem disk = new FaultyFileSystem();
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong read = new AtomicLong();

  /** A path at which bytes are counted. */
  private Path counted(Path path) {
    disk.set(
        new FaultyFileSystem.Faults() {
          @Override
          public void before(String operation, Path file) {}

          @Override
          public void after(FaultyFileSystem.Change change) {
            written.addAndGet(change.bytes().length);
          }

          @Override
          public void read(Path file, int bytes) {
            read.addAndGet(bytes);
          }
        });
    return disk.wrap(path);
  }

  private static long size(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(f -> f.toFile().length()).sum();
    }
  }

  private static HnswConfig config(Quantization kind) {
    return Given.config(24, COSINE).m(6).efConstruction(20).quantization(kind).build();
  }

  @ParameterizedTest
  @EnumSource(
      value = Quantization.class,
      names = {"NONE", "BITS2"})
  void aSmallCommitWritesLittleAndAnOpeningReadsWhatLives(Quantization kind) throws IOException {
    Path directory = folder.resolve("index");
    List<float[]> vectors = Vectors.units(N + 10, 24).generate(Given.random(9));
    try (HnswIndex index = HnswIndex.open(counted(directory), config(kind))) {
      Given.fill(index, vectors.subList(0, N));
      index.commit();
      long full = written.getAndSet(0);
      assertTrue(full >= size(directory));
      for (int i = 0; i < 10; i++) {
        index.upsert(id(i * 1_999), vectors.get(N + i));
      }
      index.commit();
      long small = written.getAndSet(0);
      assertTrue(small > 0 && small < full / 100, small + " bytes for 10 changes of " + full);

      index.commit(); // of nothing
      long nothing = written.getAndSet(0);
      assertTrue(nothing < 300, nothing + " bytes for no change");
    }

    // what has been written is read, once
    read.set(0);
    HnswIndex.open(counted(directory), config(kind)).close();
    long before = read.getAndSet(0);
    assertTrue(before <= size(directory), before + " of " + size(directory));

    try (HnswIndex index = HnswIndex.open(counted(directory), config(kind))) {
      for (int i = 0; i < N - 1_000; i++) {
        index.delete(id(i));
      }
      index.compact();
      index.commit();
    }
    read.set(0);
    try (HnswIndex index = HnswIndex.open(counted(directory), config(kind))) {
      assertEquals(1_000, index.size());
      long after = read.get();
      // a twentieth lives
      assertTrue(after < before / 15, after + " bytes for a twentieth of " + before);
      index.verify();
    }
    assertTrue(size(directory) < before / 15, size(directory) + " on disk");
  }

  @ParameterizedTest
  @EnumSource(
      value = Quantization.class,
      names = {"NONE", "BITS2"})
  void oneIdUpsertedAHundredThousandTimesDoesNotGrowTheFiles(Quantization kind) throws IOException {
    Path directory = folder.resolve("index");
    HnswConfig config =
        Given.config(8, COSINE).m(4).efConstruction(10).quantization(kind).codesFrom(2).build();
    List<float[]> vectors = Vectors.units(1_000, 8).generate(Given.random(3));
    long most = 0;
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      index.add("other", vectors.get(0));
      for (int i = 0; i < 100_000; i++) {
        index.upsert("one", vectors.get(i % 999 + 1));
        if (i % 500 == 0) {
          index.commit();
          most = Math.max(most, size(directory));
        }
      }
      index.commit();
      index.verify();
      assertEquals(2, index.size());
    }
    // 1,024 empty slots and the 500 of a commit, a log of a megabyte, and both twice: the last two
    // commits are kept
    long bytes = most;
    assertTrue(bytes < 3_000_000, () -> bytes + " bytes");
  }

  @Test
  void theLogOfAnIndexThatIsOpenedForEachCommitStaysBounded() throws IOException {
    Path directory = folder.resolve("index");
    HnswConfig config = Given.config(2, COSINE).m(2).build();
    String large = "x".repeat(300);
    long most = 0;
    for (int opening = 0; opening < 40; opening++) {
      try (HnswIndex index = HnswIndex.open(directory, config)) {
        List<VectorEntry> entries = new ArrayList<>();
        for (int i = 0; i < 500; i++) { // a frame of 150 kB, with one node
          entries.add(new VectorEntry(large + i, Given.v(1, opening % 2)));
        }
        index.upsertAll(entries, ProgressListener.NONE);
        index.commit();
        most = Math.max(most, size(directory));
      }
    }
    // a log grows to a megabyte and three times its first frame, and the one before is kept
    long bytes = most;
    assertTrue(bytes < 2 * (1_100_000 + 4 * 160_000), () -> bytes + " bytes");
  }
}
