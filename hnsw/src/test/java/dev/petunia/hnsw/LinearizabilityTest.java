package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.EUCLIDEAN;
import static dev.petunia.hnsw.History.ABSENT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Hit;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Property;
import dev.petunia.core.testing.Threads;
import dev.petunia.core.testing.Vectors;
import dev.petunia.hnsw.History.Call;
import dev.petunia.hnsw.History.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What any number of threads see of one id can have happened one after the other: adds, upserts,
 * deletes, batches and searches, beside sweeps, compactions and the training of codes.
 *
 * <p>Four threads go through rounds of a few calls each on a few ids; after each round the calls on
 * each id are checked by {@link History}. Two more threads write and delete other ids and compact.
 * The system property {@value Property#RUNS} lets all of it run so many times as often.
 */
class LinearizabilityTest {
  private static final int WORKERS = 4;
  private static final int CALLS = 5;
  private static final int ROUNDS = 60;
  private static final int EPISODES = 8;
  private static final int IDS = 4;
  private static final int VECTORS = 6;
  private static final int OTHERS = 400;
  private static final int DIMENSION = 8;

  /** All ids choose among the same few vectors, so that nodes are shared, die and come back. */
  private static final List<float[]> CHOICE =
      Vectors.units(VECTORS, DIMENSION).generate(Given.random(21));

  private static final List<float[]> OTHER =
      Vectors.units(2 * OTHERS, DIMENSION).generate(Given.random(22));

  @ParameterizedTest
  @EnumSource(Quantization.class)
  void whatIsSeenOfEachIdCanHaveHappenedOneAfterTheOther(Quantization kind)
      throws InterruptedException {
    int episodes = EPISODES * Integer.getInteger(Property.RUNS, 1);
    for (int seed = 0; seed < episodes; seed++) {
      new Episode(kind, seed).run();
    }
  }

  /** One index, from empty on. */
  private static final class Episode {
    final Quantization kind;
    final long seed;
    final HnswIndex index;
    final AtomicBoolean running = new AtomicBoolean(true);
    final List<List<List<Call>>> calls = new ArrayList<>(); // by worker, by id
    final List<Set<Integer>> states = new ArrayList<>();
    final CyclicBarrier begin = new CyclicBarrier(WORKERS);
    final CyclicBarrier end = new CyclicBarrier(WORKERS);

    Episode(Quantization kind, long seed) {
      this.kind = kind;
      this.seed = seed;
      index =
          HnswIndex.inMemory(
              HnswConfig.builder(DIMENSION, EUCLIDEAN)
                  .m(4)
                  .efConstruction(20)
                  .threads(2)
                  .quantization(kind)
                  .codesFrom(100)
                  .build());
      for (int i = 0; i < IDS; i++) {
        states.add(Set.of(ABSENT));
      }
      for (int w = 0; w < WORKERS; w++) {
        List<List<Call>> own = new ArrayList<>();
        for (int i = 0; i < IDS; i++) {
          own.add(new ArrayList<>());
        }
        calls.add(own);
      }
    }

    void run() throws InterruptedException {
      Threads.run(
          WORKERS + 2,
          thread -> {
            SplittableRandom random = Given.random(1_000 * seed + thread);
            if (thread >= WORKERS) {
              while (running.get()) {
                disturb(thread == WORKERS, random);
              }
              return;
            }
            try {
              for (int round = 0; round < ROUNDS && running.get(); round++) {
                begin.await();
                for (int i = 0; i < CALLS; i++) {
                  call(calls.get(thread), thread, random);
                }
                end.await();
                if (thread == 0) {
                  check(round);
                }
              }
            } finally {
              running.set(false);
              begin.reset(); // nobody waits for one that failed
              end.reset();
            }
          });
      index.verify();
    }

    /** Writes ids of its own: batches that grow the index, deletes that let it be swept. */
    private void disturb(boolean writes, SplittableRandom random) throws InterruptedException {
      if (!writes) {
        Thread.sleep(3);
        index.compact();
        return;
      }
      int from = random.nextInt(OTHERS - 40);
      if (random.nextBoolean()) {
        List<VectorEntry> batch = new ArrayList<>();
        for (int i = from; i < from + 40; i++) {
          batch.add(new VectorEntry("other" + i, OTHER.get(2 * i + random.nextInt(2))));
        }
        index.upsertAll(batch, ProgressListener.NONE);
      } else {
        for (int i = from; i < from + 40; i++) {
          index.delete("other" + i);
        }
      }
    }

    private void call(List<List<Call>> log, int thread, SplittableRandom random) {
      int number = random.nextInt(IDS);
      String id = "id" + number;
      int v = random.nextInt(VECTORS);
      float[] vector = CHOICE.get(v);
      List<Call> own = log.get(number);
      long start = System.nanoTime();
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> {
          boolean was = index.upsert(id, vector);
          own.add(new Call(Kind.UPSERT, v, was, start, System.nanoTime(), thread));
        }
        case 3 -> {
          boolean could = true;
          try {
            index.add(id, vector);
          } catch (IllegalArgumentException e) {
            could = false;
          }
          own.add(new Call(Kind.ADD, v, could, start, System.nanoTime(), thread));
        }
        case 4, 5 -> {
          boolean was = index.delete(id);
          own.add(new Call(Kind.DELETE, 0, was, start, System.nanoTime(), thread));
        }
        case 6 -> {
          boolean there = index.contains(id);
          own.add(new Call(Kind.CONTAINS, 0, there, start, System.nanoTime(), thread));
        }
        case 7 -> {
          int seen = number(index.vector(id));
          own.add(new Call(Kind.READ, seen, true, start, System.nanoTime(), thread));
        }
        case 8 -> { // each entry of a batch is put on its own
          int second = (number + 1) % IDS;
          int w = random.nextInt(VECTORS);
          index.upsertAll(
              List.of(new VectorEntry(id, vector), new VectorEntry("id" + second, CHOICE.get(w))),
              ProgressListener.NONE);
          long end = System.nanoTime();
          own.add(new Call(Kind.PUT, v, true, start, end, thread));
          log.get(second).add(new Call(Kind.PUT, w, true, start, end, thread));
        }
        case 9 -> search(log, thread, v, 2 * OTHERS, start); // room for all
        default -> search(log, thread, v, IDS, start); // room for those at the vector
      }
    }

    private void search(List<List<Call>> log, int thread, int v, int limit, long start) {
      VectorQuery query = VectorQuery.builder(CHOICE.get(v)).limit(limit).build();
      List<Hit> hits = index.search(query).hits();
      long end = System.nanoTime();
      int[] at = new int[IDS];
      Arrays.fill(at, ABSENT);
      Set<String> once = new HashSet<>();
      for (Hit hit : hits) {
        assertTrue(once.add(hit.id()), () -> hit.id() + " twice");
        if (hit.id().startsWith("id")) {
          at[Integer.parseInt(hit.id().substring(2))] = number(v, hit);
        } else {
          int other = Integer.parseInt(hit.id().substring(5));
          assertTrue(
              is(hit, CHOICE.get(v), OTHER.get(2 * other))
                  || is(hit, CHOICE.get(v), OTHER.get(2 * other + 1)),
              () -> hit + " has neither of its vectors");
        }
      }
      for (int i = 0; i < IDS; i++) {
        boolean all = limit > IDS;
        log.get(i)
            .add(
                new Call(
                    all ? Kind.READ : Kind.IS_AT,
                    all ? at[i] : v,
                    all || at[i] == v,
                    start,
                    end,
                    thread));
      }
    }

    /** The calls of a round, which is over: nobody adds to them now. */
    private void check(int round) {
      for (int i = 0; i < IDS; i++) {
        List<Call> all = new ArrayList<>();
        for (List<List<Call>> worker : calls) {
          all.addAll(worker.get(i));
          worker.get(i).clear();
        }
        Set<Integer> before = states.get(i);
        Set<Integer> after = History.ends(before, all);
        all.sort((a, b) -> Long.compare(a.start(), b.start()));
        StringBuilder told = new StringBuilder();
        all.forEach(c -> told.append("\n  ").append(c));
        int id = i;
        assertTrue(
            !after.isEmpty(),
            () ->
                kind
                    + ", seed "
                    + seed
                    + ", round "
                    + round
                    + ", id"
                    + id
                    + " at "
                    + before
                    + told);
        states.set(i, after);
      }
    }
  }

  private static boolean is(Hit hit, float[] target, float[] vector) {
    double sum = 0;
    for (int i = 0; i < DIMENSION; i++) {
      sum += ((double) target[i] - vector[i]) * ((double) target[i] - vector[i]);
    }
    return Math.abs(hit.distance() - sum) < 1e-5;
  }

  /** Which vector a hit is at; its distance tells. */
  private static int number(int target, Hit hit) {
    for (int v = 0; v < VECTORS; v++) {
      if (is(hit, CHOICE.get(target), CHOICE.get(v))) {
        return v;
      }
    }
    throw new AssertionError(hit + " is the distance of no vector");
  }

  private static int number(float @Nullable [] vector) {
    for (int v = 0; v < VECTORS; v++) {
      if (Arrays.equals(vector, CHOICE.get(v))) {
        return v;
      }
    }
    assertEquals(null, vector, "a vector that nobody stored");
    return ABSENT;
  }

  // ---- the checker itself --------------------------------------------------------------------

  private static Call call(Kind kind, int vector, boolean saw, long start, long end) {
    return new Call(kind, vector, saw, start, end, 0);
  }

  @Test
  void theCheckerAcceptsWhatCanHaveHappenedAndRefusesWhatCannot() {
    Set<Integer> absent = Set.of(ABSENT);
    Call upsert = call(Kind.UPSERT, 1, false, 10, 20);
    assertEquals(Set.of(1), History.ends(absent, List.of(upsert)));
    // a read beside it may see either, one after it must see it
    Call before = call(Kind.READ, ABSENT, true, 15, 30);
    assertEquals(Set.of(1), History.ends(absent, List.of(upsert, before)));
    Call late = call(Kind.READ, ABSENT, true, 21, 30);
    assertEquals(Set.of(), History.ends(absent, List.of(upsert, late)));
    // seen, and then not seen any more
    Call seen = call(Kind.READ, 1, true, 11, 12);
    Call gone = call(Kind.CONTAINS, 0, false, 13, 14);
    assertEquals(Set.of(), History.ends(absent, List.of(upsert, seen, gone)));
    // two deletes of one id can't both have found it; of two upserts side by side either may be
    // last
    Call one = call(Kind.DELETE, 0, true, 10, 20);
    Call two = call(Kind.DELETE, 0, true, 10, 20);
    assertEquals(Set.of(), History.ends(Set.of(3), List.of(one, two)));
    Call other = call(Kind.PUT, 2, true, 10, 20);
    assertEquals(Set.of(2), History.ends(absent, List.of(upsert, other))); // it saw absence
    Call put = call(Kind.PUT, 1, true, 10, 20);
    assertEquals(Set.of(1, 2), History.ends(absent, List.of(put, other)));
    assertEquals(
        Set.of(1), History.ends(Set.of(5), List.of(other, call(Kind.PUT, 1, true, 21, 22))));
  }
}
