package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Diversify;
import dev.petunia.core.Hit;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.SearchResult;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.VectorIndex;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Property;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Both indexes against {@link Oracle}: all options at once, on small sets with copies and ties. */
class OracleTest {
  private static final double EPSILON = 2e-5;

  @Test
  void theExactIndexGivesTheExactAnswerOfAllOptionsTogether() {
    Property.check(
        "ExactIndex gives the oracle's answer, ties included",
        600,
        Cases.any(150, true),
        c -> {
          try (VectorIndex index = new ExactIndex(c.config())) {
            same(c, put(c, index).search(c.query));
          }
        });
  }

  @Test
  void theGraphWithRoomForAllGivesTheExactAnswerToo() {
    Property.check(
        "HnswIndex with ef above the size gives the oracle's answer, ties included",
        250,
        Cases.any(150, true),
        c -> {
          try (HnswIndex index = HnswIndex.inMemory(c.config())) {
            SearchResult result = put(c, index).search(c.query);
            index.verify();
            same(c, result);
            for (Hit hit : result.hits()) {
              assertTrue(hit.seed() == null || c.query.seeds().contains(hit.seed()));
            }
          }
        });
  }

  @Test
  void theAnswerIsExactUpToRoundingOnAnyVectors() {
    Property.check(
        "both indexes give the oracle's answer up to rounding",
        200,
        Cases.any(150, false),
        c -> {
          VectorQuery query = c.query.toBuilder().offset(0).build();
          try (VectorIndex exact = new ExactIndex(c.config());
              HnswIndex graph = HnswIndex.inMemory(c.config())) {
            nearlySame(c, query, put(c, exact).search(query));
            nearlySame(c, query, put(c, graph).search(query));
            graph.verify();
          }
        });
  }

  private static VectorIndex put(Cases.Case c, VectorIndex index) {
    List<VectorEntry> batch = new ArrayList<>();
    c.vectors.forEach((id, v) -> batch.add(new VectorEntry(id, v)));
    index.upsertAll(batch, ProgressListener.NONE);
    c.deleted.forEach(index::delete);
    return index;
  }

  private static void same(Cases.Case c, SearchResult result) {
    Oracle oracle = c.oracle();
    List<Oracle.Found> want = oracle.search(c.query, c.filter());
    assertEquals(want.stream().map(Oracle.Found::id).toList(), Given.ids(result));
    for (int i = 0; i < want.size(); i++) {
      Hit hit = result.hits().get(i);
      assertEquals(want.get(i).distance(), hit.distance());
      assertEquals(oracle.score(want.get(i).distance()), hit.score());
      if (c.query.targetCount() > 1) {
        assertEquals(
            want.get(i).targetDistances(),
            hit.targetDistances().stream().map(d -> (double) d).toList());
      }
    }
    trace(c, result);
  }

  private static void trace(Cases.Case c, SearchResult result) {
    VectorQuery query = c.query;
    Diversify diversify = query.diversify().orElse(null);
    if (diversify != null) {
      long known =
          diversify.against().stream()
              .filter(id -> c.vectors.containsKey(id) && !c.deleted.contains(id))
              .count();
      assertEquals(diversify.against().size() - known, result.trace().againstUnknown());
      assertEquals(diversify.exclude() ? known : 0, result.trace().excluded());
      if (diversify.lambda() < 1) {
        long may = c.oracle().ranked(query, c.filter()).size();
        assertEquals(Math.min(Oracle.pool(query), may), result.trace().poolSize());
      }
    }
    long unknownSeeds =
        query.seeds().stream()
            .filter(id -> !c.vectors.containsKey(id) || c.deleted.contains(id))
            .count();
    assertEquals(unknownSeeds, result.trace().seedsUnknown());
  }

  private static void nearlySame(Cases.Case c, VectorQuery query, SearchResult result) {
    Oracle oracle = c.oracle();
    List<Oracle.Found> ranked = oracle.ranked(query, c.filter());
    boolean greedy = query.diversify().isPresent() && query.diversify().get().lambda() < 1;
    List<Oracle.Found> left =
        new ArrayList<>(
            greedy ? ranked.subList(0, Math.min(ranked.size(), Oracle.pool(query))) : ranked);
    assertEquals(Math.min(query.limit(), left.size()), result.hits().size());
    List<String> selected = new ArrayList<>();
    if (greedy && !query.diversify().get().exclude()) {
      query.diversify().get().against().stream()
          .filter(id -> c.vectors.containsKey(id) && !c.deleted.contains(id))
          .forEach(selected::add);
    }
    for (Hit hit : result.hits()) {
      Oracle.Found found =
          left.stream()
              .filter(f -> f.id().equals(hit.id()))
              .findFirst()
              .orElseThrow(() -> new AssertionError(hit + " is not among those that may come"));
      assertEquals(found.distance(), hit.distance(), EPSILON * (1 + Math.abs(found.distance())));
      double lambda = greedy ? query.diversify().get().lambda() : 1;
      double value = oracle.value(lambda, found, selected);
      double best =
          left.stream().mapToDouble(f -> oracle.value(lambda, f, selected)).max().orElseThrow();
      assertTrue(value >= best - EPSILON, () -> hit + " has " + value + ", the best has " + best);
      left.remove(found);
      if (greedy) {
        selected.add(hit.id());
      }
    }
  }
}
