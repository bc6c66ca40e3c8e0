package dev.petunia.hnsw;

import static dev.petunia.core.SearchTrace.Strategy.EXACT_SCAN;
import static dev.petunia.core.SearchTrace.Strategy.GRAPH;
import static dev.petunia.core.Similarity.EUCLIDEAN;
import static dev.petunia.hnsw.Given.id;
import static dev.petunia.hnsw.Given.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Diversify;
import dev.petunia.core.IdFilter;
import dev.petunia.core.SearchResult;
import dev.petunia.core.SearchTrace.Strategy;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Vectors;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A filtered search returns min(limit, number of matches) whatever matches, and where. */
class FilterTest {
  private static final int N = 10_000;
  private static final List<float[]> VECTORS = Vectors.units(N, 8).generate(Given.random(1));
  private static final HnswIndex INDEX =
      HnswIndex.inMemory(Given.config(8, EUCLIDEAN).efConstruction(80).build());
  private static final ExactIndex EXACT = new ExactIndex(8, EUCLIDEAN);

  @BeforeAll
  static void fill() {
    Given.fill(INDEX, VECTORS);
    Given.fill(EXACT, VECTORS);
    INDEX.verify();
  }

  private static IdFilter filter(Set<String> ids, boolean listed) {
    return listed ? IdFilter.of(ids) : IdFilter.where(ids::contains);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theTwentyFarthestMatchAndTheirNearestTenComeInOrder(boolean listed) {
    for (int q = 0; q < 10; q++) {
      VectorQuery.Builder query = VectorQuery.builder(VECTORS.get(q)).limit(10);
      List<String> order = ids(EXACT.search(query.offset(980).limit(20).build()));
      // among the last of 10,000: take the farthest by the opposite vector
      float[] opposite = VECTORS.get(q).clone();
      for (int i = 0; i < opposite.length; i++) {
        opposite[i] = -opposite[i];
      }
      Set<String> farthest =
          new HashSet<>(ids(EXACT.search(VectorQuery.builder(opposite).limit(20).build())));
      assertTrue(order.stream().noneMatch(farthest::contains));
      query.offset(0).limit(10).accept(filter(farthest, listed));
      SearchResult want = EXACT.search(query.build());
      SearchResult found = INDEX.search(query.build());
      assertEquals(ids(want), ids(found));
      assertEquals(10, found.hits().size());
    }
  }

  @ParameterizedTest
  @CsvSource({"0, true", "0, false", "1, true", "1, false", "3, true", "3, false"})
  void asManyAsMatchAreFoundWhenFewerThanTheLimitDo(int matches, boolean listed) {
    for (int seed = 0; seed < 10; seed++) {
      SplittableRandom random = Given.random(seed);
      Set<String> ids = new HashSet<>();
      while (ids.size() < matches) {
        ids.add(id(random.nextInt(N)));
      }
      SearchResult found =
          INDEX.search(VectorQuery.builder(VECTORS.get(seed)).accept(filter(ids, listed)).build());
      assertEquals(ids, Set.copyOf(ids(found)));
      assertEquals(EXACT_SCAN, found.trace().strategy());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFilterThatAcceptsAllChangesNothing(boolean listed) {
    Set<String> all = new HashSet<>();
    for (int i = 0; i < N; i++) {
      all.add(id(i));
    }
    int same = 0;
    for (int q = 0; q < 20; q++) {
      VectorQuery.Builder query = VectorQuery.builder(VECTORS.get(q));
      List<String> plain = ids(INDEX.search(query.build()));
      SearchResult filtered = INDEX.search(query.accept(filter(all, listed)).build());
      assertEquals(10, filtered.hits().size());
      assertEquals(GRAPH, filtered.trace().strategy());
      same += plain.equals(ids(filtered)) ? 1 : 0;
    }
    assertEquals(20, same);
  }

  @ParameterizedTest
  @CsvSource({
    "0.8, GRAPH, 0.99",
    "0.5, GRAPH, 0.99",
    "0.2, GRAPH, 0.99",
    "0.05, TWO_HOP, 0.97",
    "0.03, TWO_HOP, 0.97",
    "0.02, TWO_HOP, 0.97",
    "0.005, EXACT_SCAN, 1"
  })
  void recallHoldsWhateverShareAPredicateAccepts(double share, Strategy strategy, double floor) {
    double recall = 0;
    int as = 0;
    for (int q = 0; q < 50; q++) {
      Set<String> ids = new HashSet<>();
      SplittableRandom random = Given.random(q);
      for (int i = 0; i < N; i++) {
        if (random.nextDouble() < share) {
          ids.add(id(i));
        }
      }
      VectorQuery query =
          VectorQuery.builder(Vectors.unit(8).generate(random)).accept(filter(ids, false)).build();
      SearchResult found = INDEX.search(query);
      assertEquals(10, found.hits().size());
      recall += Given.recall(EXACT.search(query), found) / 50;
      as += found.trace().strategy() == strategy ? 1 : 0;
    }
    double mean = recall;
    assertTrue(mean >= floor, () -> "mean recall " + mean);
    assertTrue(as >= 35, as + " of 50 were answered by " + strategy); // the share is guessed
  }

  @Test
  void aMatchingSetThatIsOneFarClusterIsFound() {
    float[] corner = VECTORS.get(17);
    VectorQuery near = VectorQuery.builder(corner).limit(500).build();
    Set<String> cluster = new HashSet<>(ids(EXACT.search(near)));
    float[] opposite = corner.clone();
    for (int i = 0; i < opposite.length; i++) {
      opposite[i] = -opposite[i];
    }
    for (boolean listed : new boolean[] {true, false}) {
      VectorQuery query =
          VectorQuery.builder(opposite).accept(filter(cluster, listed)).limit(20).build();
      SearchResult found = INDEX.search(query);
      assertEquals(20, found.hits().size());
      double recall = Given.recall(EXACT.search(query), found);
      assertTrue(recall >= 0.9, () -> "recall " + recall);
    }
  }

  @Test
  void whenTheWalkMeetsItsBudgetAScanAnswersAndTheTraceSaysSo() {
    // 7,000 of 10,000 were served, and they are the near ones: the walk must cross them all
    VectorQuery.Builder query = VectorQuery.builder(VECTORS.get(5)).ef(10).limit(10);
    Set<String> served = new HashSet<>();
    for (int offset = 0; served.size() < 7_000; offset += 1_000) {
      Set<String> before = Set.copyOf(served);
      VectorQuery page =
          VectorQuery.builder(VECTORS.get(5))
              .limit(1_000)
              .accept(IdFilter.where(x -> !before.contains(x)))
              .build();
      served.addAll(ids(EXACT.search(page)));
    }
    VectorQuery q = query.diversify(Diversify.excluding(served)).build();
    SearchResult found = INDEX.search(q);
    assertEquals(ids(EXACT.search(q)), ids(found));
    assertTrue(found.trace().budgetExhausted(), found.trace()::toString);
    assertEquals(EXACT_SCAN, found.trace().strategy());
    assertEquals(7_000, found.trace().excluded());
  }
}
