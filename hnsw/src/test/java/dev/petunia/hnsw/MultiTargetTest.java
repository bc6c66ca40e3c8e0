package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.COSINE;
import static dev.petunia.core.Similarity.DOT_PRODUCT;
import static dev.petunia.core.Similarity.EUCLIDEAN;
import static dev.petunia.hnsw.Given.id;
import static dev.petunia.hnsw.Given.ids;
import static dev.petunia.hnsw.Given.v;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Combine;
import dev.petunia.core.Hit;
import dev.petunia.core.SearchResult;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorIndex;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Vectors;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Several targets at their edges; the usual cases are in the contract and in the oracle's tests.
 */
class MultiTargetTest {
  @ParameterizedTest
  @EnumSource(
      value = Similarity.class,
      names = {"COSINE", "DOT_PRODUCT"})
  void oppositeTargetsOfEqualWeightTieSoThatAllComeInOrderOfIds(Similarity similarity) {
    List<float[]> vectors = Vectors.units(90, 24).generate(Given.random(1));
    float[] target = Vectors.unit(24).generate(Given.random(2));
    float[] opposite = target.clone();
    for (int i = 0; i < 24; i++) {
      opposite[i] = -opposite[i];
    }
    for (VectorIndex index :
        List.of(Given.hnsw(similarity, vectors), Given.exact(similarity, vectors))) {
      SearchResult r =
          index.search(VectorQuery.builder(List.of(target, opposite)).limit(60).build());
      assertEquals(IntStream.range(0, 60).mapToObj(Given::id).toList(), ids(r));
      for (Hit hit : r.hits()) {
        assertEquals(similarity == COSINE ? 1 : 0, hit.distance());
        assertEquals(0.5, hit.score());
      }
    }
  }

  @Test
  void theMinimumNeedsNoMoreThanTheNearestOfEachTarget() {
    List<float[]> vectors = Vectors.clustered(600, 12, 10, 0.5).generate(Given.random(3));
    ExactIndex exact = Given.exact(COSINE, vectors);
    for (int q = 0; q < 50; q++) {
      List<float[]> targets = Vectors.units(1 + q % 8, 12).generate(Given.random(q));
      Set<String> union = new TreeSet<>();
      for (float[] target : targets) {
        union.addAll(ids(exact.search(VectorQuery.builder(target).build())));
      }
      List<String> min =
          ids(exact.search(VectorQuery.builder(targets).combine(Combine.MIN).build()));
      assertTrue(union.containsAll(min));
    }
  }

  @ParameterizedTest
  @EnumSource(Similarity.class)
  void theSameTargetEightTimesIsThatTarget(Similarity similarity) {
    List<float[]> vectors = Vectors.units(300, 20).generate(Given.random(4));
    HnswIndex index = Given.hnsw(similarity, vectors);
    float[] target = Vectors.unit(20).generate(Given.random(5));
    List<String> one = ids(index.search(VectorQuery.builder(target).build()));
    List<float[]> eight = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      eight.add(target);
    }
    for (Combine combine : Combine.values()) {
      assertEquals(one, ids(index.search(VectorQuery.builder(eight).combine(combine).build())));
    }
    assertEquals(
        one, ids(index.search(VectorQuery.builder(eight).weights(0, 0, 5, 0, 0, 1, 0, 0).build())));
  }

  @Test
  void aTargetOfWeightZeroDoesNoHarmHoweverFarItIs() {
    // the squared distance to the second target is beyond the largest float
    List<float[]> vectors = List.of(v(1, 0), v(2, 0), v(3, 0));
    for (VectorIndex index :
        List.of(Given.hnsw(EUCLIDEAN, vectors), Given.exact(EUCLIDEAN, vectors))) {
      VectorQuery.Builder query =
          VectorQuery.builder(List.of(v(0, 0), v(3e38, -3e38))).weights(1, 0);
      SearchResult r = index.search(query.build());
      assertEquals(List.of(id(0), id(1), id(2)), ids(r));
      assertEquals(List.of(1f, 4f, 9f), Given.distances(r));
      assertEquals(Float.POSITIVE_INFINITY, r.hits().getFirst().targetDistances().get(1));
      SearchResult both = index.search(query.weights(1, 1).build());
      assertEquals(List.of(id(0), id(1), id(2)), ids(both));
      assertEquals(0, both.hits().getFirst().score());
    }
  }

  @Test
  void distancesBeyondTheLargestFloatAreInfiniteAndTie() {
    List<float[]> vectors = List.of(v(3e38, 0), v(-3e38, 1), v(1, 1));
    HnswIndex index = Given.hnsw(EUCLIDEAN, vectors);
    SearchResult r = index.search(VectorQuery.builder(v(3e38, 0)).build());
    assertEquals(List.of(id(0), id(1), id(2)), ids(r));
    assertEquals(List.of(0f, Float.POSITIVE_INFINITY, Float.POSITIVE_INFINITY), Given.distances(r));
    index.verify();
  }

  @Test
  void theCollapsedWalkUnderDotProductEqualsTheDirectSum() {
    List<float[]> vectors = Vectors.units(500, 16).generate(Given.random(6));
    HnswIndex graph = Given.hnsw(DOT_PRODUCT, vectors);
    ExactIndex exact = Given.exact(DOT_PRODUCT, vectors);
    List<float[]> targets = Vectors.units(5, 16).generate(Given.random(7));
    VectorQuery query =
        VectorQuery.builder(targets).weights(5, 4, 3, 2, 1).ef(500).limit(50).build();
    assertEquals(ids(exact.search(query)), ids(graph.search(query)));
  }
}
