package dev.petunia.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.testing.Expect;
import dev.petunia.core.testing.Generator;
import dev.petunia.core.testing.Property;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RescorerTest {
  static ShingleSet set(long from, long to) {
    return new ShingleSet(LongStream.range(from, to).toArray(), (int) (to - from + 4), 1);
  }

  static final ShingleSet QUERY = set(0, 100);

  /** Shares so many shingles with the query and has so many in all. */
  static ShingleSet sharing(int shared, int size) {
    return set(100 - shared, 100 - shared + size);
  }

  static List<String> ids(RescoreResult r) {
    return r.ranked().stream().map(Rescored::id).toList();
  }

  static Generator<List<RescoreCandidate>> candidates(int most) {
    return random -> {
      List<RescoreCandidate> out = new ArrayList<>();
      int n = random.nextInt(most + 1);
      for (int i = 0; i < n; i++) {
        double rrf =
            random.nextInt(9) == 0
                ? 0
                : 1.0 / (60 + random.nextInt(1, n + 1)) * random.nextInt(1, 3);
        int shared = random.nextInt(3) == 0 ? random.nextInt(101) : 0;
        out.add(
            new RescoreCandidate(
                "c" + i,
                rrf,
                random.nextInt(8) == 0
                    ? null
                    : sharing(shared, Math.max(1, shared + random.nextInt(120)))));
      }
      return out;
    };
  }

  /** Sorted and distinct; small numbers, great ones, and such that share their leading bits. */
  private static Generator<long[]> hashes() {
    return random -> {
      int kind = random.nextInt(3);
      return LongStream.generate(
              () ->
                  switch (kind) {
                    case 0 -> random.nextLong(40) - 20;
                    case 1 -> random.nextLong() << 60 | random.nextLong(300);
                    default -> random.nextLong(90) * 0x9E3779B97F4A7C15L;
                  })
          .limit(random.nextInt(400))
          .distinct()
          .boxed()
          .sorted(Long::compareUnsigned)
          .mapToLong(x -> x)
          .toArray();
    };
  }

  @Test
  void lookingUpSharesWhatMergingShares() {
    Property.check(
        "a query met by several sets",
        300,
        random -> Stream.generate(() -> hashes().generate(random)).limit(3).toList(),
        sets -> {
          QueryTable query = new QueryTable(sets.getFirst());
          for (long[] s : sets) {
            long[] q = sets.getFirst();
            assertEquals(Jaccard.intersection(q, q.length, s, s.length), query.shared(s));
          }
        });
  }

  @Test
  void theOrderOfTheInputDoesNotMatter() {
    Property.check(
        "the order of the input does not matter",
        300,
        candidates(160),
        c -> {
          RescoreConfig config = RescoreConfig.DEFAULT.withContainment(c.size() % 2 == 0);
          RescoreResult first = new Rescorer(config).rescore(QUERY, c);
          List<RescoreCandidate> other = new ArrayList<>(c);
          Collections.shuffle(other, new Random(c.size()));
          assertEquals(first, new Rescorer(config).rescore(QUERY, other));
          assertEquals(c.size(), new HashSet<>(ids(first)).size());
        });
  }

  @Test
  void theTierComesFirstAndScoresAreFinite() {
    Property.check(
        "the tier comes first",
        300,
        candidates(100),
        c -> {
          RescoreResult r =
              new Rescorer(RescoreConfig.DEFAULT.withContainment(true)).rescore(QUERY, c);
          int rank = 0;
          for (Rescored x : r.ranked()) {
            Rescored.Detail d = x.detail().orElseThrow();
            assertTrue(Double.isFinite(d.score()) && d.rrfNorm() >= 0 && d.rrfNorm() <= 1);
            assertTrue(d.tier().ordinal() >= rank, () -> "tiers are mixed: " + r.ranked());
            rank = d.tier().ordinal();
            assertEquals(d.tier() == Rescored.Tier.JACCARD, d.jaccard() >= 0.6);
            switch (d.tier()) {
              case JACCARD -> assertEquals(1 + d.jaccard(), d.score());
              case CONTAINMENT -> assertTrue(d.score() >= 1.47 && d.score() <= 1.59);
              case FUSED -> assertTrue(d.score() <= 0.95);
            }
          }
        });
  }

  @Test
  void withoutSimilarityTheOrderIsThatOfRankFusion() {
    Property.check(
        "without similarity the order is that of rank fusion",
        200,
        candidates(150),
        c -> {
          List<RescoreCandidate> unlike =
              c.stream().map(x -> new RescoreCandidate(x.id(), x.rrf(), set(5000, 5050))).toList();
          List<String> byRrf =
              unlike.stream()
                  .sorted(
                      Comparator.<RescoreCandidate>comparingDouble(x -> -x.rrf())
                          .thenComparing(RescoreCandidate::id))
                  .map(RescoreCandidate::id)
                  .toList();
          assertEquals(byRrf, ids(Rescorer.v1().rescore(QUERY, unlike)));
        });
  }

  @Test
  void anOrdinaryQuestionChangesNothing() {
    List<RescoreCandidate> c = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      c.add(
          new RescoreCandidate(
              "c" + i,
              1.0 / (61 + i),
              Shingler.v1()
                  .shingles("what is a vector index and how does it work in chapter " + i)));
    }
    RescoreResult r = Rescorer.v1().rescore(Shingler.v1().shingles("vector index work?"), c);
    assertEquals(c.stream().map(RescoreCandidate::id).toList(), ids(r));
    List<RescoreCandidate> twin = new ArrayList<>(c);
    twin.add(new RescoreCandidate("twin", 0, Shingler.v1().shingles("Vector index: work")));
    assertEquals(
        "twin",
        ids(Rescorer.v1().rescore(Shingler.v1().shingles("vector index work?"), twin)).getFirst());
  }

  @Test
  void aCandidateBeyondTheLimitChangesNothingAndKeepsItsPlace() {
    List<RescoreCandidate> c = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      c.add(new RescoreCandidate("c" + i, 1.0 / (61 + i), sharing(i % 7, 50)));
    }
    List<String> before = ids(Rescorer.v1().rescore(QUERY, c));
    c.add(new RescoreCandidate("late", 0.001, QUERY));
    RescoreResult r = Rescorer.v1().rescore(QUERY, c);
    assertEquals(before, ids(r).subList(0, 100));
    assertEquals("late", ids(r).getLast());
    assertTrue(r.ranked().getLast().detail().isEmpty() && r.ranked().getLast().overlap().isEmpty());
  }

  @Test
  void theBorderOfTheTierIsExact() {
    // 75 of 125 is 0.6; 74 of 124 is a little less
    RescoreResult r =
        Rescorer.v1()
            .rescore(
                QUERY,
                List.of(
                    new RescoreCandidate("first", 1, set(500, 600)),
                    new RescoreCandidate("at", 0.001, sharing(75, 100)),
                    new RescoreCandidate("below", 0.001, sharing(74, 98))));
    assertEquals(new Overlap(75, 125), r.ranked().getFirst().overlap().orElseThrow());
    assertEquals(List.of("at", "first", "below"), ids(r));
  }

  @Test
  void aTieIsWithTheLeaderNotWithTheNeighbour() {
    // scores 0.900, 0.896, 0.892 with growing J: the third is within 0.005 of the second only
    RescoreResult r =
        Rescorer.v1()
            .rescore(
                QUERY,
                List.of(
                    new RescoreCandidate("top", 1.0, null),
                    new RescoreCandidate("a", (0.800 - 0.15 * 0.10) / 0.85, sharing(20, 120)),
                    new RescoreCandidate("b", (0.796 - 0.15 * 0.20) / 0.85, sharing(40, 140)),
                    new RescoreCandidate("c", (0.792 - 0.15 * 0.30) / 0.85, sharing(60, 160))));
    assertEquals(List.of("top", "b", "a", "c"), ids(r));
  }

  @Test
  void aFewSimilarityPointsOutweighNeighbouringRanks() {
    List<RescoreCandidate> c = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      c.add(new RescoreCandidate("r" + (i + 1), 2.0 / (61 + i), i == 7 ? sharing(74, 98) : null));
    }
    assertEquals("r8", ids(Rescorer.v1().rescore(QUERY, c)).getFirst(), "J = 0.597 at rank 8");
  }

  @Test
  void aFoundTwinComesBeforeRankFusion() {
    List<RescoreCandidate> c = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      c.add(new RescoreCandidate("both" + i, 2.0 / (61 + i), set(1000, 1100)));
    }
    c.add(new RescoreCandidate("exact", 1.0 / 80, QUERY));
    assertEquals("exact", ids(Rescorer.v1().rescore(QUERY, c)).getFirst());
  }

  @Test
  void anotherVersionCountsAsNothingAndIsFlagged() {
    ShingleSet old = new ShingleSet(QUERY.hashes(), 104, 2);
    RescoreResult r =
        Rescorer.v1()
            .rescore(
                QUERY,
                List.of(
                    new RescoreCandidate("old", 0.5, old),
                    new RescoreCandidate("none", 0.4, null),
                    new RescoreCandidate("best", 1, set(500, 600))));
    assertEquals(List.of("old"), r.stale());
    assertEquals(List.of("none"), r.missing());
    assertEquals(List.of("best", "old", "none"), ids(r));
    assertTrue(r.ranked().get(1).overlap().isEmpty());
  }

  @Test
  void noScoresAtAllAreNoProblem() {
    RescoreResult r =
        Rescorer.v1()
            .rescore(
                QUERY,
                List.of(
                    new RescoreCandidate("b", 0, null),
                    new RescoreCandidate("a", 0, sharing(10, 50))));
    assertEquals(List.of("a", "b"), ids(r));
    assertEquals(1.0, r.ranked().getFirst().detail().orElseThrow().rrfNorm());
    assertEquals(List.of(), Rescorer.v1().rescore(QUERY, List.of()).ranked());
    Set<String> same = Set.of("a", "b");
    assertEquals(
        same,
        Set.copyOf(
            ids(
                Rescorer.v1()
                    .rescore(
                        set(0, 0),
                        List.of(
                            new RescoreCandidate("a", 0, set(0, 0)),
                            new RescoreCandidate("b", 0, QUERY))))));
  }

  @Test
  void containmentIsOffUntilAskedForAndStopsAtBoilerplate() {
    List<RescoreCandidate> c = new ArrayList<>();
    c.add(new RescoreCandidate("top", 1, set(1000, 1100)));
    c.add(new RescoreCandidate("holds", 0.1, sharing(90, 400)));
    assertEquals("top", ids(Rescorer.v1().rescore(QUERY, c)).getFirst());
    Rescorer on = new Rescorer(RescoreConfig.DEFAULT.withContainment(true));
    Rescored first = on.rescore(QUERY, c).ranked().getFirst();
    assertEquals("holds", first.id());
    assertEquals(1 + 0.59 * 0.9, first.detail().orElseThrow().score(), 1e-12);
    for (int i = 0; i < 20; i++) {
      c.add(new RescoreCandidate("h" + i, 0.05, sharing(90, 400)));
    }
    RescoreResult r = on.rescore(QUERY, c);
    assertTrue(r.isBoilerplateQuery());
    assertEquals("top", ids(r).getFirst());
    // short queries are contained in too much
    ShingleSet shortQuery = set(0, 15);
    assertFalse(
        on.rescore(shortQuery, List.of(new RescoreCandidate("x", 1, set(0, 400))))
                .ranked()
                .getFirst()
                .detail()
                .orElseThrow()
                .tier()
            == Rescored.Tier.CONTAINMENT);
  }

  @Test
  void howMuchOfHowLongAQueryMustBeContainedCanBeSet() {
    ShingleSet query = set(0, 4);
    // three of four shingles: 75 percent
    RescoreCandidate c = new RescoreCandidate("x", 1, set(1, 400));
    RescoreConfig loose = RescoreConfig.DEFAULT.withContainment(75, 4);
    assertEquals(Rescored.Tier.CONTAINMENT, tier(loose, query, c));
    assertEquals(Rescored.Tier.FUSED, tier(loose.withContainment(76, 4), query, c));
    assertEquals(Rescored.Tier.FUSED, tier(loose.withContainment(75, 5), query, c));
    assertEquals(Rescored.Tier.FUSED, tier(loose.withContainment(false), query, c));
    assertEquals(loose, loose.withContainment(false).withLimit(100).withContainment(true));
  }

  private static Rescored.Tier tier(RescoreConfig config, ShingleSet query, RescoreCandidate c) {
    Rescored r = new Rescorer(config).rescore(query, List.of(c)).ranked().getFirst();
    return r.detail().orElseThrow().tier();
  }

  @Test
  void badInputIsRefused() {
    Expect.refused("rrf", "NaN", "0.0 to", () -> new RescoreCandidate("a", Double.NaN, null));
    Expect.refused("rrf", "-1.0", "0.0 to", () -> new RescoreCandidate("a", -1, null));
    Expect.refused(
        "candidates",
        "\"a\"",
        "each id once",
        () ->
            Rescorer.v1()
                .rescore(
                    QUERY,
                    List.of(
                        new RescoreCandidate("a", 1, null), new RescoreCandidate("a", 2, null))));
    Expect.refused(
        "tie", "0.1", "0.0 to 0.005", () -> new RescoreConfig(100, 60, 0.85, 0.1, false, 80, 16));
    Expect.refused(
        "containedPercent", "0", "1 to 100", () -> RescoreConfig.DEFAULT.withContainment(0, 16));
    Expect.refused(
        "containedShingles", "0", "1 to 1000", () -> RescoreConfig.DEFAULT.withContainment(80, 0));
    Expect.refused("limit", "0", "1 to 10000", () -> RescoreConfig.DEFAULT.withLimit(0));
  }
}
