package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.EUCLIDEAN;
import static dev.petunia.hnsw.Given.id;
import static dev.petunia.hnsw.Given.ids;
import static dev.petunia.hnsw.Given.sorted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Hit;
import dev.petunia.core.IdFilter;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Threads;
import dev.petunia.core.testing.Vectors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A filter that was prepared means what it did before, whatever changes afterwards. */
class PreparedFilterTest {
  private static final int DIMENSION = 4;
  private static final IdFilter EVEN = IdFilter.where(x -> Integer.parseInt(x) % 2 == 0);

  private static HnswIndex index(Quantization kind) {
    return HnswIndex.inMemory(
        Given.config(DIMENSION, EUCLIDEAN).m(6).quantization(kind).codesFrom(2).build());
  }

  private static List<String> found(HnswIndex index, float[] target, int limit, IdFilter filter) {
    return ids(index.search(VectorQuery.builder(target).limit(limit).accept(filter).build()));
  }

  @ParameterizedTest
  @CsvSource({
    "NONE, 50, 20",
    "NONE, 1500, 20",
    "NONE, 1500, 900",
    "BITS2, 50, 20",
    "BITS2, 1500, 20",
    "BITS2, 1500, 900",
    "INT8, 1500, 20",
    "BIT1, 1500, 20"
  })
  void everyChangeIsSeenByTheNextSearch(Quantization kind, int n, int limit) {
    HnswIndex index = index(kind);
    SplittableRandom random = Given.random(n + limit);
    Map<String, float[]> model = new TreeMap<>();
    List<float[]> vectors = Vectors.withDuplicates(n, DIMENSION).generate(random);
    for (int i = 0; i < n; i++) {
      model.put(id(i), vectors.get(i));
    }
    Given.fill(index, vectors);
    IdFilter even = index.prepare(EVEN);
    Set<String> listedIds = new HashSet<>();
    for (int i = 0; i < 2 * n; i += 3) {
      listedIds.add(id(i));
    }
    IdFilter listed = index.prepare(IdFilter.of(listedIds));
    for (int step = 0; step < 120; step++) {
      String id = id(random.nextInt(2 * n));
      float[] vector = vectors.get(random.nextInt(n));
      switch (random.nextInt(step % 40 == 39 ? 6 : 5)) {
        case 0, 1 -> {
          index.upsert(id, vector); // adds, or moves to a vector that others have too
          model.put(id, vector);
        }
        case 2, 3 -> assertEquals(model.remove(id) != null, index.delete(id));
        case 4 -> {
          float[] fresh = Vectors.unit(DIMENSION).generate(random);
          String other = id(random.nextInt(2 * n));
          if (!other.equals(id)) {
            index.upsertAll(
                List.of(new VectorEntry(id, fresh), new VectorEntry(other, vector)),
                ProgressListener.NONE);
            model.put(id, fresh);
            model.put(other, vector);
          }
        }
        default -> index.compact();
      }
      float[] target = step % 2 == 0 ? vector : Vectors.unit(DIMENSION).generate(random);
      check(model, index, target, limit, even, EVEN, step);
      check(model, index, target, limit, listed, IdFilter.of(listedIds), step);
    }
    index.verify();
  }

  /** Every hit is right, and there are as many as there should be; of few vectors the nearest. */
  private static void check(
      Map<String, float[]> model,
      HnswIndex index,
      float[] target,
      int limit,
      IdFilter prepared,
      IdFilter plain,
      int step) {
    List<String> matches = new ArrayList<>();
    for (String id : model.keySet()) {
      if (plain.accepts(id)) {
        matches.add(id);
      }
    }
    matches.sort(Comparator.comparingDouble(x -> squared(target, model.get(x))));
    List<String> got = found(index, target, limit, prepared);
    int expected = Math.min(limit, matches.size());
    assertEquals(expected, got.size(), "step " + step);
    assertEquals(expected, new HashSet<>(got).size(), "step " + step);
    double farthest =
        expected == 0 ? 0 : squared(target, model.get(matches.get(expected - 1))) + 1e-5;
    int near = 0;
    for (String id : got) {
      float[] vector = model.get(id);
      assertTrue(vector != null && plain.accepts(id), () -> "step " + step + ": " + id);
      near += vector != null && squared(target, vector) <= farthest ? 1 : 0;
    }
    assertTrue(near >= 0.9 * expected, "step " + step + ": " + near + " of " + expected);
  }

  private static double squared(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += ((double) a[i] - b[i]) * ((double) a[i] - b[i]);
    }
    return sum;
  }

  @Test
  void anIdThatMovesIsFoundAtItsNewPlaceAndAnewAfterItWasDeleted() {
    HnswIndex index = index(Quantization.NONE);
    for (int i = 0; i < 20; i++) {
      index.add(id(i), Given.v(i, 0, 0, 0));
    }
    IdFilter even = index.prepare(EVEN);
    float[] far = Given.v(100, 0, 0, 0);
    assertEquals(List.of(id(18)), found(index, far, 1, even));
    index.upsert(id(2), far);
    assertEquals(List.of(id(2), id(18)), found(index, far, 2, even));
    index.upsert(id(2), Given.v(19, 0, 0, 0)); // a node that had no accepted id
    assertEquals(List.of(id(2), id(18)), found(index, far, 2, even));
    index.delete(id(2));
    assertEquals(List.of(id(18), id(16)), found(index, far, 2, even));
    index.add(id(21), far); // may get the freed slot, and is refused
    assertEquals(List.of(id(18), id(16)), found(index, far, 2, even));
    index.add(id(2), far);
    assertEquals(List.of(id(2), id(18)), found(index, far, 2, even));
    index.compact();
    assertEquals(List.of(id(2), id(18)), found(index, far, 2, even));
  }

  @Test
  void itIsAskedAboutEachIdOnceUntilIdsChange() {
    HnswIndex index = index(Quantization.NONE);
    Given.fill(index, Vectors.units(500, DIMENSION).generate(Given.random(1)));
    AtomicInteger asked = new AtomicInteger();
    IdFilter prepared =
        index.prepare(
            IdFilter.where(
                x -> {
                  asked.incrementAndGet();
                  return EVEN.accepts(x);
                }));
    for (int i = 0; i < 5; i++) {
      found(index, Given.v(1, i, 0, 0), 10, prepared);
      assertEquals(500, asked.get());
    }
    index.add(id(500), Given.v(2, 2, 2, 2));
    assertEquals(List.of(id(500)), found(index, Given.v(2, 2, 2, 2), 1, prepared));
    assertEquals(1_001, asked.get());
  }

  @ParameterizedTest
  @EnumSource(Quantization.class)
  void inAnotherIndexItWorksAsThePlainOne(Quantization kind) {
    List<float[]> vectors = Vectors.units(600, DIMENSION).generate(Given.random(2));
    HnswIndex one = index(kind);
    HnswIndex other = index(kind);
    Given.fill(one, vectors);
    for (int i = 599; i >= 0; i--) { // other slots, other nodes
      other.add(id(i), vectors.get(i));
    }
    ExactIndex exact = Given.exact(EUCLIDEAN, vectors);
    IdFilter prepared = one.prepare(EVEN);
    for (int q = 0; q < 20; q++) {
      float[] target = Vectors.unit(DIMENSION).generate(Given.random(q));
      List<String> plain = found(other, target, 10, EVEN);
      found(one, target, 10, prepared); // judged for its own index, before and between
      assertEquals(plain, found(other, target, 10, prepared));
      VectorQuery query = VectorQuery.builder(target).accept(prepared).build();
      assertTrue(ids(exact.search(query)).stream().allMatch(EVEN::accepts));
    }
    assertEquals(sorted(found(one, vectors.get(0), 300, prepared)).size(), 300);
  }

  @ParameterizedTest
  @EnumSource(Quantization.class)
  void besideAWriterNothingRefusedComesAndWhatStaysIsFound(Quantization kind)
      throws InterruptedException {
    HnswIndex index = index(kind);
    List<float[]> vectors = Vectors.withDuplicates(800, DIMENSION).generate(Given.random(3));
    Given.fill(index, vectors.subList(0, 400)); // these stay; the others come and go
    IdFilter even = index.prepare(EVEN);
    AtomicBoolean searching = new AtomicBoolean(true);
    Threads.run(
        2,
        thread -> {
          if (thread == 1) {
            SplittableRandom random = Given.random(4);
            for (int i = 0; searching.get(); i++) {
              String id = id(400 + random.nextInt(400));
              if (random.nextInt(3) == 0) {
                index.delete(id);
              } else {
                index.upsert(id, vectors.get(random.nextInt(800)));
              }
              if (i % 500 == 499) {
                index.compact();
              }
            }
            return;
          }
          try {
            for (int q = 0; q < 300; q++) {
              float[] target = vectors.get(q % 400);
              int limit = q % 3 == 0 ? 600 : 10;
              List<String> got = found(index, target, limit, even);
              assertEquals(got.size(), new HashSet<>(got).size(), "twice");
              assertFalse(got.stream().anyMatch(x -> !EVEN.accepts(x)), got::toString);
              assertTrue(got.size() >= Math.min(limit, 200), got.size() + " hits");
              for (int i = 0; limit == 600 && i < 400; i += 2) {
                assertTrue(got.contains(id(i)), id(i) + " is missing");
              }
            }
          } finally {
            searching.set(false);
          }
        });
    index.verify();
    for (Hit hit : index.search(VectorQuery.builder(vectors.get(1)).accept(even).build()).hits()) {
      assertTrue(EVEN.accepts(hit.id()));
    }
  }
}
