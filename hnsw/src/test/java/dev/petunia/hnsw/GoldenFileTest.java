package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.EUCLIDEAN;
import static dev.petunia.hnsw.Given.ids;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.petunia.core.VectorQuery;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Opens a directory that an earlier build wrote: what format version 1 holds must stay readable.
 * The sample is in {@code src/test/resources/format-1} and never written anew; {@link #write} is
 * how it was made.
 */
class GoldenFileTest {
  private static final List<String> SNAPSHOTS =
      List.of("vectors-0000000001.pv", "vectors-0000000002.pv", "commit");

  private static final List<String> FILES =
      List.of("vectors-0000000001.pv", "graph-0000000002.pv", "commit");

  private static final List<String> CODED_FILES =
      List.of("vectors-0000000001.pv", "codes-0000000002.pv", "graph-0000000003.pv", "commit");

  @TempDir Path folder;

  private static HnswConfig config() {
    return Given.config(3, EUCLIDEAN).m(3).efConstruction(20).seed(7).build();
  }

  /** The corners of a grid; number i has the id "p" + i, and every tenth one a second id. */
  private static float[] point(int i) {
    return Given.v(i % 5, i / 5 % 4, -(i / 20));
  }

  private static HnswConfig coded() {
    return config().toBuilder().quantization(Quantization.BITS2).codesFrom(2).build();
  }

  /** Writes the sample: commit 1 is the whole grid, commit 2 has lost its first layer. */
  static void write(Path directory, HnswConfig config) {
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      for (int i = 0; i < 60; i++) {
        index.add("p" + i, point(i));
        if (i % 10 == 0) {
          index.add("同じ点 " + i + " 🐳", point(i));
        }
      }
      index.commit();
      for (int i = 0; i < 20; i++) {
        index.delete("p" + i);
      }
      index.commit();
    }
  }

  private void copySample() throws IOException {
    copySample("/format-1/", SNAPSHOTS);
  }

  private void copySample(String version, List<String> names) throws IOException {
    for (String name : names) {
      try (InputStream in = GoldenFileTest.class.getResourceAsStream(version + name)) {
        if (in == null) {
          throw new AssertionError(version + name + " is missing");
        }
        Files.copy(in, folder.resolve(name));
      }
    }
  }

  @Test
  void aDirectoryOfFormatVersion1OpensWithAllItsAnswers() throws IOException {
    copySample();
    try (HnswIndex index = HnswIndex.openReadOnly(folder, config())) {
      index.verify();
      assertEquals(2, index.generation());
      assertEquals(46, index.size());
      for (int i = 0; i < 60; i++) {
        assertArrayEquals(i < 20 ? null : point(i), index.vector("p" + i));
      }
      assertArrayEquals(point(10), index.vector("同じ点 10 🐳"));
      assertEquals(
          List.of("p30", "同じ点 30 🐳", "p25", "p31", "p35", "p50", "同じ点 10 🐳", "同じ点 50 🐳"),
          ids(index.search(VectorQuery.builder(point(30)).limit(8).build())));
      assertEquals(
          List.of(0f, 0f, 1f, 1f, 1f, 1f, 1f, 1f),
          Given.distances(index.search(VectorQuery.builder(point(30)).limit(8).build())));
    }
    try (HnswIndex index = HnswIndex.openReadOnly(folder, config(), 1)) {
      index.verify();
      assertEquals(66, index.size());
      assertEquals("p0", Given.top(index, point(0)));
    }
  }

  @Test
  void aDirectoryOfFormatVersion1CanBeWrittenOn() throws IOException {
    copySample();
    try (HnswIndex index = HnswIndex.open(folder, config())) {
      index.add("new", Given.v(0.5, 0.5, 0.5));
      index.delete("p30");
      assertEquals(3, index.commit());
      index.verify();
    }
    try (HnswIndex index = HnswIndex.open(folder, config())) {
      assertEquals(46, index.size());
      assertEquals("new", Given.top(index, Given.v(0.5, 0.5, 0.5)));
      index.verify();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDirectoryOfFormatVersion2OpensWithAllItsAnswers(boolean isCoded) throws IOException {
    HnswConfig config = isCoded ? coded() : config();
    copySample(isCoded ? "/format-2-codes/" : "/format-2/", isCoded ? CODED_FILES : FILES);
    try (HnswIndex index = HnswIndex.openReadOnly(folder, config)) {
      index.verify();
      assertEquals(2, index.generation());
      assertEquals(46, index.size());
      for (int i = 0; i < 60; i++) {
        assertArrayEquals(i < 20 ? null : point(i), index.vector("p" + i));
      }
      assertEquals(
          List.of("p30", "同じ点 30 🐳", "p25", "p31", "p35", "p50", "同じ点 10 🐳", "同じ点 50 🐳"),
          ids(index.search(VectorQuery.builder(point(30)).limit(8).build())));
    }
    try (HnswIndex index = HnswIndex.openReadOnly(folder, config, 1)) {
      index.verify();
      assertEquals(66, index.size());
      assertEquals("p0", Given.top(index, point(0)));
    }
    try (HnswIndex index = HnswIndex.open(folder, config)) {
      index.add("new", Given.v(0.5, 0.5, 0.5));
      assertEquals(3, index.commit());
      index.compact();
      index.verify();
    }
    try (HnswIndex index = HnswIndex.open(folder, config)) {
      assertEquals(47, index.size());
      assertEquals("new", Given.top(index, Given.v(0.5, 0.5, 0.5)));
      index.verify();
    }
  }
}
