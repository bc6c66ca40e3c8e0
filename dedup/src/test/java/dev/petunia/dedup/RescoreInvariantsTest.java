package dev.petunia.dedup;

import static dev.petunia.dedup.RescorerTest.QUERY;
import static dev.petunia.dedup.RescorerTest.candidates;
import static dev.petunia.dedup.RescorerTest.ids;
import static dev.petunia.dedup.RescorerTest.set;
import static dev.petunia.dedup.RescorerTest.sharing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.testing.Property;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How far the third signal reaches, and what it must leave alone. */
class RescoreInvariantsTest {
  private static final double TIE = 0.005;

  private static RescoreCandidate unlike(String id, double rrf) {
    return new RescoreCandidate(id, rrf, set(5000, 5050));
  }

  @Test
  void scoresThatDifferInTheirLastBitKeepTheirOrder() {
    // divided by the best they are equal, and then the ids would decide
    double best = 1.1;
    double less = 0.9;
    while (less / best != Math.nextUp(less) / best) {
      less = Math.nextUp(less);
    }
    RescoreResult r =
        Rescorer.v1()
            .rescore(
                QUERY,
                List.of(unlike("a", less), unlike("b", Math.nextUp(less)), unlike("c", best)));
    assertEquals(List.of("c", "b", "a"), ids(r));
  }

  private static boolean isTie(Rescored x, Rescored y) {
    return Math.abs(x.detail().orElseThrow().score() - y.detail().orElseThrow().score()) < TIE;
  }

  /** Whether "within 0.005 of each other" makes groups, so that an order by pairs is one. */
  private static boolean isEquivalence(List<Rescored> all) {
    for (Rescored x : all) {
      for (Rescored y : all) {
        for (Rescored z : all) {
          if (isTie(x, y) && isTie(y, z) && !isTie(x, z)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  @Test
  void groupsAreThoseOfTheRuleByPairsWhereThatIsAnOrder() {
    AtomicInteger compared = new AtomicInteger();
    AtomicInteger ties = new AtomicInteger();
    Comparator<Rescored> withinTie =
        Comparator.<Rescored>comparingDouble(x -> -x.detail().orElseThrow().jaccard())
            .thenComparingDouble(x -> -x.rrf())
            .thenComparing(Rescored::id);
    Comparator<Rescored> byPairs =
        (x, y) ->
            isTie(x, y)
                ? withinTie.compare(x, y)
                : Double.compare(
                    y.detail().orElseThrow().score(), x.detail().orElseThrow().score());
    Property.check(
        "groups are those of the rule by pairs",
        2_000,
        candidates(8),
        c -> {
          List<Rescored> ranked = Rescorer.v1().rescore(QUERY, c).ranked();
          if (isEquivalence(ranked)) {
            assertEquals(ranked.stream().sorted(byPairs).toList(), ranked);
            compared.incrementAndGet();
            for (int i = 1; i < ranked.size(); i++) {
              ties.addAndGet(isTie(ranked.get(i - 1), ranked.get(i)) ? 1 : 0);
            }
          }
        });
    assertTrue(compared.get() > 500 && ties.get() > 100, () -> compared + " with ties " + ties);
  }

  /** Ten candidates that both lists have at the same ranks; one shares something with the query. */
  private static String firstWhen(int rank, ShingleSet shares) {
    List<RescoreCandidate> c = new ArrayList<>();
    for (int i = 1; i <= 10; i++) {
      double rrf = 2.0 / (60 + i);
      c.add(i == rank ? new RescoreCandidate("r" + i, rrf, shares) : unlike("r" + i, rrf));
    }
    return ids(Rescorer.v1().rescore(QUERY, c)).getFirst();
  }

  @Test
  void similarityBelowTheTierReachesSomeRanksUpAndNoFurther() {
    assertEquals("r2", firstWhen(2, sharing(16, 16))); // J = 0.16
    assertEquals("r4", firstWhen(4, sharing(30, 30)));
    assertEquals("r8", firstWhen(8, sharing(59, 59)));
    assertEquals("r1", firstWhen(2, sharing(5, 5)));
    assertEquals("r1", firstWhen(4, sharing(16, 16)));
    assertEquals("r1", firstWhen(10, sharing(59, 59)));
    assertEquals("r10", firstWhen(10, sharing(60, 60)));
  }

  @Test
  void candidateOfOneListIsSavedByTheTierOnly() {
    List<RescoreCandidate> both = new ArrayList<>();
    for (int i = 1; i <= 10; i++) {
      both.add(unlike("both" + i, 2.0 / (60 + i)));
    }
    for (int shared : new int[] {0, 30, 59, 60}) {
      List<RescoreCandidate> c = new ArrayList<>(both);
      c.add(new RescoreCandidate("one", 1.0 / 61, sharing(shared, 60)));
      // 60 of 100 is at the border of the tier, 59 of 101 below
      List<String> ids = ids(Rescorer.v1().rescore(QUERY, c));
      assertEquals(shared == 60 ? "one" : "both1", ids.getFirst());
      assertEquals(shared == 60 ? 0 : 10, ids.indexOf("one"), ids::toString);
    }
  }

  @Test
  void equalScoresAtTheLimitAreCutById() {
    List<RescoreCandidate> c = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      c.add(unlike("c" + (100 + i), 0.01));
    }
    c.addFirst(new RescoreCandidate("c999", 0.01, QUERY));
    List<String> ids = ids(Rescorer.v1().rescore(QUERY, c));
    assertEquals("c999", ids.getLast());
    c.removeLast();
    assertEquals("c999", ids(Rescorer.v1().rescore(QUERY, c)).getFirst());
  }
}
