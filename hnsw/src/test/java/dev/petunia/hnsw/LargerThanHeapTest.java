package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.COSINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.ProgressListener;
import dev.petunia.core.VectorEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An index whose vectors are many times as large as the heap, built in steps and reopened. */
class LargerThanHeapTest {
  private static final int DIMENSION = 1024;

  @TempDir Path folder;

  /** 55,000 vectors, 225 MB, by {@code -Dpetunia.test.large=true}; else 18,000 of 74 MB. */
  @ParameterizedTest
  @EnumSource(
      value = Quantization.class,
      names = {"NONE", "BITS2"})
  void anIndexLargerThanTheHeapIsBuiltInStepsAndReopened(Quantization kind)
      throws IOException, InterruptedException {
    boolean large = Boolean.getBoolean("petunia.test.large");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + (large ? 64 : 32) + "m",
                "-XX:+UseSerialGC",
                "--add-modules",
                "jdk.incubator.vector",
                "-cp",
                System.getProperty("java.class.path"),
                LargerThanHeapTest.class.getName(),
                folder.resolve("index").toString(),
                String.valueOf(large ? 55_000 : 18_000),
                kind.name())
            .redirectErrorStream(true)
            .start();
    String said;
    try (var out = child.getInputStream()) {
      said = new String(out.readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      child.destroyForcibly();
    }
    assertEquals(0, child.waitFor(), said);
    assertTrue(said.contains("found all"), said);
  }

  /** Random, by the number; about 1 long. */
  private static float[] vector(int number) {
    float[] v = new float[DIMENSION];
    long x = number * 0x9E3779B97F4A7C15L + 1;
    for (int d = 0; d < DIMENSION; d++) {
      x ^= x << 13;
      x ^= x >>> 7;
      x ^= x << 17;
      v[d] = (x >> 40) / (float) (1 << 23);
    }
    // vectors of one number modulo 50 lie together: random ones are hard to find by a small beam
    v[number % 50] += 20;
    return v;
  }

  /** Runs in the child: directory, number of vectors, quantization. */
  public static void main(String[] arguments) {
    Path directory = Path.of(arguments[0]);
    int n = Integer.parseInt(arguments[1]);
    HnswConfig config =
        HnswConfig.builder(DIMENSION, COSINE)
            .m(8)
            .efConstruction(20)
            .quantization(Quantization.valueOf(arguments[2]))
            .build();
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      for (int from = 0; from < n; from += 1_000) {
        List<VectorEntry> entries = new ArrayList<>();
        for (int i = from; i < from + 1_000; i++) {
          entries.add(new VectorEntry(Given.id(i), vector(i)));
        }
        index.upsertAll(entries, ProgressListener.NONE);
        index.commit();
      }
      search(index, n);
      for (int i = 0; i < n; i += 3) {
        index.delete(Given.id(i));
      }
      index.compact();
    }
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      index.verify();
      MemoryUse memory = index.memory();
      long heap = Runtime.getRuntime().maxMemory();
      if (index.size() != n - (n + 2) / 3 || memory.mappedBytes() < heap + heap / 4) {
        throw new AssertionError(index.size() + " vectors, " + memory + ", heap " + heap);
      }
      search(index, n);
    }
    System.out.println("found all");
  }

  private static void search(HnswIndex index, int n) {
    for (int i = 1; i < n; i += 30) { // not among the deleted
      String found = Given.top(index, vector(i));
      if (!found.equals(Given.id(i))) {
        throw new AssertionError("instead of " + i + ": " + found);
      }
    }
  }
}
