package dev.petunia.hnsw;

import dev.petunia.core.Diversify;
import dev.petunia.core.FilterCompiler;
import dev.petunia.core.Hit;
import dev.petunia.core.IdFilter;
import dev.petunia.core.SearchResult;
import dev.petunia.core.SearchTrace;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.internal.Checks;
import dev.petunia.core.internal.Utf8Order;
import dev.petunia.hnsw.Explanation.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a query: prepares it, finds candidates (by graph or by scan), reranks them by the directly
 * computed combined distance, diversifies, cuts the page. Shared by {@link HnswIndex} and {@link
 * ExactIndex}, which differ only in whether there is a graph.
 */
final class Searcher {
  private static final VectorQuery NO_QUERY = VectorQuery.builder(new float[1]).build();

  private final VectorTable table;
  private final @Nullable Graph graph;
  private final @Nullable Walk walk;
  private final HnswConfig config;
  private final Reclaimer reclaimer;

  Searcher(VectorTable table, @Nullable Graph graph, HnswConfig config, Reclaimer reclaimer) {
    this.table = table;
    this.graph = graph;
    this.walk = graph == null ? null : new Walk(graph);
    this.config = config;
    this.reclaimer = reclaimer;
  }

  SearchResult search(VectorQuery query) {
    long began = System.nanoTime();
    Checks.present("query", query);
    IdFilter compiled = compiled(query);
    Scratch s = reclaimer.enter(table);
    try {
      Run run = s.run;
      if (run == null) {
        run = new Run(s);
        s.run = run;
      }
      run.begin(query, compiled);
      return run.run(began);
    } finally {
      if (s.run != null) {
        s.run.clear();
      }
      s.clear();
      reclaimer.exit(s);
    }
  }

  private @Nullable IdFilter compiled(VectorQuery query) {
    IdFilter compiled = null;
    if (query.filter().isPresent()) {
      FilterCompiler compiler = config.filterCompiler().orElse(null);
      if (compiler == null) {
        throw Checks.bad(
            "filter",
            query.filter().get(),
            "none, as this index has no filterCompiler; or the ids themselves, by accept");
      }
      compiled = compiler.compile(query.filter().get());
      if (compiled == null) { // to go on would mean to search without the filter
        throw new IllegalStateException("the filterCompiler made null of " + query.filter().get());
      }
    }
    return compiled;
  }

  /** Why a search returns an id or not; compares every vector. */
  Explanation explain(VectorQuery query, String id) {
    SearchResult result = search(query);
    IdFilter compiled = compiled(query);
    Scratch s = reclaimer.enter(table);
    try {
      Run run = new Run(s);
      run.begin(query, compiled);
      return run.explain(id, result);
    } finally {
      s.clear();
      reclaimer.exit(s);
    }
  }

  /** The state of a search; kept with its scratch and used again. */
  final class Run {
    private final Scratch s;
    private final Finder finder;
    private VectorQuery query = NO_QUERY;
    private int ef;
    private int wanted;
    private int pool;
    private double lambda;
    private int againstUnknown;
    private int excluded;

    private Run(Scratch s) {
      this.s = s;
      this.finder = new Finder(table, graph, walk, s);
    }

    /** Lets go of what belongs to the caller. */
    private void clear() {
      query = NO_QUERY;
      finder.clear();
    }

    private void begin(VectorQuery newQuery, @Nullable IdFilter compiled) {
      query = newQuery;
      againstUnknown = 0;
      excluded = 0;
      long page = (long) query.offset() + query.limit();
      if (page > config.maxEf()) {
        throw Checks.bad("offset + limit", page, "at most maxEf, " + config.maxEf());
      }
      int asked;
      if (query.ef().isPresent()) {
        asked = query.ef().getAsInt();
        if (asked > config.maxEf()) {
          throw Checks.bad("ef", asked, "1 to maxEf, " + config.maxEf());
        }
      } else {
        asked = config.ef().orElse(config.autoEf(table.liveNodes()));
      }
      Diversify diversify = query.diversify().orElse(null);
      lambda = diversify == null ? 1 : diversify.lambda();
      if (diversify == null || lambda == 1) {
        pool = 0; // pure relevance: the plain order
      } else {
        // not a function of the offset: pages of one query are cut from one order
        long derived = Math.min(Diversify.MAX_POOL, Math.max(asked, 4L * query.limit()));
        pool = diversify.poolSize().orElse((int) Math.min(config.maxEf(), derived));
        if (pool > config.maxEf()) {
          throw Checks.bad("diversify.poolSize", pool, "1 to maxEf, " + config.maxEf());
        }
        if (page > pool) {
          throw Checks.bad(
              "offset + limit",
              page,
              "at most the diversify pool, " + pool + "; set diversify.poolSize for more");
        }
      }
      wanted = Math.max((int) page, pool);
      ef = Math.max(asked, wanted);
      s.query.begin(query, s.scorer);
      s.admission.begin(compiled, query.accept().orElse(null));
      if (diversify != null) {
        exclude(diversify);
      }
    }

    private void exclude(Diversify diversify) {
      List<String> against = diversify.against();
      for (int i = 0; i < against.size(); i++) {
        IdRef ref = table.ids.get(against.get(i));
        if (ref == null) {
          againstUnknown++;
        } else if (diversify.exclude()) {
          excluded++;
        }
      }
      if (diversify.exclude()) {
        s.admission.exclude(against);
      }
    }

    SearchResult run(long began) {
      finder.find(query, ef, wanted, excluded);
      rankAndCut();
      int[] order = null;
      int poolSize = 0;
      int count = s.candidates.size;
      if (pool > 0) {
        poolSize = Math.min(pool, count);
        count = Math.min(query.offset() + query.limit(), poolSize);
        order = s.mmr.select(query, lambda, poolSize, count);
      }
      Hit[] hits = hits(order, count);
      SearchTrace trace =
          new SearchTrace(
              finder.strategy,
              ef,
              finder.nodesVisited,
              s.scorer.computed,
              finder.reranked,
              s.admission.evaluations,
              finder.seedsUsed,
              finder.seedsUnknown,
              finder.seedsFilteredOut,
              finder.seedsDuplicate,
              poolSize,
              againstUnknown,
              excluded,
              finder.budgetExhausted,
              System.nanoTime() - began);
      return new SearchResult(List.of(hits), trace);
    }

    Explanation explain(String id, SearchResult result) {
      SearchTrace trace = result.trace();
      IdRef ref = table.ids.get(Checks.id("id", id));
      if (ref == null || ref.node < 0) {
        return new Explanation(id, Outcome.NOT_IN_INDEX, -1, Float.NaN, Float.NaN, 0, trace);
      }
      float distance = exact(ref.node);
      float score = table.form.similarity().score(distance);
      boolean returned = false;
      for (Hit hit : result.hits()) {
        returned |= hit.id().equals(id);
      }
      Diversify diversify = query.diversify().orElse(null);
      if (!returned && !s.admission.accepts(ref)) {
        boolean excluding =
            diversify != null && diversify.exclude() && diversify.against().contains(id);
        return new Explanation(
            id, excluding ? Outcome.EXCLUDED : Outcome.FILTERED_OUT, -1, distance, score, 0, trace);
      }
      int rank = 0;
      for (IdRef other : table.ids.values()) {
        int node = other.node;
        if (node >= 0 && s.admission.accepts(other)) {
          float d = exact(node);
          rank += d < distance || (d == distance && Utf8Order.compare(other.id, id) < 0) ? 1 : 0;
        }
      }
      Outcome outcome = returned ? Outcome.RETURNED : absent(rank, score);
      return new Explanation(id, outcome, rank, distance, score, 0, trace);
    }

    private Outcome absent(int rank, float score) {
      if (score < query.minScore()) {
        return Outcome.BELOW_MIN_SCORE;
      }
      if (pool > 0) {
        return rank < pool ? Outcome.LESS_DIVERSE : Outcome.BEYOND_LIMIT;
      }
      if (rank < query.offset()) {
        return Outcome.BEFORE_PAGE;
      }
      return rank < (long) query.offset() + query.limit() ? Outcome.MISSED : Outcome.BEYOND_LIMIT;
    }

    private float exact(int node) {
      return s.query.targetCount > 1 && !s.query.min
          ? s.query.combined(s.scorer, node)
          : s.scorer.one(node);
    }

    private void rankAndCut() {
      Candidates c = s.candidates;
      int n = c.size;
      while (n > 0 && table.form.similarity().score(c.distances[n - 1]) < query.minScore()) {
        n--;
      }
      c.size = Math.min(n, wanted);
    }

    private Hit[] hits(int @Nullable [] order, int count) {
      int from = Math.min(query.offset(), count);
      int to = (int) Math.min(count, (long) query.offset() + query.limit());
      Hit[] hits = new Hit[to - from];
      for (int i = from; i < to; i++) {
        int c = order == null ? i : order[i];
        int node = s.candidates.nodes[c];
        float d = s.candidates.distances[c];
        hits[i - from] =
            new Hit(
                s.candidates.ref(c).id,
                d,
                table.form.similarity().score(d),
                targetDistances(node),
                finder.seedOf(node));
      }
      return hits;
    }

    private List<Float> targetDistances(int node) {
      int targets = s.query.targetCount;
      if (targets == 1) {
        return List.of();
      }
      Float[] distances = new Float[targets];
      for (int t = 0; t < targets; t++) {
        distances[t] = s.scorer.one(s.query.targets[t], 0, node);
      }
      return List.of(distances);
    }
  }
}
