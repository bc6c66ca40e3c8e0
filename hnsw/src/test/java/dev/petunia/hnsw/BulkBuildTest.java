package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.COSINE;
import static dev.petunia.core.Similarity.EUCLIDEAN;
import static dev.petunia.hnsw.Given.id;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.ProgressListener;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Threads;
import dev.petunia.core.testing.Vectors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Building in batches: one result for any number of threads, and no worse a graph. */
class BulkBuildTest {
  private static final int[] THREADS = {1, 2, 8};

  @TempDir Path folder;

  private static void fill(HnswIndex index, List<VectorEntry> entries) {
    index.upsertAll(entries, ProgressListener.NONE);
  }

  /** Entries with ids from {@code from} on, about half of them copies of another. */
  private static List<VectorEntry> entries(int from, int count, int dimension, long seed) {
    List<VectorEntry> out = new ArrayList<>();
    for (float[] v : Vectors.withDuplicates(count, dimension).generate(Given.random(seed))) {
      out.add(new VectorEntry(id(from + out.size()), v));
    }
    return out;
  }

  /** Batches large and small, upserts, deletes that leave dead nodes, deletes that are swept. */
  private static void aLife(HnswIndex index, int dimension, long seed) {
    fill(index, entries(0, 900, dimension, seed)); // several batches
    fill(index, List.of());
    for (int i = 0; i < 40; i++) { // too few for a sweep: dead ones lead on
      index.delete(id(i * 7));
    }
    fill(index, entries(850, 3, dimension, seed + 1)); // moves
    fill(index, entries(2_000, 1, dimension, seed + 2));
    fill(index, entries(300, 900, dimension, seed + 3)); // moves and new ones
    for (int i = 300; i < 800; i++) { // swept: places are free
      index.delete(id(i));
    }
    index.add(id(3_000), entries(0, 1, dimension, seed + 4).getFirst().vector());
    fill(index, entries(700, 800, dimension, seed)); // many back to vectors that were there
  }

  // ---- the same for any number of threads -----------------------------------------------------

  @ParameterizedTest
  @EnumSource(Similarity.class)
  void oneAndTwoAndEightThreadsBuildTheSameGraph(Similarity similarity) {
    List<String> first = List.of();
    for (int threads : THREADS) {
      HnswConfig config =
          Given.config(12, similarity).m(5).efConstruction(40).threads(threads).build();
      try (HnswIndex index = HnswIndex.inMemory(config)) {
        aLife(index, 12, 1);
        index.verify();
        List<String> lines = Fingerprint.of(index);
        if (threads == 1) {
          first = lines;
        }
        for (int i = 0; i < Math.min(first.size(), lines.size()); i++) {
          assertEquals(first.get(i), lines.get(i), threads + " threads");
        }
        assertEquals(first.size(), lines.size(), threads + " threads");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Quantization.class)
  void theGraphIsTheSameWhenItIsBuiltByCodes(Quantization quantization) {
    List<List<String>> built = new ArrayList<>();
    for (int threads : THREADS) {
      HnswConfig config =
          Given.config(40, COSINE)
              .m(6)
              .efConstruction(40)
              .quantization(quantization)
              .codesFrom(500)
              .threads(threads)
              .build();
      try (HnswIndex index = HnswIndex.inMemory(config)) {
        fill(index, entries(0, 400, 40, 1)); // no codes yet
        assertEquals(null, index.state().table.codes());
        fill(index, entries(300, 900, 40, 2));
        assertEquals(quantization == Quantization.NONE, index.state().table.codes() == null);
        index.verify();
        built.add(Fingerprint.of(index));
      }
    }
    assertEquals(built.get(0), built.get(1));
    assertEquals(built.get(0), built.get(2));
  }

  @Test
  void oneAndTwoAndEightThreadsCommitTheSameBytes() throws IOException {
    Map<String, byte[]> first = Map.of();
    for (int threads : THREADS) {
      Path directory = folder.resolve("threads-" + threads);
      HnswConfig config = Given.config(20, COSINE).m(6).efConstruction(40).threads(threads).build();
      try (HnswIndex index = HnswIndex.open(directory, config)) {
        fill(index, entries(0, 700, 20, 5));
        index.commit();
      }
      try (HnswIndex index = HnswIndex.open(directory, config)) { // goes on from the file
        fill(index, entries(500, 700, 20, 6));
        index.verify();
        index.commit();
      }
      Map<String, byte[]> files = files(directory);
      if (threads == 1) {
        first = files;
      }
      assertEquals(first.keySet(), files.keySet());
      for (String name : first.keySet()) {
        assertArrayEquals(first.get(name), files.get(name), name + ", " + threads + " threads");
      }
    }
  }

  private static Map<String, byte[]> files(Path directory) throws IOException {
    Map<String, byte[]> out = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path p : paths.filter(Files::isRegularFile).toList()) {
        out.put(directory.relativize(p).toString(), Files.readAllBytes(p));
      }
    }
    assertTrue(out.values().stream().anyMatch(b -> b.length > 50_000), out.keySet()::toString);
    return out;
  }

  @Test
  void anotherSeedOrAnotherOrderMakesAnotherGraph() { // so that the tests above can fail
    List<VectorEntry> entries = entries(0, 600, 8, 1);
    List<VectorEntry> turned = new ArrayList<>(entries);
    Collections.reverse(turned);
    HnswConfig config = Given.config(8, EUCLIDEAN).m(5).efConstruction(40).build();
    try (HnswIndex a = HnswIndex.inMemory(config);
        HnswIndex b = HnswIndex.inMemory(config.toBuilder().seed(7).build());
        HnswIndex c = HnswIndex.inMemory(config)) {
      fill(a, entries);
      fill(b, entries);
      fill(c, turned);
      assertNotEquals(Fingerprint.of(a), Fingerprint.of(b));
      assertNotEquals(Fingerprint.of(a), Fingerprint.of(c));
    }
  }

  @Test
  void smallGraphsOfAllShapesAreWholeAndTheSameForAnyNumberOfThreads() {
    for (int seed = 0; seed < 60; seed++) {
      SplittableRandom random = Given.random(seed);
      int dimension = 1 + random.nextInt(4);
      HnswConfig config =
          Given.config(dimension, EUCLIDEAN)
              .m(2 + random.nextInt(3)) // parents run out of room: the search for one goes far
              .efConstruction(1 + random.nextInt(20))
              .seed(seed)
              .build();
      List<List<String>> built = new ArrayList<>();
      for (int threads : new int[] {1, 8}) {
        try (HnswIndex index = HnswIndex.inMemory(config.toBuilder().threads(threads).build())) {
          SplittableRandom steps = Given.random(1_000 + seed);
          for (int step = 0; step < 6; step++) {
            fill(
                index,
                entries(steps.nextInt(200), steps.nextInt(150), dimension, steps.nextLong()));
            for (int i = steps.nextInt(120); i > 0; i--) {
              index.delete(id(steps.nextInt(300)));
            }
            try {
              index.verify();
            } catch (IllegalStateException e) {
              throw new AssertionError("seed " + seed + ", step " + step, e);
            }
          }
          built.add(Fingerprint.of(index));
        }
      }
      assertEquals(built.get(0), built.get(1), "seed " + seed);
    }
  }

  @Test
  void aBatchAfterAllWereDeletedBuildsOnTheDeadOrAnew() {
    for (int live : new int[] {0, 1, 60, 70}) { // 64 dead are swept, fewer lead on
      HnswIndex index =
          HnswIndex.inMemory(Given.config(8, EUCLIDEAN).m(3).efConstruction(20).build());
      List<float[]> vectors = Vectors.units(400, 8).generate(Given.random(live));
      for (int i = 0; i < live; i++) {
        index.add(id(i), vectors.get(i));
      }
      for (int i = 0; i < live; i++) {
        index.delete(id(i));
      }
      Given.fill(index, vectors);
      index.verify();
      for (int i = 0; i < 400; i++) {
        assertEquals(id(i), Given.top(index, vectors.get(i)), live + " deleted before");
      }
    }
  }

  // ---- no worse a graph -----------------------------------------------------------------------

  /** How much recall building in batches may cost against one by one; it gains as often. */
  private static final double MARGIN = 0.01;

  @ParameterizedTest
  @ValueSource(strings = {"sorted by cluster", "one cluster a batch", "shuffled"})
  void recallIsThatOfAddingOneByOne(String order) {
    int dimension = 32;
    int clusters = order.equals("one cluster a batch") ? 6 : 60;
    List<float[]> mixed =
        Vectors.clustered(3_072, dimension, clusters, 0.6).generate(Given.random(1));
    List<float[]> vectors = new ArrayList<>();
    for (int c = 0; c < clusters; c++) { // vector i belongs to cluster i % clusters
      for (int i = c; i < mixed.size(); i += clusters) {
        vectors.add(mixed.get(i));
      }
    }
    if (order.equals("shuffled")) {
      Collections.shuffle(vectors, new Random(1));
    }
    HnswConfig config = Given.config(dimension, COSINE).m(8).efConstruction(60).build();
    try (HnswIndex bulk = HnswIndex.inMemory(config);
        HnswIndex single = HnswIndex.inMemory(config)) {
      ExactIndex exact = Given.exact(COSINE, vectors);
      Given.fill(bulk, vectors);
      for (int i = 0; i < vectors.size(); i++) {
        single.add(id(i), vectors.get(i));
      }
      bulk.verify();
      for (int ef : new int[] {10, 20, 50}) {
        double inBulk = 0;
        double oneByOne = 0;
        for (int q = 0; q < 300; q++) {
          SplittableRandom random = Given.random(10_000 + q);
          float[] target = Vectors.unit(dimension).generate(random);
          float[] near = vectors.get(random.nextInt(vectors.size()));
          for (int i = 0; i < dimension; i++) {
            target[i] = near[i] + 0.5f * target[i];
          }
          VectorQuery query = VectorQuery.builder(target).ef(ef).build();
          inBulk += Given.recall(exact.search(query), bulk.search(query)) / 300;
          oneByOne += Given.recall(exact.search(query), single.search(query)) / 300;
        }
        assertTrue(
            inBulk >= oneByOne - MARGIN,
            order + ", ef " + ef + ": in bulk " + inBulk + ", one by one " + oneByOne);
      }
      for (int i = 0; i < vectors.size(); i++) {
        assertEquals(id(i), Given.top(bulk, vectors.get(i)), order);
      }
    }
  }

  // ---- beside others --------------------------------------------------------------------------

  @Test
  void searchesBesideABuildFindAllThatWasThere() throws InterruptedException {
    int dimension = 8;
    HnswConfig config =
        Given.config(dimension, EUCLIDEAN).m(6).efConstruction(30).maxEf(5_000).threads(2).build();
    List<float[]> stable = Vectors.units(300, dimension).generate(Given.random(1));
    try (HnswIndex index = HnswIndex.inMemory(config)) {
      Given.fill(index, stable);
      fill(index, entries(300, 300, dimension, 2)); // these move, and are there all the time
      AtomicInteger building = new AtomicInteger(1);
      Threads.run(
          3,
          thread -> {
            if (thread == 0) {
              try {
                for (int round = 0; round < 6; round++) {
                  fill(index, entries(300, 900, dimension, 3 + round));
                }
              } finally {
                building.set(0);
              }
            }
            SplittableRandom random = Given.random(50 + thread);
            while (building.get() > 0) {
              float[] target = Vectors.unit(dimension).generate(random);
              VectorQuery all = VectorQuery.builder(target).limit(2_000).build();
              List<String> ids = Given.ids(index.search(all));
              Set<String> found = new HashSet<>(ids);
              assertEquals(ids.size(), found.size(), "an id came twice");
              for (int i = 0; i < 600; i++) {
                assertTrue(found.contains(id(i)), id(i) + " is missing");
              }
              float[] one = stable.get(random.nextInt(300));
              assertEquals(0, Given.distances(index.search(all(one))).getFirst());
            }
          });
      index.verify();
      assertEquals(1_200, index.size());
    }
  }

  private static VectorQuery all(float[] target) {
    return VectorQuery.builder(target).limit(1).ef(100).build();
  }

  @Test
  void otherWritersGetTheirTurnAndNothingIsLost() throws InterruptedException {
    int dimension = 6;
    HnswConfig config =
        Given.config(dimension, EUCLIDEAN).m(4).efConstruction(20).threads(2).build();
    List<VectorEntry> one = entries(0, 800, dimension, 1);
    List<VectorEntry> two = entries(400, 800, dimension, 2);
    List<VectorEntry> singles = entries(600, 900, dimension, 3);
    try (HnswIndex index = HnswIndex.inMemory(config)) {
      Threads.run(
          4,
          thread -> {
            if (thread < 2) {
              fill(index, thread == 0 ? one : two);
            } else {
              for (int i = thread - 2; i < singles.size(); i += 2) {
                VectorEntry e = singles.get(i);
                index.upsert(e.id(), e.vector());
                if (i % 10 == 0) {
                  index.delete(id(5_000 + i));
                  index.upsert(id(5_000 + i), e.vector());
                }
              }
            }
          });
      index.verify();
      assertEquals(1_500 + 90, index.size());
      for (int i = 0; i < 1_500; i++) { // each at one of the vectors that it was given
        float[] v = index.vector(id(i));
        boolean right =
            (i < 800 && java.util.Arrays.equals(v, one.get(i).vector()))
                || (i >= 400 && i < 1_200 && java.util.Arrays.equals(v, two.get(i - 400).vector()))
                || (i >= 600 && java.util.Arrays.equals(v, singles.get(i - 600).vector()));
        assertTrue(right, id(i));
      }
    }
  }

  // ---- stopping -------------------------------------------------------------------------------

  @Test
  void aCancelledBuildKeepsWhatIsInAndCanBeGoneOnWith() {
    List<VectorEntry> entries = Given.entries(Vectors.units(1_500, 8).generate(Given.random(1)));
    HnswConfig config = Given.config(8, EUCLIDEAN).m(5).efConstruction(30).threads(2).build();
    try (HnswIndex index = HnswIndex.inMemory(config)) {
      fill(index, entries.subList(0, 600));
      AtomicLong told = new AtomicLong();
      List<VectorEntry> rest = entries.subList(600, 1_500);
      CancellationException e =
          assertThrows(
              CancellationException.class,
              () ->
                  index.upsertAll(
                      rest,
                      (stage, done, total) -> {
                        assertEquals(900, total);
                        told.set(done);
                        return false;
                      }));
      int in = (int) told.get();
      assertTrue(in > 0 && in < 900, () -> in + " were in");
      assertEquals("cancelled; " + in + " of 900 vectors are in the index", e.getMessage());
      assertEquals(600 + in, index.size());
      assertTrue(index.contains(id(600 + in - 1)));
      assertFalse(index.contains(id(600 + in)));
      index.verify();
      fill(index, rest);
      index.verify();
      for (VectorEntry entry : entries) {
        assertEquals(entry.id(), Given.top(index, entry.vector()));
      }
    }
  }

  @Test
  void aListenerMayWriteToTheIndexItHearsAbout() {
    HnswConfig config = Given.config(8, EUCLIDEAN).m(5).efConstruction(30).threads(2).build();
    try (HnswIndex index = HnswIndex.inMemory(config)) {
      List<VectorEntry> more = entries(5_000, 20, 8, 2);
      index.upsertAll(
          entries(0, 100, 8, 1),
          (stage, done, total) -> {
            index.upsert("one", more.getFirst().vector());
            fill(index, more);
            return true;
          });
      assertEquals(121, index.size());
      index.verify();
    }
  }

  @Test
  void aLinkThatFailsHalfWayStopsFurtherChanges() {
    Reclaimer reclaimer = new Reclaimer();
    VectorTable table = new VectorTable(VectorForm.of(2, EUCLIDEAN), 0, reclaimer); // no links
    Graph graph = new Graph(table, 4);
    Walk walk = new Walk(graph);
    Inserter inserter = new Inserter(graph, walk, 10, 1);
    IdWriter ids =
        new IdWriter(
            table,
            new IdWriter.Links() {
              @Override
              public void link(int node) {}

              @Override
              public void died(int node) {}
            });
    BulkWriter writer =
        new BulkWriter(
            table, ids, new BatchLinker(graph, walk, inserter, reclaimer), new AtomicLong());
    List<VectorEntry> entries = entries(0, 10, 2, 1);
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> writer.putAll(entries, 2, ProgressListener.NONE, new ReentrantLock()));
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class,
            () -> writer.putAll(entries, 2, ProgressListener.NONE, new ReentrantLock()));
    assertTrue(String.valueOf(e.getMessage()).contains("failed half-way"));
  }
}
