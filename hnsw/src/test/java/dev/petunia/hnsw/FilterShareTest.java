package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.COSINE;
import static dev.petunia.hnsw.Given.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Hit;
import dev.petunia.core.IdFilter;
import dev.petunia.core.SearchResult;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Vectors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Filters of every share, wherever their matches lie from the query and however they come: min
 * (limit, matches) hits, and the nearest ones, already with a narrow beam. {@link #LEAST}.)
 */
class FilterShareTest {
  private static final int N = 20_000;
  private static final int DIMENSION = 32;
  private static final int QUERIES = 30;
  private static final int EF = 20;

  /** The lowest mean of a case was 0.993; at ef 100 all were 1. */
  private static final double LEAST = 0.97;

  private static final List<float[]> ALL =
      Vectors.clustered(N + QUERIES, DIMENSION, 200, 0.5).generate(Given.random(11));
  private static final List<float[]> VECTORS = ALL.subList(0, N);
  private static final Map<Quantization, HnswIndex> INDEXES =
      Map.of(
          Quantization.NONE,
          index(Quantization.NONE),
          Quantization.BITS2,
          index(Quantization.BITS2));

  private static HnswIndex index(Quantization kind) {
    return HnswIndex.inMemory(
        HnswConfig.builder(DIMENSION, COSINE).efConstruction(100).quantization(kind).build());
  }

  @BeforeAll
  static void fill() {
    INDEXES.values().forEach(index -> Given.fill(index, VECTORS));
  }

  private static Stream<Arguments> cases() {
    List<Arguments> out = new ArrayList<>();
    for (Quantization kind : List.of(Quantization.NONE, Quantization.BITS2)) {
      for (double share : new double[] {0.5, 0.1, 0.01, 0.001}) {
        for (String where : List.of("anywhere", "near", "far")) {
          for (String form : List.of("listed", "asked", "prepared")) {
            out.add(Arguments.of(kind, share, where, form));
          }
        }
      }
    }
    return out.stream();
  }

  @ParameterizedTest(name = "{0}: {1} match, {2}, {3}")
  @MethodSource("cases")
  void asManyAsMatchComeAndTheyAreTheNearest(
      Quantization kind, double share, String where, String form) {
    HnswIndex index = INDEXES.get(kind);
    double recall = 0;
    for (int q = 0; q < QUERIES; q++) {
      float[] target = ALL.get(N + q);
      List<Integer> order = byDistance(target);
      Set<Integer> matches = matches(order, share, where, Given.random(q));
      List<Integer> want = order.stream().filter(matches::contains).limit(10).toList();
      Set<String> ids = new HashSet<>();
      matches.forEach(i -> ids.add(id(i)));
      IdFilter filter =
          switch (form) {
            case "listed" -> IdFilter.of(ids);
            case "asked" -> IdFilter.where(ids::contains);
            default -> index.prepare(IdFilter.where(ids::contains));
          };
      SearchResult found = index.search(VectorQuery.builder(target).ef(EF).accept(filter).build());
      assertEquals(Math.min(10, matches.size()), found.hits().size(), found.trace()::toString);
      for (Hit hit : found.hits()) {
        assertTrue(ids.contains(hit.id()), () -> hit + " does not match");
        recall += want.contains(Integer.parseInt(hit.id())) ? 1.0 / want.size() / QUERIES : 0;
      }
    }
    double mean = recall;
    assertTrue(mean >= LEAST, () -> "mean recall " + mean);
  }

  private static List<Integer> byDistance(float[] target) {
    double[] dot = new double[N];
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < N; i++) {
      float[] v = VECTORS.get(i);
      for (int k = 0; k < DIMENSION; k++) {
        dot[i] += (double) v[k] * target[k];
      }
      order.add(i);
    }
    order.sort(Comparator.comparingDouble(i -> -dot[i]));
    return order;
  }

  /** Near, far: drawn from twice as many, the nearest or the farthest ones. */
  private static Set<Integer> matches(
      List<Integer> order, double share, String where, SplittableRandom random) {
    int count = (int) Math.round(share * N);
    List<Integer> from =
        switch (where) {
          case "near" -> order.subList(0, Math.min(N, 2 * count));
          case "far" -> order.subList(N - Math.min(N, 2 * count), N);
          default -> order;
        };
    if (share == 0.5 && !where.equals("anywhere")) {
      from = where.equals("near") ? order.subList(0, count) : order.subList(count, N);
    }
    Set<Integer> out = new HashSet<>();
    while (out.size() < count) {
      out.add(from.get(random.nextInt(from.size())));
    }
    return out;
  }
}
