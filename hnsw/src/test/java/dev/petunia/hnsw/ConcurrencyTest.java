package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.EUCLIDEAN;
import static dev.petunia.hnsw.Given.id;
import static dev.petunia.hnsw.Given.ids;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Combine;
import dev.petunia.core.Diversify;
import dev.petunia.core.Hit;
import dev.petunia.core.IdFilter;
import dev.petunia.core.IndexClosedException;
import dev.petunia.core.SearchResult;
import dev.petunia.core.VectorIndex;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Threads;
import dev.petunia.core.testing.Vectors;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches beside changes: what every answer must hold whatever runs beside it. */
class ConcurrencyTest {
  private static final int STABLE = 300;
  private static final int MOVING = 300;
  private static final int DIMENSION = 8;

  /** Each id has one of two vectors at any time; those of some ids are equal. */
  private static final List<float[]> FIRST =
      Vectors.withDuplicates(STABLE + MOVING, DIMENSION).generate(Given.random(1));

  private static final List<float[]> SECOND =
      Vectors.withDuplicates(STABLE + MOVING, DIMENSION).generate(Given.random(2));

  @TempDir Path folder;

  private static double distance(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += ((double) a[i] - b[i]) * ((double) a[i] - b[i]);
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(strings = {"graph", "exact"})
  void everyAnswerBesideWritersIsWhole(String kind) throws InterruptedException {
    HnswConfig config =
        Given.config(DIMENSION, EUCLIDEAN).m(6).efConstruction(30).maxEf(2_000).build();
    try (VectorIndex index =
        kind.equals("exact")
            ? new ExactIndex(config)
            : HnswIndex.open(folder.resolve("index"), config)) {
      for (int i = 0; i < STABLE; i++) {
        index.add(id(i), FIRST.get(i));
      }
      AtomicInteger readers = new AtomicInteger(2);
      Threads.run(
          5,
          thread -> {
            if (thread < 2) {
              try {
                for (int q = 0; q < 400; q++) {
                  check(index, Given.random(1_000 * thread + q));
                }
              } finally {
                readers.decrementAndGet();
              }
            } else if (thread < 4) {
              SplittableRandom random = Given.random(thread);
              while (readers.get() > 0) {
                write(index, random, thread - 2);
              }
            } else {
              while (readers.get() > 0 && index instanceof HnswIndex graph) {
                graph.commit(); // sweeps too
                graph.verify();
                Thread.sleep(5);
              }
            }
          });
      if (index instanceof HnswIndex graph) {
        graph.verify();
        graph.commit();
        try (HnswIndex again = HnswIndex.openReadOnly(folder.resolve("index"), config)) {
          again.verify();
          assertEquals(index.size(), again.size());
          for (int i = 0; i < STABLE + MOVING; i++) {
            assertArrayEquals(index.vector(id(i)), again.vector(id(i)));
          }
        }
      }
    }
  }

  /** Changes one of the ids that belong to this writer: the even or the odd ones. */
  private static void write(VectorIndex index, SplittableRandom random, int writer) {
    int i = STABLE + random.nextInt(MOVING / 2) * 2 + writer;
    switch (random.nextInt(5)) {
      case 0 -> index.delete(id(i));
      case 1, 2 -> index.upsert(id(i), FIRST.get(i));
      default -> index.upsert(id(i), SECOND.get(i));
    }
  }

  private static void check(VectorIndex index, SplittableRandom random) {
    float[] target = Vectors.unit(DIMENSION).generate(random);
    VectorQuery.Builder query = VectorQuery.builder(target);
    int limit = random.nextInt(3) == 0 ? 1_500 : 1 + random.nextInt(40);
    query.limit(limit);
    Set<String> never = new HashSet<>();
    int certain = STABLE;
    switch (random.nextInt(4)) {
      case 0 -> {
        for (int i = 0; i < 40; i++) {
          never.add(id(random.nextInt(STABLE + MOVING)));
        }
        query.diversify(Diversify.excluding(never));
        certain -= (int) never.stream().filter(x -> x.compareTo(id(STABLE)) < 0).count();
      }
      case 1 -> {
        int modulus = 2 + random.nextInt(30);
        query.accept(IdFilter.where(x -> Integer.parseInt(x) % modulus == 0));
        certain = (STABLE + modulus - 1) / modulus;
        for (int i = 0; i < STABLE + MOVING; i++) {
          if (i % modulus != 0) {
            never.add(id(i));
          }
        }
      }
      case 2 -> query.seeds(List.of(id(random.nextInt(STABLE + MOVING)), "unknown"));
      default -> {}
    }
    SearchResult result = index.search(query.build());
    Set<String> seen = new HashSet<>();
    float last = 0;
    for (Hit hit : result.hits()) {
      assertTrue(seen.add(hit.id()), () -> hit.id() + " twice");
      assertFalse(never.contains(hit.id()), () -> hit.id() + " should be kept out");
      int i = Integer.parseInt(hit.id());
      double first = distance(target, FIRST.get(i));
      double second = i < STABLE ? first : distance(target, SECOND.get(i));
      assertTrue(
          Math.abs(hit.distance() - first) < 1e-5 || Math.abs(hit.distance() - second) < 1e-5,
          () -> hit + " is neither " + first + " nor " + second + " away");
      assertTrue(hit.distance() >= last);
      last = hit.distance();
    }
    assertTrue(
        seen.size() >= Math.min(limit, certain),
        seen.size() + " hits of " + limit + ", " + certain + " are certain: " + result.trace());
    if (limit > STABLE + MOVING) { // room for all: then every one that stays is there
      for (int i = 0; i < STABLE; i++) {
        assertTrue(never.contains(id(i)) || seen.contains(id(i)), id(i) + " is missing");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"graph", "exact"})
  void anIdThatMovesToAndFroIsFoundAtOneOfItsTwoPlaces(String kind) throws InterruptedException {
    HnswConfig config = Given.config(2, EUCLIDEAN).build();
    try (VectorIndex index =
        kind.equals("exact") ? new ExactIndex(config) : HnswIndex.inMemory(config)) {
      for (int i = 0; i < 4; i++) {
        index.add(id(i), Given.v(i, 0));
      }
      AtomicInteger searching = new AtomicInteger(1);
      Threads.run(
          2,
          thread -> {
            if (thread == 0) {
              try {
                VectorQuery query = VectorQuery.builder(Given.v(0, 0)).limit(4).build();
                for (int q = 0; q < 5_000; q++) {
                  assertEquals(
                      List.of(id(0), id(1), id(2), id(3)), Given.sorted(ids(index.search(query))));
                }
              } finally {
                searching.set(0);
              }
            }
            for (int i = 0; searching.get() > 0; i++) {
              index.upsert(id(1 + i % 3), Given.v(i % 7, i % 2));
            }
          });
      if (index instanceof HnswIndex graph) {
        graph.verify();
      }
    }
  }

  @Test
  void anIdThatIsDeletedAndAddedElsewhereComesOnceAtMost() throws InterruptedException {
    for (VectorIndex index :
        List.of(
            HnswIndex.inMemory(Given.config(2, EUCLIDEAN).build()), new ExactIndex(2, EUCLIDEAN))) {
      for (int i = 0; i < 8; i++) {
        index.add(id(i), Given.v(i, 0));
      }
      AtomicInteger searching = new AtomicInteger(1);
      VectorQuery query = VectorQuery.builder(Given.v(0, 0)).build();
      Threads.run(
          2,
          thread -> {
            if (thread == 0) {
              try {
                for (int q = 0; q < 10_000; q++) {
                  List<String> found = ids(index.search(query));
                  assertEquals(found.size(), new HashSet<>(found).size(), found::toString);
                  assertTrue(found.containsAll(List.of(id(0), id(1), id(2), id(3))));
                }
              } finally {
                searching.set(0);
              }
            }
            for (int i = 0; searching.get() > 0; i++) {
              index.delete(id(4 + i % 4));
              index.add(id(4 + i % 4), Given.v(i % 9, i % 3));
            }
          });
    }
  }

  @Test
  void anExcludedIdStaysOutAlsoWhenItIsDeletedAndAddedAgainMeanwhile() throws InterruptedException {
    HnswIndex index = HnswIndex.inMemory(Given.config(2, EUCLIDEAN).build());
    for (int i = 0; i < 20; i++) {
      index.add(id(i), Given.v(i, 0));
    }
    AtomicInteger searching = new AtomicInteger(1);
    VectorQuery query =
        VectorQuery.builder(Given.v(0, 0))
            .diversify(Diversify.excluding(List.of(id(0), id(1))))
            .build();
    Threads.run(
        2,
        thread -> {
          if (thread == 0) {
            try {
              for (int q = 0; q < 20_000; q++) {
                List<String> found = ids(index.search(query));
                assertFalse(found.contains(id(0)) || found.contains(id(1)), found::toString);
                assertEquals(10, found.size());
              }
            } finally {
              searching.set(0);
            }
          }
          while (searching.get() > 0) {
            index.delete(id(0));
            index.add(id(0), Given.v(0, 0));
          }
        });
    index.verify();
  }

  @Test
  void closingWhileOthersSearchAndWriteIsSeenAsClosed() throws InterruptedException {
    for (int run = 0; run < 10; run++) {
      HnswIndex index =
          HnswIndex.open(
              folder.resolve("run-" + run), Given.config(DIMENSION, EUCLIDEAN).m(4).build());
      Given.fill(index, FIRST.subList(0, 100));
      AtomicInteger closed = new AtomicInteger();
      AtomicInteger answers = new AtomicInteger();
      Threads.run(
          4,
          thread -> {
            if (thread == 0) {
              while (answers.get() < 20) {
                Thread.onSpinWait();
              }
              index.close();
              return;
            }
            try {
              for (int i = 100; ; i = i + 1 == STABLE ? 100 : i + 1) {
                if (thread == 1) {
                  index.upsert(id(i), SECOND.get(i));
                  index.delete(id(i));
                } else {
                  VectorQuery query = VectorQuery.builder(FIRST.get(i)).build();
                  assertEquals(10, index.search(query).hits().size());
                  answers.incrementAndGet();
                }
              }
            } catch (IndexClosedException e) {
              closed.incrementAndGet();
            }
          });
      assertEquals(3, closed.get());
      HnswIndex.open(folder.resolve("run-" + run), Given.config(DIMENSION, EUCLIDEAN).m(4).build())
          .close(); // not locked any more
    }
  }

  // ---- writers among themselves --------------------------------------------------------------

  @Test
  void aParallelBuildLosesNoVector() throws InterruptedException {
    for (int run = 0; run < 30; run++) {
      List<float[]> vectors = Vectors.units(250, 16).generate(Given.random(run));
      HnswConfig.Builder config = HnswConfig.builder(16, EUCLIDEAN).m(4 + run % 12).threads(8);
      HnswIndex index = HnswIndex.inMemory(config.efConstruction(40).build());
      if (run % 2 == 0) {
        Given.fill(index, vectors);
      } else { // many small batches at once
        Threads.run(
            8,
            thread -> {
              for (int from = thread * 10; from < 250; from += 80) {
                index.upsertAll(
                    Given.entries(vectors).subList(from, Math.min(250, from + 10)),
                    dev.petunia.core.ProgressListener.NONE);
              }
            });
      }
      index.verify();
      assertEquals(250, index.size());
      for (int i = 0; i < 250; i++) {
        assertEquals(id(i), Given.top(index, vectors.get(i)), "run " + run);
      }
    }
  }

  @Test
  void tenThreadsThatAddAHundredEachLoseNone() throws InterruptedException {
    List<float[]> vectors = Vectors.units(1_000, 128).generate(Given.random(3));
    HnswIndex index =
        HnswIndex.inMemory(Given.config(128, dev.petunia.core.Similarity.COSINE).build());
    Threads.run(
        10,
        thread -> {
          for (int i = 0; i < 100; i++) {
            index.add(id(thread * 100 + i), vectors.get(thread * 100 + i));
          }
        });
    index.verify();
    for (int i = 0; i < 1_000; i++) {
      assertEquals(id(i), Given.top(index, vectors.get(i)));
    }
  }

  @Test
  void oneOfSeveralThatAddTheSameIdWins() throws InterruptedException {
    for (int run = 0; run < 50; run++) {
      HnswIndex index = HnswIndex.inMemory(Given.config(2, EUCLIDEAN).build());
      AtomicInteger added = new AtomicInteger();
      Threads.run(
          4,
          thread -> {
            try {
              index.add("one", Given.v(thread, 1));
              added.incrementAndGet();
            } catch (IllegalArgumentException e) {
              assertTrue(String.valueOf(e.getMessage()).contains("not in the index yet"));
            }
          });
      assertEquals(1, added.get());
      assertEquals(1, index.size());
      index.verify();
    }
  }

  @Test
  void threadsThatUpsertTheSameIdsLeaveEachAtOneOfItsVectors() throws InterruptedException {
    HnswIndex index = HnswIndex.inMemory(Given.config(DIMENSION, EUCLIDEAN).m(4).build());
    Threads.run(
        4,
        thread -> {
          for (int i = 0; i < 1_500; i++) {
            index.upsert(id(i % 7), thread % 2 == 0 ? FIRST.get(i % 50) : SECOND.get(i % 50));
          }
        });
    index.verify();
    assertEquals(7, index.size());
    SearchResult all = index.search(VectorQuery.builder(FIRST.get(0)).build());
    assertEquals(7, new HashSet<>(ids(all)).size());
  }

  @Test
  void equalVectorsUnderDifferentIdsAtOnceShareANode() throws InterruptedException {
    for (int run = 0; run < 20; run++) {
      HnswIndex index = HnswIndex.inMemory(Given.config(DIMENSION, EUCLIDEAN).build());
      int start = run;
      Threads.run(
          6,
          thread -> {
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
              order.add(i);
            }
            if (thread % 2 == 1) {
              Collections.reverse(order);
            }
            for (int i : order) {
              index.add(thread + "-" + id(i), SECOND.get(start + i));
              // there as soon as the add returns
              assertTrue(index.contains(thread + "-" + id(i)));
              assertArrayEquals(SECOND.get(start + i), index.vector(thread + "-" + id(i)));
            }
          });
      index.verify();
      assertEquals(180, index.size());
      assertTrue(index.state().table.nodeLimit() <= 30);
      List<float[]> two = List.of(SECOND.get(start), SECOND.get(start + 1));
      SearchResult r = index.search(VectorQuery.builder(two).combine(Combine.MIN).limit(6).build());
      assertEquals(6, r.hits().size());
    }
  }
}
