package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.COSINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Diversify;
import dev.petunia.core.Hit;
import dev.petunia.core.IdFilter;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Vectors;
import dev.petunia.hnsw.Explanation.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Why an id was returned or not, and what an index takes. */
class ExplainTest {
  private static final List<float[]> VECTORS =
      Vectors.clustered(600, 24, 12, 0.5).generate(Given.random(1));

  @Test
  void everyOutcomeIsTold() {
    HnswIndex index = Given.hnsw(COSINE, VECTORS);
    float[] asked = VECTORS.get(3);
    List<Hit> all = index.search(VectorQuery.builder(asked).ef(600).limit(600).build()).hits();
    VectorQuery page = VectorQuery.builder(asked).ef(600).offset(2).limit(3).build();
    for (int rank : new int[] {0, 1, 2, 4, 5, 599}) {
      Hit hit = all.get(rank);
      Explanation e = index.explain(page, hit.id());
      Outcome outcome =
          rank < 2 ? Outcome.BEFORE_PAGE : rank < 5 ? Outcome.RETURNED : Outcome.BEYOND_LIMIT;
      assertEquals(outcome, e.outcome());
      assertEquals(rank, e.rank());
      assertEquals(hit.distance(), e.distance(), 1e-6);
      assertEquals(hit.score(), e.score(), 1e-6);
      assertTrue(e.toString().contains(outcome.toString()), e::toString);
    }
    String near = all.get(4).id();
    assertEquals(Outcome.NOT_IN_INDEX, index.explain(page, "nobody").outcome());
    VectorQuery filtered = page.toBuilder().accept(IdFilter.where(id -> !id.equals(near))).build();
    assertEquals(Outcome.FILTERED_OUT, index.explain(filtered, near).outcome());
    VectorQuery excluding = page.toBuilder().diversify(Diversify.excluding(List.of(near))).build();
    assertEquals(Outcome.EXCLUDED, index.explain(excluding, near).outcome());
    VectorQuery high =
        page.toBuilder().minScore((all.get(3).score() + all.get(4).score()) / 2).build();
    assertEquals(Outcome.BELOW_MIN_SCORE, index.explain(high, near).outcome());
    VectorQuery diverse =
        page.toBuilder().offset(0).limit(12).diversify(Diversify.of(0.1).poolSize(300)).build();
    long crowdedOut =
        all.subList(0, 12).stream()
            .filter(h -> index.explain(diverse, h.id()).outcome() == Outcome.LESS_DIVERSE)
            .count();
    assertTrue(crowdedOut > 0, "of twelve near ones of one cluster some make room");
    index.close();
  }

  @Test
  void aMissIsToldWithTheEfThatFindsIt() {
    List<float[]> many = Vectors.units(4_000, 24).generate(Given.random(3)); // hard: no structure
    try (HnswIndex index = Given.hnsw(COSINE, many);
        ExactIndex exact = Given.exact(COSINE, many)) {
      int missed = 0;
      for (int q = 0; q < 200; q++) {
        float[] asked = Vectors.unit(24).generate(Given.random(100 + q));
        VectorQuery query = VectorQuery.builder(asked).ef(10).limit(10).build();
        List<String> found = Given.ids(index.search(query));
        for (String id : Given.ids(exact.search(query))) {
          Explanation e = index.explain(query, id);
          assertEquals(found.contains(id) ? Outcome.RETURNED : Outcome.MISSED, e.outcome());
          if (e.outcome() == Outcome.MISSED) {
            missed++;
            assertTrue(e.rank() < 10 && e.foundAtEf() > 10, e::toString);
            VectorQuery wider = query.toBuilder().ef(e.foundAtEf()).build();
            assertTrue(Given.ids(index.search(wider)).contains(id));
          }
        }
      }
      assertTrue(missed > 20, "ef 10 should miss some of these: " + missed);
    }
  }
}
