package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Combine;
import dev.petunia.core.IdFilter;
import dev.petunia.core.SearchResult;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Vectors;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Mean recall over whole runs; a single query may miss, so none is promised by itself. */
class RecallTest {
  private static final int N = 3_000;
  private static final int DIMENSION = 32;
  private static final List<float[]> VECTORS =
      Vectors.clustered(N, DIMENSION, 60, 0.6).generate(Given.random(1));
  private static final Map<Similarity, HnswIndex> GRAPHS = new EnumMap<>(Similarity.class);
  private static final Map<Similarity, ExactIndex> EXACT = new EnumMap<>(Similarity.class);

  @BeforeAll
  static void fill() {
    for (Similarity similarity : Similarity.values()) {
      GRAPHS.put(similarity, Given.hnsw(similarity, VECTORS));
      EXACT.put(similarity, Given.exact(similarity, VECTORS));
    }
  }

  /** Near to a stored vector, as a question is to a passage. */
  private static float[] question(int q) {
    SplittableRandom random = Given.random(10_000 + q);
    float[] noise = Vectors.unit(DIMENSION).generate(random);
    float[] target = VECTORS.get(random.nextInt(N)).clone();
    for (int i = 0; i < DIMENSION; i++) {
      target[i] += 0.5f * noise[i];
    }
    return Vectors.normalise(target);
  }

  private static double mean(
      Similarity similarity, int queries, Function<Integer, VectorQuery> query) {
    double sum = 0;
    for (int q = 0; q < queries; q++) {
      VectorQuery built = query.apply(q);
      SearchResult found = GRAPHS.get(similarity).search(built);
      sum += Given.recall(EXACT.get(similarity).search(built), found);
    }
    return sum / queries;
  }

  @ParameterizedTest
  @EnumSource(Similarity.class)
  void aModerateEfFindsNearlyAllOfTheTenNearest(Similarity similarity) {
    Map<Integer, Double> recall = new LinkedHashMap<>();
    for (int ef : new int[] {16, 50, 100}) {
      recall.put(ef, mean(similarity, 200, q -> VectorQuery.builder(question(q)).ef(ef).build()));
    }
    assertTrue(recall.get(16) >= 0.9, recall::toString);
    assertTrue(recall.get(50) >= 0.98, recall::toString);
    assertTrue(recall.get(100) >= 0.99, recall::toString);
  }

  @ParameterizedTest
  @EnumSource(Similarity.class)
  void aWeightedSumOfSeveralTargetsIsFoundInOneWalk(Similarity similarity) {
    double recall =
        mean(
            similarity,
            100,
            q ->
                VectorQuery.builder(List.of(question(3 * q), question(3 * q + 1)))
                    .weights(0.7f, 0.3f)
                    .build());
    assertTrue(recall >= 0.97, () -> "mean recall " + recall);
  }

  @ParameterizedTest
  @EnumSource(Similarity.class)
  void theMinimumOverSeveralTargetsIsFoundInOneWalk(Similarity similarity) {
    double recall =
        mean(
            similarity,
            100,
            q ->
                VectorQuery.builder(List.of(question(3 * q), question(3 * q + 1), question(q)))
                    .combine(Combine.MIN)
                    .build());
    assertTrue(recall >= 0.95, () -> "mean recall " + recall);
  }

  @ParameterizedTest
  @EnumSource(Quantization.class)
  void walksByCodesFindWhatWalksByFloatsFind(Quantization kind) {
    for (Similarity similarity : Similarity.values()) {
      try (HnswIndex coded = Given.hnsw(similarity, kind, VECTORS)) {
        for (int ef : new int[] {16, 50, 100}) {
          for (int form = 0; form < 6; form++) {
            double floats = 0;
            double codes = 0;
            for (int q = 0; q < 100; q++) {
              VectorQuery query = form(form, q).ef(ef).build();
              SearchResult exact = EXACT.get(similarity).search(query);
              floats += Given.recall(exact, GRAPHS.get(similarity).search(query)) / 100;
              codes += Given.recall(exact, coded.search(query)) / 100;
            }
            String what = kind + " " + similarity + " ef " + ef + " form " + form;
            assertTrue(codes >= 0.99 * floats, what + ": " + codes + " against " + floats);
          }
        }
      }
    }
  }

  /** One target, seeds, weighted sum, minimum, filters. */
  private static VectorQuery.Builder form(int form, int q) {
    return switch (form) {
      case 0 -> VectorQuery.builder(question(q));
      case 1 -> VectorQuery.builder(question(q)).seeds(List.of(Given.id(q), Given.id(q + 500)));
      case 2 -> VectorQuery.builder(List.of(question(q), question(q + 1))).weights(0.7f, 0.3f);
      case 3 -> VectorQuery.builder(List.of(question(q), question(q + 1))).combine(Combine.MIN);
      case 4 ->
          VectorQuery.builder(question(q))
              .accept(IdFilter.where(id -> Integer.parseInt(id) % 4 == q % 4));
      default -> // so few that a walk goes by two hops
          VectorQuery.builder(question(q))
              .accept(IdFilter.where(id -> Integer.parseInt(id) % 15 == q % 15));
    };
  }

  @ParameterizedTest
  @EnumSource(Quantization.class)
  void everyStoredVectorFindsItselfByCodesToo(Quantization kind) {
    for (Similarity similarity : Similarity.values()) {
      try (HnswIndex coded = Given.hnsw(similarity, kind, VECTORS)) {
        for (int i = 0; i < N; i++) {
          float[] v = VECTORS.get(i);
          String top =
              coded.search(VectorQuery.builder(v).ef(1).limit(1).build()).hits().getFirst().id();
          assertEquals(Given.id(i), top);
        }
      }
    }
  }

  @Test
  void aWeightedSumBeatsJoiningTheAnswersOfEachTarget() {
    ExactIndex exact = EXACT.get(Similarity.COSINE);
    HnswIndex graph = GRAPHS.get(Similarity.COSINE);
    double joined = 0;
    double walked = 0;
    for (int q = 0; q < 100; q++) {
      List<float[]> targets = List.of(question(2 * q), question(2 * q + 1));
      VectorQuery query = VectorQuery.builder(targets).build();
      SearchResult want = exact.search(query);
      walked += Given.recall(want, graph.search(query)) / 100;
      List<String> join = new ArrayList<>();
      for (float[] target : targets) { // exact for each, which the peers' searches are not
        join.addAll(Given.ids(exact.search(VectorQuery.builder(target).build())));
      }
      joined += Given.ids(want).stream().filter(join::contains).count() / 1_000.0;
    }
    double w = walked;
    double j = joined;
    assertTrue(w >= 0.97 && j < w - 0.2, () -> "one walk " + w + ", joined " + j);
  }

  @Test
  void everyStoredVectorFindsItself() {
    for (Similarity similarity : Similarity.values()) {
      HnswIndex graph = GRAPHS.get(similarity);
      int found = 0;
      for (int i = 0; i < N; i++) {
        found += Given.top(graph, VECTORS.get(i)).equals(Given.id(i)) ? 1 : 0;
      }
      int all = found;
      assertTrue(all == N, () -> similarity + ": " + all + " of " + N);
    }
  }
}
