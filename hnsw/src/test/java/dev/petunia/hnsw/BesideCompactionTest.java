package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.EUCLIDEAN;
import static dev.petunia.hnsw.Given.id;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.IdFilter;
import dev.petunia.core.SearchResult;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Threads;
import dev.petunia.core.testing.Vectors;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Searches, writers and readers beside commits and compactions. */
class BesideCompactionTest {
  private static final int N = 400;
  private static final List<float[]> VECTORS =
      Vectors.clustered(N, 24, 10, 0.5).generate(Given.random(1));

  @TempDir Path folder;

  private static HnswConfig config(Quantization kind) {
    return Given.config(24, EUCLIDEAN).m(8).quantization(kind).codesFrom(2).build();
  }

  private HnswIndex index(boolean onDisk, Quantization kind) {
    return onDisk
        ? HnswIndex.open(folder.resolve("index"), config(kind))
        : HnswIndex.inMemory(config(kind));
  }

  @ParameterizedTest(name = "on disk {0}, {1}, {2} rounds")
  @CsvSource({"false, NONE, 400", "false, BITS2, 400", "true, NONE, 100", "true, BITS2, 100"})
  void searchesBesideCompactionsMissNothing(boolean onDisk, Quantization kind, int rounds)
      throws InterruptedException {
    try (HnswIndex index = index(onDisk, kind)) {
      Given.fill(index, VECTORS);
      IdFilter odd = index.prepare(IdFilter.where(id -> (id.charAt(4) - '0') % 2 == 1));
      AtomicBoolean stop = new AtomicBoolean();
      AtomicInteger searches = new AtomicInteger();
      Threads.run(
          3,
          thread -> {
            try {
              for (int round = 0; thread == 0 && round < rounds; round++) {
                SplittableRandom random = Given.random(round);
                for (int i = 0; i < 20; i++) {
                  int even = 2 * random.nextInt(N / 2);
                  if (random.nextBoolean()) {
                    index.delete(id(even));
                  } else {
                    index.upsert(id(even), VECTORS.get(random.nextInt(N)));
                  }
                }
                index.compact();
              }
            } finally {
              stop.set(stop.get() || thread == 0);
            }
            for (int i = 1; !stop.get(); i = (i + 2) % N | 1) {
              boolean filtered = thread == 2;
              VectorQuery.Builder query = VectorQuery.builder(VECTORS.get(i)).limit(10);
              SearchResult found =
                  index.search(filtered ? query.accept(odd).build() : query.build());
              // an even id may have the same vector
              String id = id(i);
              assertTrue(
                  found.hits().stream().anyMatch(hit -> hit.id().equals(id) && hit.distance() == 0),
                  () -> id + " is missing in " + found.hits());
              assertEquals(10, found.hits().size());
              assertTrue(index.contains(id));
              assertArrayEquals(VECTORS.get(i), index.vector(id));
              searches.incrementAndGet();
            }
          });
      index.verify();
      assertTrue(searches.get() > 50, searches + " searches");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Quantization.class,
      names = {"NONE", "INT8"})
  void writersBesideCompactionsLoseNothing(Quantization kind) throws InterruptedException {
    try (HnswIndex index = index(true, kind)) {
      AtomicInteger writing = new AtomicInteger(2);
      Threads.run(
          3,
          thread -> {
            if (thread == 2) {
              for (int i = 0; writing.get() > 0; i++) {
                if (i % 3 == 0) {
                  index.commit();
                } else {
                  index.compact();
                }
              }
              return;
            }
            try {
              SplittableRandom random = Given.random(thread);
              for (int i = 0; i < 6_000; i++) {
                int mine = 2 * random.nextInt(N / 2) + thread;
                index.upsert(id(mine), VECTORS.get(random.nextInt(N)));
                if (random.nextInt(3) == 0) {
                  index.delete(id(mine));
                }
              }
              for (int i = thread; i < N; i += 2) {
                index.upsert(id(i), VECTORS.get(i));
              }
            } finally {
              writing.decrementAndGet();
            }
          });
      index.verify();
      index.commit();
    }
    try (HnswIndex index = index(true, kind)) {
      index.verify();
      assertEquals(N, index.size());
      for (int i = 0; i < N; i++) {
        assertArrayEquals(VECTORS.get(i), index.vector(id(i)));
        assertEquals(id(i), Given.top(index, VECTORS.get(i)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Quantization.class,
      names = {"NONE", "BITS2"})
  void readersThatOpenBesideCommitsAndCompactionsGetOneCommitWhole(Quantization kind)
      throws InterruptedException {
    Path directory = folder.resolve("index");
    HnswConfig config = Contents.config(kind);
    Map<Long, Long> prints = new ConcurrentHashMap<>();
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger opened = new AtomicInteger();
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      Contents.change(index, 0);
      prints.put(1L, Contents.fingerprint(index));
      index.commit();
      Threads.run(
          3,
          thread -> {
            if (thread == 0) {
              try {
                for (int round = 1; round <= 300; round++) {
                  Contents.change(index, round);
                  prints.put(index.generation() + 1, Contents.fingerprint(index));
                  if (round % 3 == 0) {
                    index.commit();
                  } else {
                    index.compact(); // which removes the files of the commit before the last one
                  }
                }
              } finally {
                stop.set(true);
              }
              return;
            }
            long last = 0;
            while (!stop.get()) {
              try (HnswIndex reader = HnswIndex.openReadOnly(directory, config)) {
                assertTrue(reader.generation() >= last);
                last = reader.generation();
                assertEquals(
                    Objects.requireNonNull(prints.get(last)), Contents.fingerprint(reader));
                reader.verify();
                opened.incrementAndGet();
              }
            }
          });
    }
    assertTrue(opened.get() > 20, opened + " openings");
  }

  @Test
  void aReaderThatIsSlowToReadAFileGetsItsCommitThoughItsFilesLoseTheirNames() {
    Path directory = folder.resolve("index");
    HnswConfig config = Contents.config(Quantization.BITS2);
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      Contents.change(index, 1);
      index.commit();
      long print = Contents.fingerprint(index);
      FaultyFileSystem disk = new FaultyFileSystem();
      disk.set(
          new FaultyFileSystem.Faults() {
            private int reads;

            @Override
            public void before(String operation, Path file) {
              boolean isGraph = file.getFileName().toString().startsWith("graph");
              if (operation.equals("read") && isGraph && ++reads % 6 == 0) {
                Contents.change(index, reads);
                index.compact();
                index.compact();
              }
            }

            @Override
            public int part(String operation, Path file, int bytes) {
              return Math.min(bytes, 100);
            }
          });
      try (HnswIndex reader = HnswIndex.openReadOnly(disk.wrap(directory), config)) {
        assertEquals(1, reader.generation());
        assertEquals(print, Contents.fingerprint(reader));
        reader.verify(); // its files have no names: nothing to check but what is in memory
      }
      assertTrue(index.generation() >= 3);
    }
  }

  @Test
  void aReaderOfACommitThatWasGivenUpKeepsIt() {
    int dimension = HnswConfig.MAX_DIMENSION; // four vectors a page
    HnswConfig config = Given.config(dimension, EUCLIDEAN).m(2).build();
    Path directory = folder.resolve("index");
    float[][] vectors = new float[8][dimension];
    for (int i = 0; i < 8; i++) {
      Arrays.fill(vectors[i], i * (dimension / 8), (i + 1) * (dimension / 8), 1);
    }
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      for (int i = 0; i < 4; i++) {
        index.add(id(i), vectors[i]);
        if (i % 2 == 1) {
          index.commit();
        }
      }
    }
    try (HnswIndex reader = HnswIndex.openReadOnly(directory, config)) { // a full page, mapped
      assertEquals(2, reader.generation());
      HnswIndex.open(directory, config, 1).close();
      try (HnswIndex index = HnswIndex.open(directory, config)) {
        assertEquals(2, index.size());
        for (int i = 4; i < 8; i++) {
          index.add(id(i), vectors[i]);
        }
        assertEquals(2, index.commit());
        index.verify();
      }
      for (int i = 0; i < 4; i++) {
        assertArrayEquals(vectors[i], reader.vector(id(i)));
        assertEquals(id(i), Given.top(reader, vectors[i]));
      }
    }
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      index.verify();
      assertEquals(6, index.size());
    }
  }
}
