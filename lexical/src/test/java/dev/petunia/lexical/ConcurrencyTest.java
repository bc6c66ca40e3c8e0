package dev.petunia.lexical;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.Filter;
import dev.petunia.core.IdFilter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConcurrencyTest {
  private static final int IDS = 60;

  @TempDir Path temp;

  private static List<Chunk> round(int round) {
    return IntStream.range(0, IDS)
        .mapToObj(i -> new Chunk("c" + i, "e", i, "word round" + round, Map.of("round", round)))
        .toList();
  }

  /** Each round replaces all chunks in one batch; whoever looks sees one round, whole. */
  @Test
  void readersNeverSeeAPartOfABatchNorAnIdTwice() throws Exception {
    try (LexicalIndex index = LexicalIndex.open(temp, LexicalConfig.defaults());
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      index.upsert(round(0));
      AtomicBoolean done = new AtomicBoolean();
      List<Callable<Integer>> readers =
          List.of(
              () -> {
                Set<Integer> lengths = new HashSet<>();
                var hits = index.search(LexicalQuery.builder("word").limit(500).build());
                lengths.add(hits.size());
                lengths.add(new HashSet<>(LexicalIndexTest.ids(hits)).size());
                return lengths.equals(Set.of(IDS)) ? 1 : -1;
              },
              () -> {
                try (Stream<Chunk> all = index.chunks()) {
                  List<Chunk> chunks = all.toList();
                  Set<Object> rounds = new HashSet<>();
                  chunks.forEach(c -> rounds.add(c.attributes().get("round")));
                  return chunks.size() == IDS && rounds.size() == 1 ? 1 : -1;
                }
              },
              () -> {
                List<Chunk> entry = index.entry("e");
                Object round = entry.getFirst().attributes().get("round");
                IdFilter newer = index.compile(Filter.gte("round", round));
                boolean whole = entry.size() == IDS;
                for (int i = 0; i < IDS; i++) {
                  whole &= newer.accepts("c" + i);
                }
                return whole ? 1 : -1;
              });
      List<Future<Integer>> results = new ArrayList<>();
      for (Callable<Integer> reader : readers) {
        results.add(
            threads.submit(
                () -> {
                  int times = 0;
                  while (!done.get()) {
                    if (reader.call() < 0) {
                      return -1;
                    }
                    times++;
                  }
                  return times;
                }));
      }
      try {
        for (int i = 1; i <= 60; i++) {
          index.upsert(round(i));
          if (i % 4 == 0) { // between, readers refresh while the next batch is being written
            assertEquals(IDS, index.count(Filter.eq("round", i)), "own change is seen");
          }
          if (i % 20 == 0) {
            index.commit(Map.of("round", "" + i));
          }
        }
      } finally {
        done.set(true);
      }
      for (Future<Integer> result : results) {
        assertTrue(result.get() > 0, "a reader saw a part of a batch, or none ran");
      }
    }
    try (LexicalIndex index = LexicalIndex.openReadOnly(temp)) {
      assertEquals(Map.of("round", "60"), index.committedUserData());
      assertEquals(IDS, index.count(Filter.eq("round", 60)));
    }
  }

  @Test
  void writersOfTheSameIdsLeaveEachIdOnce() throws Exception {
    try (LexicalIndex index = LexicalIndex.inMemory(LexicalConfig.defaults());
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> results = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int thread = t;
        results.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 20; i++) {
                    if (thread == 3) {
                      round(i).forEach(index::upsert);
                    } else {
                      index.upsert(round(1000 * thread + i));
                    }
                    if (i % 5 == 0) {
                      assertEquals(index.size(), index.entry("e").size());
                    }
                  }
                }));
      }
      for (Future<?> result : results) {
        result.get();
      }
      assertEquals(IDS, index.size());
      try (Stream<String> ids = index.ids()) {
        assertEquals(IDS, ids.distinct().count());
      }
    }
  }

  @Test
  void closingWaitsForRunningCallsAndLaterOnesAreToldSo() throws Exception {
    LexicalIndex index = LexicalIndex.open(temp, LexicalConfig.defaults());
    index.upsert(round(0));
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<Integer>> results = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        int thread = t;
        results.add(
            threads.submit(
                () -> {
                  int calls = 0;
                  try {
                    while (true) {
                      if (thread == 0) {
                        index.upsert(round(calls));
                      } else {
                        index.search(LexicalQuery.builder("word").build());
                      }
                      calls++;
                    }
                  } catch (dev.petunia.core.IndexClosedException e) {
                    return calls;
                  }
                }));
      }
      for (int i = 0; i < 5; i++) {
        index.search(LexicalQuery.builder("word").build());
      }
      index.close();
      for (Future<Integer> result : results) {
        assertTrue(result.get() >= 0);
      }
    }
  }
}
