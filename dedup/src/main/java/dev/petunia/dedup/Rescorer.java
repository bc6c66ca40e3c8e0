package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;
import dev.petunia.core.internal.Utf8Order;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Rescore v1: Jaccard similarity of query and passage as a third signal after rank fusion.
 *
 * <ol>
 *   <li>Candidates by RRF, best first, ids break ties; those after the limit keep this order.
 *   <li>rrfNorm = rrf / best; 1 for all when the best is 0.
 *   <li>J ≥ 0.60, decided in whole numbers: score 1 + J. Else 0.85·rrfNorm + 0.15·J.
 *   <li>Order by score, J, rrf, id. Then from the top: the first is a leader, and all that follow
 *       within 0.005 of <em>its</em> score are its group, ordered by J, rrf, id; the next one leads
 *       the next group. "Within 0.005" of each other is no equivalence, so an order by pairs would
 *       depend on the input's. By rrf and not by rrfNorm, since the division can make two different
 *       scores equal.
 * </ol>
 *
 * <p>With containment on, C is the part of the query's shingles that a candidate has. Of queries
 * with 16 shingles or more, a candidate below the tier with C ≥ 0.8, decided in whole numbers too,
 * has the score 1 + 0.59·C, always below the tier. If more than 20 qualify, the query is
 * boilerplate and none does.
 *
 * <p>A query of fewer than five tokens has one short shingle that no longer text has, so ordinary
 * short questions leave the order of rank fusion as it is. Immutable.
 */
public final class Rescorer {
  /** Version of the formula. */
  public static final int VERSION = 1;

  private static final int MAX_CONTAINING = 20;

  private static final Comparator<Item> WITHIN_GROUP =
      Comparator.<Item>comparingDouble(i -> -i.jaccard)
          .thenComparingDouble(i -> -i.candidate.rrf())
          .thenComparing(i -> i.candidate.id(), Utf8Order.COMPARATOR);

  private static final Comparator<Item> BY_SCORE =
      Comparator.<Item>comparingDouble(i -> -i.score).thenComparing(WITHIN_GROUP);

  private static final Comparator<RescoreCandidate> BY_RRF =
      Comparator.<RescoreCandidate>comparingDouble(c -> -c.rrf())
          .thenComparing(RescoreCandidate::id, Utf8Order.COMPARATOR);

  private final RescoreConfig config;

  /** A rescorer with these options. */
  public Rescorer(RescoreConfig config) {
    this.config = Checks.present("config", config);
  }

  /** Rescore v1 as it is. */
  public static Rescorer v1() {
    return new Rescorer(RescoreConfig.DEFAULT);
  }

  private static final class Item {
    final RescoreCandidate candidate;
    final double rrfNorm;
    Optional<Overlap> overlap = Optional.empty();
    double jaccard;
    double score;
    Rescored.Tier tier = Rescored.Tier.FUSED;

    Item(RescoreCandidate candidate, double rrfNorm) {
      this.candidate = candidate;
      this.rrfNorm = rrfNorm;
    }
  }

  /**
   * Orders candidates; their order in the list does not matter.
   *
   * @throws IllegalArgumentException when an id comes twice
   */
  public RescoreResult rescore(ShingleSet query, List<RescoreCandidate> candidates) {
    Checks.present("query", query);
    List<RescoreCandidate> sorted = new ArrayList<>(Checks.list("candidates", candidates));
    Set<String> ids = HashSet.newHashSet(sorted.size());
    for (RescoreCandidate c : sorted) {
      if (!ids.add(c.id())) {
        throw Checks.bad("candidates", c.id(), "each id once");
      }
    }
    sorted.sort(BY_RRF);
    int n = Math.min(config.limit(), sorted.size());
    double best = n == 0 ? 0 : sorted.getFirst().rrf();
    List<Item> items = new ArrayList<>(n);
    List<String> stale = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    QueryTable table = new QueryTable(query.raw());
    for (RescoreCandidate c : sorted.subList(0, n)) {
      Item item = new Item(c, best > 0 ? c.rrf() / best : 1);
      ShingleSet s = c.shingles();
      if (s == null) {
        missing.add(c.id());
      } else if (s.version() != query.version()) {
        stale.add(c.id());
      } else {
        int inter = table.shared(s.raw());
        item.overlap = Optional.of(new Overlap(inter, query.size() + s.size() - inter));
      }
      items.add(item);
    }
    boolean isBoilerplate = score(items, query.size());
    items.sort(BY_SCORE);
    group(items);
    List<Rescored> out = new ArrayList<>(sorted.size());
    for (Item i : items) {
      out.add(
          new Rescored(
              i.candidate.id(),
              i.candidate.rrf(),
              i.overlap,
              Optional.of(new Rescored.Detail(i.tier, i.rrfNorm, i.jaccard, i.score))));
    }
    for (RescoreCandidate c : sorted.subList(n, sorted.size())) {
      out.add(new Rescored(c.id(), c.rrf(), Optional.empty(), Optional.empty()));
    }
    return new RescoreResult(out, stale, missing, isBoilerplate);
  }

  private boolean score(List<Item> items, int querySize) {
    List<Item> containing = new ArrayList<>();
    for (Item i : items) {
      int inter = i.overlap.map(Overlap::intersection).orElse(0);
      i.jaccard = i.overlap.map(Overlap::jaccard).orElse(0.0);
      if (i.overlap.isPresent() && i.overlap.get().isAtLeast(config.tierPercent(), 100)) {
        i.tier = Rescored.Tier.JACCARD;
        i.score = 1 + i.jaccard;
        continue;
      }
      i.score = config.rrfWeight() * i.rrfNorm + (1 - config.rrfWeight()) * i.jaccard;
      if (config.containment()
          && querySize >= config.containedShingles()
          && 100L * inter >= (long) config.containedPercent() * querySize) {
        containing.add(i);
      }
    }
    if (containing.size() > MAX_CONTAINING) {
      return true;
    }
    for (Item i : containing) {
      double part = (double) i.overlap.map(Overlap::intersection).orElse(0) / querySize;
      i.tier = Rescored.Tier.CONTAINMENT;
      i.score = 1 + (config.tierPercent() - 1) / 100.0 * part;
    }
    return false;
  }

  private void group(List<Item> items) {
    for (int from = 0; from < items.size(); ) {
      double leader = items.get(from).score;
      int to = from + 1;
      while (to < items.size() && leader - items.get(to).score < config.tie()) {
        to++;
      }
      items.subList(from, to).sort(WITHIN_GROUP);
      from = to;
    }
  }
}
