package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.ProgressListener;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.testing.Vectors;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an index says that it takes on the heap, against the heap. */
class MemoryUseTest {
  private static final int N = 20_000;

  @TempDir Path folder;

  private static long used() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  @ParameterizedTest
  @CsvSource({"8, '', 1", "16, files/some/where/number#, 1", "16, 同じ点, 5", "32, '', 1"})
  void theHeapIsWhatItIsSaidToBe(int m, String prefix, int sharing) {
    HnswConfig config = Given.config(8, Similarity.EUCLIDEAN).m(m).efConstruction(20).build();
    List<float[]> vectors = Vectors.units(N / sharing, 8).generate(Given.random(1));
    Path directory = folder.resolve("index");
    long before = used();
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      List<VectorEntry> entries = new ArrayList<>();
      for (int i = 0; i < N; i++) {
        entries.add(new VectorEntry(prefix + i, vectors.get(i / sharing)));
      }
      index.upsertAll(entries, ProgressListener.NONE);
      entries.clear();
      index.commit();
      requireNear(used() - before, index.memory().heapBytes(), "built");
    }
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      requireNear(used() - before, index.memory().heapBytes(), "opened");
      index.compact();
      requireNear(used() - before, index.memory().heapBytes(), "compacted");
      assertEquals(N, index.size());
    }
  }

  private static void requireNear(long measured, long said, String when) {
    assertTrue(
        said > 0.75 * measured && said < 1.25 * measured,
        () -> when + ": measured " + measured + " bytes, said " + said);
  }
}
