package dev.petunia.hnsw;

import dev.petunia.core.SearchTrace.Strategy;
import dev.petunia.core.VectorQuery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds a query's candidates: the ids that may be results, nearest first, by a walk on the graph or
 * by a scan, with the combined distance of each computed directly. One for each {@link Scratch},
 * used for one search after the other.
 */
final class Finder {
  /** With so few matching ids a scan is always cheaper than a walk. */
  private static final int SCAN_ALWAYS = 256;

  /** What a walk without a filter compares for each place in its beam. */
  private static final int COMPARED_PER_EF = 18;

  /**
   * Look through refused nodes when fewer than this share of ids match. Above it, a walk that
   * scores them all costs less than the filter's answers that two hops need.
   */
  private static final double TWO_HOP_BELOW = 0.1;

  /** Least width of the walk that follows two hops. */
  private static final int NARROW = 16;

  /** How many ids are asked to guess the share that an unlisted filter accepts. */
  private static final int SAMPLE = 64;

  /** Nodes reranked at once. */
  private static final int CHUNK = 16;

  /** Reranked nodes kept above what is wanted, for those that lose their ids meanwhile. */
  private static final int SPARE = 16;

  private static final int DEVIATIONS = 4;

  /** Most scans of the ids in one search, when repeats spoil them. */
  private static final int SCANS = 3;

  private final VectorTable table;
  private final @Nullable Graph graph;
  private final @Nullable Walk walk;
  private final Scratch s;
  private final Scan scan;
  private List<String> seeds = List.of();
  private int ef;
  private int wanted;
  private int excluded;

  /** A node that was found had lost its ids when it was their turn. */
  private boolean lost;

  private long movesBegun;
  private boolean moving;
  private boolean tooFew;

  // what the trace tells
  Strategy strategy = Strategy.GRAPH;
  int nodesVisited;
  int reranked;
  int seedsUsed;
  int seedsUnknown;
  int seedsFilteredOut;
  int seedsDuplicate;
  boolean budgetExhausted;

  Finder(VectorTable table, @Nullable Graph graph, @Nullable Walk walk, Scratch s) {
    this.table = table;
    this.graph = graph;
    this.walk = walk;
    this.s = s;
    this.scan = new Scan(table, s);
  }

  /**
   * Fills {@link Scratch#candidates}. The scratch's query and admission are ready.
   *
   * @param newEf width of the beam
   * @param newWanted how many candidates are enough, at most {@code newEf}
   * @param newExcluded how many ids of the index the admission excludes
   */
  void find(VectorQuery query, int newEf, int newWanted, int newExcluded) {
    seeds = query.seeds();
    ef = newEf;
    wanted = newWanted;
    excluded = newExcluded;
    strategy = Strategy.GRAPH;
    nodesVisited = 0;
    reranked = 0;
    seedsUsed = 0;
    seedsUnknown = 0;
    seedsFilteredOut = 0;
    seedsDuplicate = 0;
    budgetExhausted = false;
    tooFew = false;
    noteMoves();
    walkOrScan();
    // Too few: the walk met too few that match, or ids left their nodes while the search ran
    if (s.candidates.size < wanted && strategy != Strategy.EXACT_SCAN && mayBeMore()) {
      scan();
    }
    // whatever the number of ids is now: some of those found may have been deleted since
    if (s.candidates.size < wanted
        && (lost || moved())
        && (s.admission.most() < 0 || s.candidates.size < s.admission.most())) {
      scanIds();
    }
  }

  /** The seed through which a node was reached; null for the entry point, and after a scan. */
  @Nullable String seedOf(int node) {
    if (!s.trackOrigin || strategy == Strategy.EXACT_SCAN) {
      return null;
    }
    int origin = s.origin(node);
    return origin == 0 ? null : seeds.get(origin - 1);
  }

  /** Lets go of what belongs to the caller. */
  void clear() {
    seeds = List.of();
  }

  /** Fewer candidates than wanted: can the index have more that match? */
  private boolean mayBeMore() {
    int known = s.admission.most();
    if (s.admission.hasFilter() && known < 0) {
      return true;
    }
    int most = table.ids.size();
    if (known >= 0) {
      most = Math.min(most, known);
    }
    return s.candidates.size < most - (s.admission.hasFilter() ? 0 : excluded);
  }

  private void walkOrScan() {
    Walk w = walk;
    Graph g = graph;
    long entry = g == null ? -1 : g.entry();
    if (w == null || entry == -1) {
      countUnknownSeeds();
      scan();
      return;
    }
    boolean judged = s.admission.active || table.deadNodes() > 0;
    double share = 1;
    if (s.admission.hasFilter()) {
      int n = Math.max(1, table.ids.size());
      int matches = s.admission.most();
      if (matches >= 0 && scanIsCheaper(matches, n)) {
        countUnknownSeeds();
        scan();
        return;
      }
      share = matches >= 0 ? (double) matches / n : sampledShare();
    }
    s.trackOrigin = !seeds.isEmpty();
    if (s.query.min && s.query.targetCount > 1) {
      walkToEach(w, entry, judged, share);
    } else {
      walk(w, entry, judged, share);
    }
    if (budgetExhausted || tooFew) {
      scan();
    } else {
      collect();
    }
  }

  /**
   * Whether comparing all matches costs less than a walk. A walk without a filter compares about 18
   * nodes for each place in its beam; with one, that grows with about the 0.7th power of what a
   * match is rare by. A walk jumps about in memory, and a scan of resolved ids by codes does not:
   * it compares three nodes in the time of one.
   */
  private boolean scanIsCheaper(int matches, int n) {
    double rarity = (double) n / Math.max(1, matches);
    double walked = COMPARED_PER_EF * (double) ef * Math.pow(rarity, 0.7);
    boolean cheap = s.admission.resolved != null && table.codes() != null;
    return matches <= SCAN_ALWAYS || matches <= (cheap ? 3 : 1) * walked;
  }

  /** One walk by the scorer's distance; the beam holds what it found. */
  private void walk(Walk w, long entry, boolean judged, double share) {
    int equal = s.scorer.equalNode();
    Quantizer quantizer = s.scorer.estimate();
    int start = w.descend(s, entry, 0);
    s.beam.reset(quantizer == null ? ef : quantizer.width(ef));
    s.leads.clear();
    s.newVisit(table.nodeLimit());
    startFromSeeds(w, judged);
    if (equal >= 0) {
      if (judged) {
        w.startAdmitting(s, equal, 0);
      } else {
        w.start(s, equal, 0);
      }
    }
    layerZero(w, start, judged, share);
    nodesVisited += (int) s.scorer.computed;
    if (quantizer != null) {
      boolean sufficient =
          rerank(equal >= 0 && (!judged || s.admission.admits(equal)) ? equal : -1);
      if (!sufficient && !budgetExhausted && !tooFew) {
        long before = s.scorer.computed;
        goOn(ef);
        layerZero(w, start, judged, share);
        nodesVisited += (int) (s.scorer.computed - before);
      }
    }
  }

  /** Prepares a further walk, from the beam. */
  private void goOn(int width) {
    s.leads.clear();
    s.again(width, table.nodeLimit());
  }

  private void layerZero(Walk w, int start, boolean judged, double share) {
    if (!judged) {
      w.start(s, start, 0);
      w.plain(s, 0);
      return;
    }
    w.startAdmitting(s, start, 0);
    long budget = Math.max(64L * ef, table.nodeLimit() / 4L);
    if (share < TWO_HOP_BELOW) {
      strategy = Strategy.TWO_HOP;
      budgetExhausted = !w.twoHop(s, budget) || (s.beam.full() && !secure(w, budget));
      // two hops led to fewer than ef: there are few, and not all may be near
      tooFew |= !s.beam.full();
    } else {
      budgetExhausted = !w.admitting(s, budget);
    }
  }

  /**
   * Puts the nearest nodes by exact distance in the beam's place. Goes through what was found by
   * estimates, nearest first, until what follows is farther than the last one wanted even if its
   * estimate is off by {@value #DEVIATIONS} standard deviations.
   *
   * @param equal a node whose vector is the query, to be there whatever its estimate; −1 for none
   * @return false when estimates could not tell which are the nearest
   */
  private boolean rerank(int equal) {
    Beam found = s.beam;
    long last = found.full() ? found.key(found.size() - 1) : -1;
    Beam ranked = s.ranked();
    ranked.reset(wanted + SPARE);
    s.batchRoom(CHUNK);
    s.scorer.exact();
    if (equal >= 0) {
      ranked.offer(s.scorer.one(equal), equal);
      reranked++;
    }
    float bound = Float.POSITIVE_INFINITY;
    for (int i = 0; i < found.size(); ) {
      long next = found.key(i);
      if (ranked.size() >= wanted
          && Beam.distance(next) - DEVIATIONS * s.scorer.deviation(Beam.node(next)) > bound) {
        break;
      }
      int n = 0;
      for (; i < found.size() && n < CHUNK; i++) {
        int node = Beam.node(found.key(i));
        if (node != equal) {
          s.batch[n++] = node;
        }
      }
      s.scorer.batch(s.batch, n, s.distances);
      reranked += n;
      for (int k = 0; k < n; k++) {
        ranked.offer(s.distances[k], s.batch[k]);
      }
      bound = Beam.distance(ranked.key(Math.min(wanted, ranked.size()) - 1));
    }
    s.swapBeams();
    if (last == -1) {
      return true;
    }
    int decisive = Math.min(Quantizer.decisive(wanted, ef), ranked.size());
    return Quantizer.sufficient(
        Beam.distance(last),
        s.scorer.deviation(Beam.node(last)),
        Beam.distance(ranked.key(decisive - 1)));
  }

  /**
   * MIN: a walk to each target, then the nearest of all that they found. What is among the k
   * nearest by the minimum is among the k nearest of the target that it is nearest to, so this is
   * as good as a search for one target. One walk by the minimum is not: its beam fills up around
   * the target where it happened to arrive (0.86 of the nearest were found where this finds 0.99).
   */
  private void walkToEach(Walk w, long entry, boolean judged, double share) {
    int n = 0;
    long computed = 0;
    for (int t = 0; t < s.query.targetCount && !budgetExhausted && !tooFew; t++) {
      seedsUsed = 0;
      seedsUnknown = 0;
      seedsFilteredOut = 0;
      seedsDuplicate = 0;
      s.scorer.single(s.query.targets[t], 0);
      walk(w, entry, judged, share);
      computed += s.scorer.computed;
      s.unionRoom(n + s.beam.size());
      for (int i = 0; i < s.beam.size(); i++) {
        s.union[n++] = Beam.node(s.beam.key(i));
      }
    }
    s.scorer.nearestOf(s.query.targets, s.query.targetCount);
    s.beam.reset(ef);
    s.newVisit(table.nodeLimit());
    for (int i = 0; i < n; i++) {
      if (s.visit(s.union[i])) {
        s.beam.offer(s.scorer.one(s.union[i]), s.union[i]);
      }
    }
    s.scorer.computed += computed;
  }

  /**
   * Two hops find ef matches with few comparisons, but don't cross a wide belt of refused nodes: of
   * clustered vectors they found 0.9 of the nearest at a share of 0.05, and 0.7 at 0.01. So a walk
   * over all nodes follows, with a beam as narrow as the answer, which the matches found so far
   * bound from the start. It brings both to 0.98 and more.
   */
  private boolean secure(Walk w, long budget) {
    int width = Math.max(wanted, Math.min(ef, NARROW));
    Codes codes = table.codes();
    goOn(codes != null && s.scorer.isEstimating() ? codes.quantizer.width(width) : width);
    return w.admitting(s, budget);
  }

  private void countUnknownSeeds() {
    for (int i = 0; i < seeds.size(); i++) {
      seedsUnknown += table.ids.containsKey(seeds.get(i)) ? 0 : 1;
    }
  }

  private void startFromSeeds(Walk w, boolean judged) {
    for (int i = 0; i < seeds.size(); i++) {
      IdRef ref = table.ids.get(seeds.get(i));
      int node = ref == null ? -1 : ref.node;
      if (ref == null || node < 0) {
        seedsUnknown++;
        continue;
      }
      boolean fresh = judged ? w.startAdmitting(s, node, i + 1) : w.start(s, node, i + 1);
      if (!fresh) {
        seedsDuplicate++;
        continue;
      }
      seedsUsed++;
      if (s.admission.active && !s.admission.accepts(ref)) {
        seedsFilteredOut++;
      }
    }
  }

  /** Asks the filter about ids spread over the nodes, for the share it accepts. */
  private double sampledShare() {
    int asked = 0;
    int accepted = 0;
    int limit = table.nodeLimit();
    for (int i = 0; i < SAMPLE; i++) {
      Owners owners = table.owners((int) ((long) i * limit / SAMPLE));
      IdRef ref = owners == null ? null : owners.get(0);
      if (ref != null) {
        asked++;
        accepted += s.admission.accepts(ref) ? 1 : 0;
      }
    }
    return asked == 0 ? 1 : (double) accepted / asked;
  }

  /** Compares every vector that may match. */
  private void scan() {
    strategy = Strategy.EXACT_SCAN;
    noteMoves();
    scan.nodes(wanted);
    nodesVisited += scan.visited;
    reranked += scan.reranked;
    collect();
  }

  private void scanIds() {
    Candidates c = s.candidates;
    boolean again = true;
    for (int i = 0; again && i < SCANS; i++) {
      scan.ids(wanted);
      nodesVisited += scan.visited;
      boolean cut = c.size >= wanted;
      again = moved() && c.dropRepeats() && cut && c.size < wanted;
    }
  }

  private void noteMoves() {
    long done = table.movesDone.get(); // before the other: equal means that none was under way
    movesBegun = table.movesBegun.get();
    moving = done != movesBegun;
  }

  /**
   * Whether ids may have moved between nodes since {@link #noteMoves}: one that did may have been
   * met at both, or, when it went from a node not yet passed to one passed, at none.
   */
  private boolean moved() {
    return moving || table.movesBegun.get() != movesBegun;
  }

  /** Turns the beam's nodes into ids, nearest first, ties by id, until there are enough. */
  private void collect() {
    Beam beam = s.beam;
    if (s.query.targetCount > 1 && !s.query.min) {
      for (int i = 0; i < beam.size(); i++) {
        beam.replace(i, s.query.combined(s.scorer, Beam.node(beam.key(i))));
      }
      beam.sort();
    }
    Candidates c = s.candidates;
    c.size = 0;
    lost = false;
    int i = 0;
    while (i < beam.size() && c.size < wanted) {
      c.beginGroup();
      float d = Beam.distance(beam.key(i));
      while (i < beam.size() && Beam.distance(beam.key(i)) == d) {
        int node = Beam.node(beam.key(i++));
        Owners owners = table.owners(node);
        boolean any = false;
        for (int o = 0; owners != null && o < owners.size(); o++) {
          IdRef ref = owners.get(o);
          if (ref != null && ref.node == node && s.admission.accepts(ref)) {
            c.add(ref, node, d, wanted);
            any = true;
          }
        }
        lost |= !any;
      }
      c.endGroup();
    }
    if (moved()) {
      lost |= c.dropRepeats();
    }
  }
}
