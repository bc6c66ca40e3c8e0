package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.COSINE;
import static dev.petunia.core.Similarity.EUCLIDEAN;
import static dev.petunia.hnsw.Given.id;
import static dev.petunia.hnsw.Given.ids;
import static dev.petunia.hnsw.Given.top;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.SearchResult;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Vectors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deleting leaves a graph that finds all that is left, and takes no more room than that. */
class DeletionTest {
  @Test
  void everySearchIsFilledAfterNineteenOfTwentyAreDeleted() {
    List<float[]> vectors = new ArrayList<>();
    SplittableRandom random = Given.random(1);
    for (int i = 0; i < 4_000; i++) {
      vectors.add(uniform(random, 16));
    }
    HnswIndex index =
        HnswIndex.inMemory(Given.config(16, EUCLIDEAN).m(8).efConstruction(100).build());
    ExactIndex exact = Given.exact(EUCLIDEAN, vectors);
    Given.fill(index, vectors);
    List<Integer> order = shuffled(4_000, 2);
    for (int i : order.subList(0, 3_800)) {
      assertTrue(index.delete(id(i)));
      exact.delete(id(i));
    }
    index.verify();
    double recall = 0;
    for (int q = 0; q < 1_000; q++) {
      VectorQuery query = VectorQuery.builder(uniform(random, 16)).ef(50).limit(10).build();
      SearchResult found = index.search(query);
      assertEquals(10, found.hits().size());
      recall += Given.recall(exact.search(query), found) / 1_000;
    }
    double mean = recall;
    assertTrue(mean >= 0.97, () -> "mean recall " + mean);
  }

  @Test
  void walksAfterHalfAreDeletedFindWhatWalksOfAFreshIndexFind() {
    List<float[]> vectors = new ArrayList<>();
    SplittableRandom random = Given.random(3);
    for (int i = 0; i < 6_000; i++) {
      vectors.add(uniform(random, 16));
    }
    HnswIndex swept = Given.hnsw(EUCLIDEAN, vectors);
    HnswIndex fresh = HnswIndex.inMemory(Given.config(16, EUCLIDEAN).build());
    ExactIndex exact = new ExactIndex(16, EUCLIDEAN);
    List<Integer> order = shuffled(6_000, 4);
    for (int i : order.subList(0, 3_000)) {
      swept.delete(id(i));
    }
    for (int i : order.subList(3_000, 6_000)) {
      fresh.add(id(i), vectors.get(i));
      exact.add(id(i), vectors.get(i));
    }
    double after = 0;
    double anew = 0;
    for (int q = 0; q < 1_000; q++) {
      VectorQuery query = VectorQuery.builder(uniform(random, 16)).ef(16).limit(10).build();
      SearchResult want = exact.search(query);
      after += Given.recall(want, swept.search(query)) / 1_000;
      anew += Given.recall(want, fresh.search(query)) / 1_000;
    }
    String both = "after deletes " + after + ", fresh " + anew;
    assertTrue(after >= 0.97 * anew, both);
  }

  private static float[] uniform(SplittableRandom random, int dimension) {
    float[] v = new float[dimension];
    for (int i = 0; i < dimension; i++) {
      v[i] = random.nextFloat();
    }
    return v;
  }

  private static List<Integer> shuffled(int n, long seed) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      order.add(i);
    }
    Collections.shuffle(order, new Random(seed));
    return order;
  }

  @ParameterizedTest
  @ValueSource(strings = {"first to last", "last to first", "at random", "middle", "entry point"})
  void whatIsLeftIsReachableInWhateverOrderTheOthersGo(String order) {
    for (int seed = 0; seed < 10; seed++) {
      List<float[]> vectors = Vectors.units(50, 4).generate(Given.random(seed));
      HnswIndex index = HnswIndex.inMemory(Given.config(4, COSINE).m(2 + seed % 4).build());
      Given.fill(index, vectors);
      List<Integer> left = shuffled(50, seed);
      Collections.sort(left);
      SplittableRandom random = Given.random(seed);
      while (left.size() > 10) {
        int victim =
            switch (order) {
              case "first to last" -> left.getFirst();
              case "last to first" -> left.getLast();
              case "middle" -> left.get(left.size() / 2);
              case "at random" -> left.get(random.nextInt(left.size()));
              default -> left.contains(entry(index)) ? entry(index) : left.getFirst();
            };
        left.remove((Integer) victim);
        assertTrue(index.delete(id(victim)));
        index.verify();
      }
      for (int i : left) {
        assertEquals(id(i), top(index, vectors.get(i)));
      }
      assertEquals(
          10,
          index.search(VectorQuery.builder(vectors.getFirst()).limit(50).build()).hits().size());
    }
  }

  /** The number of the entry point's id; −1 when it has none any more. */
  private static int entry(HnswIndex index) {
    Owners owners = index.state().table.owners(Graph.entryNode(index.state().graph.entry()));
    IdRef first = owners == null ? null : owners.get(0);
    return first == null ? -1 : Integer.parseInt(first.id);
  }

  @Test
  void theEntryPointCanBeDeletedUntilNoneIsLeftAndAllAddedAgain() {
    List<float[]> vectors = Vectors.units(300, 8).generate(Given.random(4));
    HnswIndex index = HnswIndex.inMemory(Given.config(8, COSINE).m(3).build());
    for (int round = 0; round < 3; round++) {
      Given.fill(index, vectors);
      index.verify();
      while (index.size() > 0) {
        int victim = entry(index);
        if (victim < 0) { // dead until the next sweep: any other
          victim = Integer.parseInt(top(index, vectors.getFirst()));
        }
        assertTrue(index.delete(id(victim)));
        int left = index.size();
        assertEquals(
            Math.min(10, left),
            index.search(VectorQuery.builder(vectors.get(victim)).build()).hits().size());
      }
      index.verify();
      assertEquals(List.of(), ids(index.search(VectorQuery.builder(vectors.getFirst()).build())));
    }
    Given.fill(index, vectors);
    for (int i = 0; i < 300; i++) {
      assertEquals(id(i), top(index, vectors.get(i)));
    }
  }

  @Test
  void anUpsertOfOneIdManyTimesTakesRoomForOne() {
    HnswIndex index = HnswIndex.inMemory(Given.config(4, EUCLIDEAN).build());
    SplittableRandom random = Given.random(3);
    float[] last = new float[4];
    for (int i = 0; i < 100_000; i++) {
      last = uniform(random, 4);
      assertEquals(i > 0, index.upsert("one", last));
      if (i % 10_000 == 7) {
        assertEquals("one", top(index, last));
      }
    }
    assertEquals(1, index.size());
    assertEquals(List.of("one"), ids(index.search(VectorQuery.builder(last).build())));
    index.verify();
    assertEquals(1, index.state().table.slotLimit());
    int nodes = index.state().table.nodeLimit();
    assertTrue(nodes < 300, () -> nodes + " nodes for one id");
  }

  @Test
  void deletingAndAddingForeverTakesRoomForWhatIsThere() {
    List<float[]> vectors = Vectors.units(600, 8).generate(Given.random(5));
    HnswIndex index = HnswIndex.inMemory(Given.config(8, COSINE).m(6).efConstruction(40).build());
    SplittableRandom random = Given.random(6);
    Set<Integer> there = new HashSet<>();
    for (int i = 0; i < 20_000; i++) { // about 100 at a time
      int one = random.nextInt(there.size() < 100 ? 600 : 200);
      if (there.size() < 100 && there.add(one)) {
        index.add(id(one), vectors.get(one));
      } else if (there.remove(one)) {
        assertTrue(index.delete(id(one)));
      }
    }
    assertEquals(there.size(), index.size());
    index.verify();
    for (int i = 0; i < 600; i++) {
      assertEquals(there.contains(i), index.contains(id(i)));
      if (there.contains(i)) {
        assertEquals(id(i), top(index, vectors.get(i)));
      }
    }
    int nodes = index.state().table.nodeLimit();
    int slots = index.state().table.slotLimit();
    assertTrue(nodes < 500 && slots < 500, () -> nodes + " nodes, " + slots + " slots");
  }

  @Test
  void aVectorThatDiedAndComesBackBeforeTheSweepIsTheSameNode() {
    List<float[]> vectors = Vectors.units(100, 8).generate(Given.random(7));
    HnswIndex index = Given.hnsw(COSINE, vectors);
    for (int i = 0; i < 40; i++) {
      index.delete(id(i));
    }
    assertEquals(40, index.state().table.deadNodes());
    for (int i = 0; i < 40; i++) {
      index.add("again" + i, vectors.get(i));
    }
    assertEquals(0, index.state().table.deadNodes());
    assertEquals(100, index.state().table.nodeLimit());
    index.verify();
    for (int i = 0; i < 40; i++) {
      assertEquals("again" + i, top(index, vectors.get(i)));
      assertFalse(index.contains(id(i)));
    }
  }
}
