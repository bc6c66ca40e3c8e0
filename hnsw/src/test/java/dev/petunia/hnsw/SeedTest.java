package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.COSINE;
import static dev.petunia.hnsw.Given.id;
import static dev.petunia.hnsw.Given.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Diversify;
import dev.petunia.core.Hit;
import dev.petunia.core.IdFilter;
import dev.petunia.core.SearchResult;
import dev.petunia.core.SearchTrace;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Vectors;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Seeds start the walk beside the entry point: they may help, and never lock it in. */
class SeedTest {
  private static final int N = 4_000;
  private static final int CLUSTERS = 40;
  private static final List<float[]> VECTORS =
      Vectors.clustered(N, 24, CLUSTERS, 0.4).generate(Given.random(1));
  private static final HnswIndex INDEX =
      HnswIndex.inMemory(Given.config(24, COSINE).m(8).efConstruction(60).build());
  private static final ExactIndex EXACT = new ExactIndex(24, COSINE);

  @BeforeAll
  static void fill() {
    Given.fill(INDEX, VECTORS);
    Given.fill(EXACT, VECTORS);
    INDEX.delete(id(39)); // deleted, not swept
  }

  private static VectorQuery.Builder near(int number) {
    return VectorQuery.builder(VECTORS.get(number)).limit(10);
  }

  @Test
  void unknownDeletedAndRepeatedSeedsAreCountedAndDoNoHarm() {
    List<String> seeds = List.of("nobody", id(39), id(7), id(7), id(7), id(47));
    SearchResult r = INDEX.search(near(7).seeds(seeds).build());
    SearchTrace t = r.trace();
    assertEquals(2, t.seedsUnknown());
    assertEquals(2, t.seedsUsed());
    assertEquals(2, t.seedsDuplicate());
    assertEquals(0, t.seedsFilteredOut());
    assertEquals(10, Set.copyOf(ids(r)).size());
    assertEquals(id(7), ids(r).getFirst());
    SearchResult only = INDEX.search(near(7).seeds(List.of("nobody", id(39))).build());
    assertEquals(ids(INDEX.search(near(7).build())), ids(only));
  }

  @Test
  void noSeedsAreTheSameAsNone() {
    SearchResult none = INDEX.search(near(3).build());
    SearchResult empty = INDEX.search(near(3).seeds(List.of()).build());
    assertEquals(none.hits(), empty.hits());
  }

  @Test
  void moreSeedsThanEfKeepTheNearest() {
    List<String> seeds = IntStream.range(0, 900).filter(i -> i != 39).mapToObj(Given::id).toList();
    SearchResult r = INDEX.search(near(5).ef(10).seeds(seeds).build());
    assertEquals(899, r.trace().seedsUsed());
    assertEquals(10, r.trace().effectiveEf());
    assertEquals(10, r.hits().size());
    assertTrue(Given.recall(EXACT.search(near(5).build()), r) >= 0.8);
  }

  @Test
  void aSeedThatTheFilterRefusesLeadsOnButIsNoResult() {
    Set<String> refused = Set.of(id(8), id(48), id(88));
    SearchResult r =
        INDEX.search(
            near(8).seeds(refused).accept(IdFilter.where(x -> !refused.contains(x))).build());
    assertEquals(3, r.trace().seedsUsed());
    assertEquals(3, r.trace().seedsFilteredOut());
    assertEquals(10, r.hits().size());
    assertTrue(ids(r).stream().noneMatch(refused::contains));
    SearchResult excluded =
        INDEX.search(near(8).seeds(refused).diversify(Diversify.excluding(refused)).build());
    assertEquals(3, excluded.trace().seedsFilteredOut());
    assertEquals(ids(r), ids(excluded));
  }

  @Test
  void aHitNamesTheSeedItWasReachedFrom() {
    SearchResult r = INDEX.search(near(9).seeds(List.of(id(9))).build());
    Hit first = r.hits().getFirst();
    assertEquals(id(9), first.id());
    assertEquals(id(9), first.seed());
    int fromSeed = 0;
    for (Hit hit : r.hits()) {
      fromSeed += hit.seed() != null ? 1 : 0;
    }
    int all = fromSeed;
    assertTrue(all >= 5, () -> all + " of 10 hits came by the seed in their own cluster");
    for (Hit hit : INDEX.search(near(9).build()).hits()) {
      assertNull(hit.seed());
    }
    SearchResult scan =
        INDEX.search(near(9).seeds(List.of(id(9))).accept(IdFilter.of(Set.of(id(9)))).build());
    assertNull(scan.hits().getFirst().seed());
    assertNotNull(scan.hits().getFirst());
  }

  /** The mean recall@10 of 300 queries with the seeds of a cluster so far from each. */
  private static double recall(int ef, int clustersAway) {
    double recall = 0;
    for (int q = 0; q < 300; q++) {
      float[] target = jittered(q);
      VectorQuery.Builder query = VectorQuery.builder(target).ef(ef).limit(10);
      SearchResult exact = EXACT.search(query.build());
      if (clustersAway >= 0) {
        List<String> seeds = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
          seeds.add(id(((q + clustersAway) % CLUSTERS + CLUSTERS * i * 3) % N));
        }
        query.seeds(seeds);
      }
      recall += Given.recall(exact, INDEX.search(query.build())) / 300;
    }
    return recall;
  }

  private static float[] jittered(int q) {
    float[] noise = Vectors.unit(24).generate(Given.random(1_000 + q));
    float[] target = VECTORS.get(q).clone();
    for (int i = 0; i < target.length; i++) {
      target[i] += 0.3f * noise[i];
    }
    return target;
  }

  @Test
  void seedsInAFarIslandGiveTheQualityOfNoSeeds() {
    for (int ef : new int[] {10, 30, 100}) {
      double without = recall(ef, -1);
      double far = recall(ef, CLUSTERS / 2);
      assertTrue(far >= without - 0.01, () -> "ef " + ef + ": " + without + " and " + far);
    }
  }

  @Test
  void seedsNearTheAnswerKeepOrRaiseTheQuality() {
    for (int ef : new int[] {10, 30, 100}) {
      double without = recall(ef, -1);
      double near = recall(ef, 0);
      assertTrue(near >= without - 0.01, () -> "ef " + ef + ": " + without + " and " + near);
    }
  }
}
