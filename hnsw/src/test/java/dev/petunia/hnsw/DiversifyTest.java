package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.EUCLIDEAN;
import static dev.petunia.hnsw.Given.id;
import static dev.petunia.hnsw.Given.ids;
import static dev.petunia.hnsw.Given.v;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Diversify;
import dev.petunia.core.SearchResult;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Vectors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Maximal marginal relevance: polarity, paging, its end. */
class DiversifyTest {
  /** The target. Two are at 30° to its left, one at 40° to its right, one opposite. */
  private static final float[] AHEAD = v(1, 0);

  private static final List<float[]> PAIR_AND_ONE = List.of(at(30), at(30.5), at(-40), at(180));

  private static float[] at(double degrees) {
    return v(Math.cos(Math.toRadians(degrees)), Math.sin(Math.toRadians(degrees)));
  }

  @ParameterizedTest
  @EnumSource(Similarity.class)
  void aHighLambdaPrefersTheNearAndALowOneTheDifferent(Similarity similarity) {
    HnswIndex index = Given.hnsw(similarity, PAIR_AND_ONE);
    VectorQuery.Builder query = VectorQuery.builder(AHEAD).limit(2);
    assertEquals(
        List.of(id(0), id(1)), ids(index.search(query.diversify(Diversify.of(0.99)).build())));
    assertEquals(
        List.of(id(0), id(2)), ids(index.search(query.diversify(Diversify.of(0.6)).build())));
    assertEquals(
        List.of(id(0), id(3)), ids(index.search(query.diversify(Diversify.of(0)).build())));
  }

  @ParameterizedTest
  @EnumSource(Similarity.class)
  void whatWasServedPushesItsLikeBack(Similarity similarity) {
    HnswIndex index = Given.hnsw(similarity, PAIR_AND_ONE);
    VectorQuery.Builder query = VectorQuery.builder(AHEAD).limit(2);
    Diversify served = Diversify.of(0.6).against(List.of(id(0)));
    // excluded: it is gone, and its twin is not penalised for it
    assertEquals(List.of(id(1), id(2)), ids(index.search(query.diversify(served).build())));
    // penalised: the other direction comes first
    assertEquals(
        id(2), ids(index.search(query.diversify(served.exclude(false)).build())).getFirst());
  }

  @ParameterizedTest
  @EnumSource(Similarity.class)
  void pagesOfTwoJoinToTheOrderOfAllSix(Similarity similarity) {
    List<float[]> six = Vectors.units(6, 4).generate(Given.random(1));
    HnswIndex index = Given.hnsw(similarity, six);
    VectorQuery.Builder query = VectorQuery.builder(Vectors.unit(4).generate(Given.random(2)));
    for (double lambda : new double[] {0, 0.3, 0.5, 0.9, 1}) {
      query.diversify(Diversify.of(lambda));
      List<String> whole = ids(index.search(query.offset(0).limit(6).build()));
      assertEquals(6, new HashSet<>(whole).size());
      List<String> joined = new ArrayList<>();
      for (int offset : new int[] {0, 2, 4, 6}) {
        joined.addAll(ids(index.search(query.offset(offset).limit(2).build())));
      }
      assertEquals(whole, joined);
    }
  }

  @Test
  void pagesOfAGraphLargerThanThePoolJoinToo() {
    List<float[]> vectors = Vectors.clustered(2_000, 16, 20, 0.5).generate(Given.random(3));
    HnswIndex index = Given.hnsw(Similarity.COSINE, vectors);
    VectorQuery.Builder query =
        VectorQuery.builder(vectors.get(3)).diversify(Diversify.of(0.4).against(List.of(id(3))));
    List<String> joined = new ArrayList<>();
    for (int offset = 0; offset < 100; offset += 10) {
      SearchResult page = index.search(query.offset(offset).limit(10).build());
      assertEquals(100, page.trace().poolSize());
      joined.addAll(ids(page));
    }
    assertEquals(100, new HashSet<>(joined).size());
    query.diversify(Diversify.of(0.4).against(List.of(id(3))).poolSize(100));
    assertEquals(joined, ids(index.search(query.offset(0).limit(100).build())));
  }

  @Test
  void thePoolIsTheGreaterOfEfAndFourTimesTheLimitUpToItsCap() {
    List<float[]> vectors = Vectors.units(1_200, 8).generate(Given.random(4));
    HnswIndex index =
        HnswIndex.inMemory(Given.config(8, Similarity.COSINE).efConstruction(60).build());
    Given.fill(index, vectors);
    VectorQuery.Builder query =
        VectorQuery.builder(vectors.getFirst()).diversify(Diversify.of(0.5));
    assertEquals(100, pool(index, query.limit(10)));
    assertEquals(100, pool(index, query.limit(25)));
    assertEquals(120, pool(index, query.limit(30)));
    assertEquals(300, pool(index, query.limit(10).ef(300)));
    assertEquals(512, pool(index, query.limit(10).ef(900)));
    assertEquals(512, pool(index, query.limit(200).ef(10)));
    assertEquals(20, pool(index, query.limit(10).diversify(Diversify.of(0.5).poolSize(20))));
    assertEquals(0, pool(index, query.diversify(Diversify.of(1))));
  }

  private static int pool(HnswIndex index, VectorQuery.Builder query) {
    SearchResult r = index.search(query.build());
    assertTrue(r.trace().effectiveEf() >= r.trace().poolSize());
    return r.trace().poolSize();
  }

  @Test
  void selectionEndsWhenEveryDistanceIsInfinite() {
    // all far beyond the largest float from the target and from each other: every score is 0
    List<float[]> vectors = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      vectors.add(v(i % 2 == 0 ? 3e38 : -3e38, 1e37 * i));
    }
    HnswIndex index = Given.hnsw(EUCLIDEAN, vectors);
    for (double lambda : new double[] {0, 0.5, 0.99}) {
      SearchResult r =
          index.search(
              VectorQuery.builder(v(0, -3e38))
                  .diversify(Diversify.of(lambda).against(List.of(id(3))).exclude(false))
                  .limit(20)
                  .build());
      assertEquals(20, new HashSet<>(ids(r)).size());
    }
  }

  @Test
  void copiesOfOneVectorAreSelectedInOrderOfIdsAndAfterTheOthers() {
    List<float[]> vectors = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      vectors.add(v(1, 0));
    }
    vectors.add(v(0.9, 0.3));
    vectors.add(v(0.7, -0.7));
    HnswIndex index = Given.hnsw(Similarity.COSINE, vectors);
    SearchResult r =
        index.search(VectorQuery.builder(v(1, 0)).diversify(Diversify.of(0.3)).build());
    assertEquals(id(0), ids(r).getFirst());
    List<String> copies = ids(r).stream().filter(x -> x.compareTo(id(5)) < 0).toList();
    assertEquals(List.of(id(0), id(1), id(2), id(3), id(4)), copies);
    assertEquals(List.of(id(1), id(2), id(3), id(4)), ids(r).subList(3, 7));
    assertNotEquals(0, r.hits().getLast().score());
  }
}
