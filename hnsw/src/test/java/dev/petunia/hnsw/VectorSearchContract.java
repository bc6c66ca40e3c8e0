package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.COSINE;
import static dev.petunia.core.Similarity.DOT_PRODUCT;
import static dev.petunia.core.Similarity.EUCLIDEAN;
import static dev.petunia.hnsw.Given.id;
import static dev.petunia.hnsw.Given.ids;
import static dev.petunia.hnsw.Given.v;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Combine;
import dev.petunia.core.Diversify;
import dev.petunia.core.Filter;
import dev.petunia.core.Hit;
import dev.petunia.core.IdFilter;
import dev.petunia.core.SearchResult;
import dev.petunia.core.SearchTrace;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorIndex;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Vectors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a search of every {@link VectorIndex} answers. */
abstract class VectorSearchContract extends IndexFixture {
  /** On a line: the distance of number i from the origin is i². */
  private static List<float[]> line(int n) {
    return IntStream.range(0, n).mapToObj(i -> v(i, 0)).toList();
  }

  private static final float[] ORIGIN = v(0, 0);

  // ---- similarities --------------------------------------------------------------------------

  @Test
  void cosineIsOneMinusTheAngleWhateverTheLengths() {
    VectorIndex index = filled(COSINE, List.of(v(5, 0), v(3, 4), v(0, 0.1), v(-2, 0)));
    SearchResult r = index.search(VectorQuery.builder(v(7, 0)).build());
    assertEquals(List.of(id(0), id(1), id(2), id(3)), ids(r));
    double[] distances = {0, 0.4, 1, 2};
    double[] scores = {1, 0.8, 0.5, 0};
    for (int i = 0; i < 4; i++) {
      assertEquals(distances[i], r.hits().get(i).distance(), 1e-6);
      assertEquals(scores[i], r.hits().get(i).score(), 1e-6);
    }
  }

  @Test
  void dotProductIsNegatedSoThatLowerIsNearer() {
    VectorIndex index = filled(DOT_PRODUCT, List.of(v(0, 1), v(0.6, 0.8), v(-1, 0)));
    SearchResult r = index.search(VectorQuery.builder(v(1, 0)).build());
    assertEquals(List.of(id(1), id(0), id(2)), ids(r));
    assertEquals(-0.6, r.hits().get(0).distance(), 1e-6);
    assertEquals(0.8, r.hits().get(0).score(), 1e-6);
    assertEquals(0, r.hits().get(2).score(), 1e-6);
  }

  @Test
  void euclideanDistanceIsSquared() {
    VectorIndex index = filled(EUCLIDEAN, List.of(v(3, 4), v(0, 1)));
    SearchResult r = index.search(VectorQuery.builder(ORIGIN).build());
    assertEquals(List.of(id(1), id(0)), ids(r));
    assertEquals(List.of(1f, 25f), Given.distances(r));
    assertEquals(0.5, r.hits().get(0).score(), 1e-6);
    assertEquals(1 / 26.0, r.hits().get(1).score(), 1e-6);
  }

  // ---- how many, and which page --------------------------------------------------------------

  @Test
  void anEmptyIndexFindsNothing() {
    VectorIndex index = settle(empty(2, COSINE));
    SearchResult r = index.search(VectorQuery.builder(v(1, 0)).seeds(List.of("x")).build());
    assertEquals(List.of(), r.hits());
    assertEquals(1, r.trace().seedsUnknown());
    assertEquals(0, index.size());
  }

  @Test
  void aLimitAboveTheSizeReturnsAll() {
    VectorIndex index = filled(EUCLIDEAN, line(3));
    assertEquals(
        List.of(id(0), id(1), id(2)), ids(index.search(VectorQuery.builder(ORIGIN).build())));
  }

  @Test
  void theDefaultLimitIsTen() {
    VectorIndex index = filled(EUCLIDEAN, line(30));
    assertEquals(10, index.search(VectorQuery.builder(ORIGIN).build()).hits().size());
  }

  @Test
  void efBelowTheLimitIsRaisedToItAndReported() {
    VectorIndex index = filled(COSINE, Vectors.units(1_000, 8).generate(Given.random(3)));
    float[] target = Vectors.unit(8).generate(Given.random(4));
    SearchResult r = index.search(VectorQuery.builder(target).ef(10).limit(50).build());
    assertEquals(50, r.hits().size());
    assertEquals(50, r.trace().effectiveEf());
    SearchResult paged =
        index.search(VectorQuery.builder(target).ef(100).offset(250).limit(200).build());
    assertEquals(200, paged.hits().size());
    assertEquals(450, paged.trace().effectiveEf());
  }

  @Test
  void pagesJoinToTheWholeOrderWithoutGapOrRepeat() {
    VectorIndex index = filled(COSINE, Vectors.units(100, 8).generate(Given.random(8)));
    VectorQuery.Builder query =
        VectorQuery.builder(Vectors.unit(8).generate(Given.random(9))).ef(110);
    List<String> whole = ids(index.search(query.limit(100).build()));
    assertEquals(100, new HashSet<>(whole).size());
    List<String> joined = new ArrayList<>();
    for (int offset = 0; offset <= 105; offset += 7) {
      joined.addAll(ids(index.search(query.offset(offset).limit(7).build())));
    }
    assertEquals(whole, joined);
  }

  @Test
  void equalDistancesAreOrderedByIdInUtf8() {
    VectorIndex index = empty(2, EUCLIDEAN);
    // UTF-16 order would put the whale, a surrogate pair, before U+E000
    List<String> order = List.of("a", "aa", "b", "é", "词", "\uE000", "\uD83D\uDC33");
    float[][] around = {v(1, 0), v(-1, 0), v(0, 1), v(0, -1), v(1, 0), v(-1, 0), v(0, 1)};
    for (int i : new int[] {6, 2, 4, 0, 5, 1, 3}) {
      index.add(order.get(i), around[i]);
    }
    index = settle(index);
    assertEquals(order, ids(index.search(VectorQuery.builder(ORIGIN).build())));
    for (int limit = 1; limit < 7; limit++) {
      assertEquals(
          order.subList(0, limit),
          ids(index.search(VectorQuery.builder(ORIGIN).ef(7).limit(limit).build())));
    }
  }

  @Test
  void minScoreCutsWhatIsFartherAndKeepsWhatIsJustOnIt() {
    VectorIndex index = filled(EUCLIDEAN, line(10)); // scores 1, 1/2, 1/5, 1/10, ...
    VectorQuery.Builder query = VectorQuery.builder(ORIGIN);
    assertEquals(List.of(id(0), id(1), id(2)), ids(index.search(query.minScore(0.2f).build())));
    assertEquals(List.of(id(0), id(1)), ids(index.search(query.minScore(0.21f).build())));
    assertEquals(List.of(id(0)), ids(index.search(query.minScore(1).build())));
    assertEquals(10, index.search(query.minScore(0).build()).hits().size());
    assertEquals(
        List.of(id(2)), ids(index.search(query.minScore(0.2f).offset(2).limit(5).build())));
  }

  // ---- filters -------------------------------------------------------------------------------

  @Test
  void aFilterOfListedIdsAndAPredicateMeanTheSame() {
    VectorIndex index = filled(EUCLIDEAN, line(100));
    Set<String> odd = Set.of(id(1), id(3), id(51), id(99), "not there");
    VectorQuery.Builder query = VectorQuery.builder(ORIGIN).limit(3);
    List<String> want = List.of(id(1), id(3), id(51));
    assertEquals(want, ids(index.search(query.accept(IdFilter.of(odd)).build())));
    assertEquals(want, ids(index.search(query.accept(IdFilter.where(odd::contains)).build())));
    assertEquals(
        List.of(), ids(index.search(query.accept(IdFilter.of(Set.of("not there"))).build())));
    assertEquals(List.of(), ids(index.search(query.accept(IdFilter.where(x -> false)).build())));
  }

  @Test
  void aFilterTreeIsCompiledAndMeetsTheIdFilter() {
    IdFilter low = IdFilter.where(x -> x.compareTo(id(50)) < 0);
    Map<String, IdFilter> known =
        Map.of(
            Filter.eq("half", "low").toString(),
            low,
            Filter.eq("parity", "odd").toString(),
            IdFilter.of(Set.of(id(11), id(13), id(61), id(63))));
    VectorIndex index =
        filled(Given.config(2, EUCLIDEAN).filterCompiler(f -> known.get(f.toString())), line(100));
    VectorQuery.Builder query = VectorQuery.builder(v(100, 0)).limit(2);
    assertEquals(
        List.of(id(49), id(48)), ids(index.search(query.filter(Filter.eq("half", "low")).build())));
    assertEquals(
        List.of(id(63), id(61)),
        ids(index.search(query.filter(Filter.eq("parity", "odd")).build())));
    assertEquals(List.of(id(13), id(11)), ids(index.search(query.accept(low).build())));
    assertThrows(
        IllegalStateException.class,
        () -> index.search(query.filter(Filter.eq("unknown", "to the compiler")).build()),
        "a compiler that returns null must not mean: no filter");
  }

  @Test
  void theFilterIsAskedAtMostOncePerIdAndCounted() {
    List<float[]> vectors = new ArrayList<>(Vectors.units(400, 8).generate(Given.random(1)));
    vectors.addAll(vectors.subList(0, 100)); // ids that share vectors are ids of their own
    VectorIndex index = filled(COSINE, vectors);
    for (int every : new int[] {1, 2, 7, 100, 1_000}) {
      Map<String, AtomicInteger> asked = new java.util.concurrent.ConcurrentHashMap<>();
      IdFilter filter =
          IdFilter.where(
              x -> {
                asked.computeIfAbsent(x, k -> new AtomicInteger()).incrementAndGet();
                return Integer.parseInt(x) % every == 0;
              });
      SearchResult r =
          index.search(VectorQuery.builder(vectors.get(7)).accept(filter).limit(20).build());
      assertEquals(Math.min(20, (500 + every - 1) / every), r.hits().size());
      asked.forEach((name, times) -> assertEquals(1, times.get(), () -> name + " was asked twice"));
      assertEquals(asked.size(), r.trace().filterEvaluations());
    }
  }

  @Test
  void aFilterThatThrowsReachesTheCallerAndTheNextSearchWorks() {
    List<float[]> vectors = Vectors.units(300, 8).generate(Given.random(1));
    VectorIndex index = filled(COSINE, vectors);
    IdFilter bad =
        IdFilter.where(
            x -> {
              if (x.equals(id(7))) {
                throw new UnsupportedOperationException("no opinion of " + x);
              }
              return true;
            });
    VectorQuery.Builder query = VectorQuery.builder(vectors.get(7)).limit(5);
    List<String> before = ids(index.search(query.build()));
    for (int i = 0; i < 3; i++) {
      UnsupportedOperationException e =
          assertThrows(
              UnsupportedOperationException.class, () -> index.search(query.accept(bad).build()));
      assertEquals("no opinion of 00007", e.getMessage());
      assertEquals(before, ids(index.search(query.accept(IdFilter.where(x -> true)).build())));
    }
  }

  @Test
  void aFilterMaySearchTheIndexItFilters() {
    List<float[]> vectors = Vectors.units(200, 8).generate(Given.random(1));
    VectorIndex index = filled(COSINE, vectors);
    IdFilter nested = IdFilter.where(x -> Given.top(index, vectors.get(3)).equals(id(3)));
    VectorQuery.Builder query = VectorQuery.builder(vectors.get(9)).limit(5);
    assertEquals(ids(index.search(query.build())), ids(index.search(query.accept(nested).build())));
  }

  // ---- several targets -----------------------------------------------------------------------

  @Test
  void aPassageGoodOnBothTargetsAndTopOnNeitherIsFound() {
    List<float[]> vectors = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      vectors.add(v(1, 0.001 * i, 0)); // nearest to the first target
      vectors.add(v(0.001 * i, 1, 0)); // nearest to the second
    }
    vectors.add(v(1, 1, 0)); // number 40
    VectorIndex index = filled(EUCLIDEAN, vectors);
    List<float[]> targets = List.of(v(3, 0, 0), v(0, 3, 0));
    SearchResult sum = index.search(VectorQuery.builder(targets).limit(3).build());
    assertEquals(id(40), ids(sum).getFirst());
    Hit hit = sum.hits().getFirst();
    assertEquals(5, hit.distance(), 1e-6);
    assertEquals(List.of(5f, 5f), hit.targetDistances());
    SearchResult min =
        index.search(VectorQuery.builder(targets).combine(Combine.MIN).limit(40).build());
    assertFalse(ids(min).contains(id(40)) && ids(min).indexOf(id(40)) < 38);
  }

  @Test
  void weightsAreNormalisedAndAWeightOfZeroSwitchesATargetOff() {
    VectorIndex index = filled(EUCLIDEAN, line(11));
    List<float[]> ends = List.of(v(0, 0), v(10, 0));
    for (float[] weights : new float[][] {{0.7f, 0.3f}, {7, 3}, {70, 30}}) {
      Hit hit =
          index
              .search(VectorQuery.builder(ends).weights(weights).limit(1).build())
              .hits()
              .getFirst();
      assertEquals(id(3), hit.id()); // the weighted mean of the ends
      assertEquals(0.7 * 9 + 0.3 * 49, hit.distance(), 1e-4);
    }
    SearchResult one = index.search(VectorQuery.builder(v(10, 0)).build());
    SearchResult two = index.search(VectorQuery.builder(ends).weights(0, 5).build());
    assertEquals(ids(one), ids(two));
    assertEquals(Given.distances(one), Given.distances(two));
  }

  @Test
  void minIsTheDistanceToTheNearestTarget() {
    VectorIndex index = filled(EUCLIDEAN, line(21));
    List<float[]> ends = List.of(v(0, 0), v(20, 0));
    SearchResult r = index.search(VectorQuery.builder(ends).combine(Combine.MIN).limit(5).build());
    assertEquals(List.of(id(0), id(20), id(1), id(19), id(2)), ids(r));
    assertEquals(List.of(0f, 0f, 1f, 1f, 4f), Given.distances(r));
    assertEquals(List.of(0, 1, 0, 1, 0), r.hits().stream().map(Hit::nearestTarget).toList());
    assertEquals(List.of(1f, 361f), r.hits().get(2).targetDistances());
  }

  @Test
  void eightTargetsWorkAndOneTargetHasNoTargetDistances() {
    VectorIndex index = filled(EUCLIDEAN, line(30));
    List<float[]> eight = IntStream.range(0, 8).mapToObj(i -> v(3 * i, 0)).toList();
    for (Combine combine : Combine.values()) {
      SearchResult r = index.search(VectorQuery.builder(eight).combine(combine).limit(9).build());
      assertEquals(9, r.hits().size());
      assertEquals(8, r.hits().getFirst().targetDistances().size());
    }
    assertEquals(
        List.of(),
        index.search(VectorQuery.builder(ORIGIN).build()).hits().getFirst().targetDistances());
  }

  // ---- diversity and exclusion ---------------------------------------------------------------

  @Test
  void whatWasServedIsNotServedAgainAndTheLimitIsStillFilled() {
    VectorIndex index = filled(EUCLIDEAN, line(300));
    List<String> served = IntStream.range(0, 250).mapToObj(Given::id).toList();
    List<String> against = new ArrayList<>(served);
    against.add("gone");
    against.add(id(0)); // twice is once
    SearchResult r =
        index.search(VectorQuery.builder(ORIGIN).diversify(Diversify.excluding(against)).build());
    assertEquals(IntStream.range(250, 260).mapToObj(Given::id).toList(), ids(r));
    assertEquals(250, r.trace().excluded());
    assertEquals(1, r.trace().againstUnknown());
    assertEquals(0, r.trace().poolSize());
  }

  @Test
  void whatWasServedMayComeBackWhenOnlyPenalised() {
    VectorIndex index = filled(EUCLIDEAN, List.of(v(0, 0), v(0.1, 0), v(2, 0)));
    Diversify penalise = Diversify.of(0.3).against(List.of(id(0), "gone")).exclude(false);
    SearchResult r = index.search(VectorQuery.builder(ORIGIN).diversify(penalise).build());
    // 2 is farther from what was served than 1; 0 itself is most like it
    assertEquals(Set.of(id(0), id(1), id(2)), Set.copyOf(ids(r)));
    assertEquals(id(2), ids(r).getFirst());
    assertEquals(0, r.trace().excluded());
    assertEquals(1, r.trace().againstUnknown());
  }

  @ParameterizedTest
  @EnumSource(Similarity.class)
  void lambdaOneIsPlainSearchAndLambdaZeroSpreads(Similarity similarity) {
    List<float[]> vectors = Vectors.clustered(120, 8, 6, 0.2).generate(Given.random(11));
    VectorIndex index = filled(similarity, vectors);
    VectorQuery.Builder query = VectorQuery.builder(vectors.getFirst()).limit(6);
    SearchResult plain = index.search(query.build());
    SearchResult one = index.search(query.diversify(Diversify.of(1)).build());
    assertEquals(plain.hits(), one.hits());
    SearchResult zero =
        index.search(query.ef(120).diversify(Diversify.of(0).poolSize(120)).build());
    assertEquals(zero.hits(), index.search(query.build()).hits());
    assertEquals(plain.hits().getFirst(), zero.hits().getFirst());
    Set<Integer> clusters = new HashSet<>();
    ids(zero).forEach(x -> clusters.add(Integer.parseInt(x) % 6));
    assertEquals(6, clusters.size(), () -> "clusters of " + ids(zero));
  }

  // ---- trace ---------------------------------------------------------------------------------

  @Test
  void theTraceCountsWhatWasDone() {
    List<float[]> vectors = Vectors.units(500, 16).generate(Given.random(2));
    VectorIndex index = filled(COSINE, vectors);
    SearchTrace plain = index.search(VectorQuery.builder(vectors.get(0)).build()).trace();
    assertEquals(100, plain.effectiveEf());
    assertTrue(plain.nodesVisited() >= 100 && plain.nodesVisited() <= 600, plain::toString);
    assertEquals(plain.nodesVisited() + plain.reranked(), plain.distancesComputed());
    assertEquals(0, plain.filterEvaluations());
    assertEquals(0, plain.poolSize() + plain.excluded() + plain.againstUnknown());
    assertFalse(plain.budgetExhausted());
    assertTrue(plain.nanos() > 0);
    List<float[]> three = vectors.subList(0, 3);
    SearchTrace min =
        index.search(VectorQuery.builder(three).combine(Combine.MIN).limit(2).build()).trace();
    // a node is compared with one to three targets, and the two hits with each once more
    assertTrue(
        min.distancesComputed() > min.nodesVisited()
            && min.distancesComputed() <= 3L * min.nodesVisited() + 6,
        min::toString);
    SearchTrace mmr =
        index
            .search(
                VectorQuery.builder(vectors.get(0))
                    .limit(20)
                    .diversify(Diversify.of(0.5).against(List.of(id(1), "x")))
                    .build())
            .trace();
    assertEquals(100, mmr.poolSize());
    assertEquals(1, mmr.excluded());
    assertEquals(1, mmr.againstUnknown());
    assertTrue(mmr.distancesComputed() > mmr.nodesVisited(), mmr::toString);
  }

  @Test
  void theHitsOfAResultCantBeChanged() {
    VectorIndex index = filled(EUCLIDEAN, line(5));
    SearchResult r = index.search(VectorQuery.builder(ORIGIN).build());
    Hit first = r.hits().getFirst();
    assertThrows(UnsupportedOperationException.class, () -> r.hits().set(0, r.hits().get(1)));
    assertThrows(UnsupportedOperationException.class, () -> r.hits().removeFirst());
    assertEquals(first, r.hits().getFirst());
    assertNull(first.seed());
  }
}
