package dev.petunia.retriever;

import dev.petunia.core.CandidateSource.Candidate;
import dev.petunia.core.CandidateSource.Field;
import dev.petunia.core.CandidateSource.Item;
import dev.petunia.core.CandidateSource.Lexical;
import dev.petunia.core.CandidateSource.Pools;
import dev.petunia.core.CandidateSource.Request;
import dev.petunia.core.Combine;
import dev.petunia.core.Deadline;
import dev.petunia.core.Diversify;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.internal.Checks;
import dev.petunia.dedup.Rescored;
import dev.petunia.retriever.FloorPassage.Relation;
import dev.petunia.retriever.RetrievalRequest.Mode;
import dev.petunia.retriever.Shortfall.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * From a question to a floor.
 *
 * <pre>
 * question ─ Question: both forms ─► dense pool, by the nearer of the two ─┐
 *        └─► words ─► BM25 pool, rare-term pool ───────────────────────────┤
 *                                     Expansion of the best ◄───────── RRF ┴─► Collapse ─► pool
 *                                                                             │
 *                  Rescoring of the best 100 by Jaccard similarity ◄──────────┤
 *                     └─► nearly the question's words: heads of the floor     │
 *                                                                             │
 *                  CrossEncoding until the deadline, less a reserve ◄─────────┘
 *                     │
 *                     └─► heads, scored by logit, then the others as rescored ─► floor (MMR if asked) ─► Floor
 * </pre>
 */
final class FloorPipeline {
  private static final Set<Field> FIELDS = Set.of(Field.TEXT, Field.ATTRIBUTES);

  private final RetrieverConfig config;
  private final EmbeddedSource source;
  private final Indexes indexes;
  private final Turn turn;
  private final Selector selector;

  FloorPipeline(RetrieverConfig config, EmbeddedSource source, Indexes indexes) {
    this.config = config;
    this.source = source;
    this.indexes = indexes;
    this.turn = new Turn(config, indexes.vectors);
    this.selector = new Selector(indexes.vectors);
  }

  Floor ask(FloorRequest request) {
    long began = System.nanoTime();
    FloorOptions options = request.options().orElse(config.floor());
    if (options.densePool() > config.maxEf()) {
      throw Checks.bad("densePool", options.densePool(), "1 to maxEf, " + config.maxEf());
    }
    Expansion.requireFits(options, request.filter(), config.maxEf());
    Question question = Question.of(request, options, config);
    long embedded = System.nanoTime();
    requireStage(request, Stage.EMBED, question.shortfall());
    Pool pool = new Pool();
    pool.fill(request, options, question);
    long searched = System.nanoTime();
    CrossEncoding scores =
        CrossEncoding.of(
            config.reranker().orElse(null),
            request.text(),
            pool.ranked.stream().map(f -> pool.text(f.id())).toList(),
            request.deadline().earlier(options.reserve()));
    long reranked = System.nanoTime();
    if (scores.scored() == 0) {
      requireStage(request, Stage.RERANK, scores.shortfall());
    }
    List<FloorPassage> floor = pool.floor(options, scores);
    List<String> shown =
        floor.subList(0, Math.min(options.display(), floor.size())).stream()
            .map(p -> p.chunk().id())
            .toList();
    ConversationState state = request.conversation();
    List<Shortfall> shortfalls = new ArrayList<>();
    question.shortfall().ifPresent(shortfalls::add);
    scores.shortfall().ifPresent(shortfalls::add);
    return new Floor(
        floor,
        options.display(),
        pool.ranked.size(),
        scores.scored(),
        scores.scored() > 0 ? scores.model() : Optional.empty(),
        shortfalls,
        question.names(),
        Optional.ofNullable(pool.pools.how().trace()),
        pool.lexicalText,
        pool.pools.rareTerms(),
        pool.notes,
        question.truncated(),
        new Floor.Timings(
            Duration.ofNanos(embedded - began),
            Duration.ofNanos(searched - embedded),
            Duration.ofNanos(reranked - searched),
            Duration.ofNanos(System.nanoTime() - began)),
        turn.next(state, question.vector(), shown, request.text()));
  }

  private static void requireStage(
      FloorRequest request, Stage stage, Optional<Shortfall> shortfall) {
    if (shortfall.isPresent() && request.required().contains(stage)) {
      throw new StageUnavailableException(shortfall.get());
    }
  }

  /** The candidates of one request. */
  private final class Pool {
    private final Map<String, Item> items = new HashMap<>();
    private Map<String, Candidate> dense = Map.of();
    private Map<String, Candidate> lexical = Map.of();
    private Map<String, Candidate> rare = Map.of();
    private Map<String, Relation> related = Map.of();
    private Map<String, Rescored> rescored = Map.of();
    private Collapse collapse = new Collapse(indexes.duplicates, false, Set.of());
    private int heads;
    List<Rrf.Fused> ranked = List.of();
    Pools pools = Pools.EMPTY;
    String lexicalText = "";
    List<String> notes = List.of();

    void fill(FloorRequest request, FloorOptions options, Question question) {
      boolean excluding = request.exclude() && !request.conversation().served().isEmpty();
      Set<String> served = excluding ? Set.copyOf(request.conversation().served()) : Set.of();
      collapse = new Collapse(indexes.duplicates, request.collapse(), served);
      if (request.mode() != Mode.DENSE) {
        lexicalText = turn.lexicalText(request.text(), request.conversation());
      }
      PoolSizes sizes = new PoolSizes(options.densePool(), options.lexicalPool(), config.maxEf());
      while (true) {
        VectorQuery vectorQuery = vectorQuery(request, question, excluding, sizes);
        Lexical textQuery =
            request.mode() == Mode.DENSE
                ? null
                : new Lexical(
                    lexicalText, request.filter(), served, sizes.lexical(), options.rareTermPool());
        if (vectorQuery == null && textQuery == null) {
          return; // a dense request without a vector: its shortfall says why
        }
        fuse(options, vectorQuery, textQuery);
        if (ranked.size() >= options.size() || collapse.dropped() == 0) {
          break;
        }
        if (request.deadline().earlier(options.reserve()).passed()) {
          notes.add("near-duplicates filled the pools, and there was no time to widen them");
          break;
        }
        if (!sizes.widen(dense.size(), lexical.size())) {
          break;
        }
      }
      if (sizes.isWidened()) {
        notes.add(
            "near-duplicates filled the pools: "
                + dense.size()
                + " candidates of the vector search and "
                + lexical.size()
                + " of BM25 were looked at");
      }
      Rescoring rescoring =
          options.rescore().isPresent()
              ? Rescoring.of(options.rescore().get(), indexes.shingles, request.text(), ranked)
              : Rescoring.none(ranked);
      notes.addAll(rescoring.notes());
      if (request.collapse()) {
        indexes.duplicates.shortcoming().ifPresent(notes::add);
      }
      rescored = rescoring.facts();
      ranked = rescoring.ranked().subList(0, Math.min(options.pool(), rescoring.ranked().size()));
      heads = Math.min(rescoring.heads(), ranked.size());
    }

    private void fuse(
        FloorOptions options, @Nullable VectorQuery vectorQuery, @Nullable Lexical textQuery) {
      pools =
          source.candidates(new Request(vectorQuery, textQuery, FIELDS, Deadline.NONE, Set.of()));
      notes = new ArrayList<>(pools.how().notes());
      dense = byId(pools.dense());
      lexical = byId(pools.lexical());
      rare = byId(pools.rareTerm());
      List<Rrf.Votes> lists = new ArrayList<>();
      lists.add(new Rrf.Votes(List.copyOf(dense.keySet()), 1));
      lists.add(new Rrf.Votes(List.copyOf(lexical.keySet()), 1));
      lists.add(new Rrf.Votes(List.copyOf(rare.keySet()), options.rareTermWeight()));
      ranked = collapse.of(Rrf.fuseWeighted(options.rrfK(), lists), this::text);
      if (options.expands() && !ranked.isEmpty()) {
        Expansion expansion = new Expansion(options, source, indexes.texts);
        expansion.expand(
            ranked.subList(0, Math.min(options.expandFrom(), ranked.size())).stream()
                .map(f -> item(f.id()))
                .toList(),
            vectorQuery,
            textQuery);
        related = expansion.relations();
        expansion.leftOut().ifPresent(notes::add);
        expansion.items().forEach(items::putIfAbsent);
        lists.add(new Rrf.Votes(List.copyOf(related.keySet()), options.expansionWeight()));
        ranked = collapse.of(Rrf.fuseWeighted(options.rrfK(), lists), this::text);
      }
    }

    private @Nullable VectorQuery vectorQuery(
        FloorRequest request, Question question, boolean excluding, PoolSizes sizes) {
      if (request.mode() == Mode.LEXICAL || question.targets().isEmpty()) {
        return null;
      }
      ConversationState state = request.conversation();
      VectorQuery.Builder b = VectorQuery.builder(question.targets());
      if (question.targets().size() > 1) {
        b.combine(Combine.MIN);
      }
      b.limit(sizes.dense());
      b.seeds(state.lastHits());
      request.ef().ifPresent(b::ef);
      request.filter().ifPresent(b::filter);
      if (excluding) {
        b.diversify(Diversify.excluding(state.served()));
      }
      return b.build();
    }

    private Map<String, Candidate> byId(List<Candidate> candidates) {
      Map<String, Candidate> map = new LinkedHashMap<>();
      for (Candidate c : candidates) {
        map.put(c.item().id(), c);
        items.putIfAbsent(c.item().id(), c.item());
      }
      return map;
    }

    private Item item(String id) {
      Item item = items.get(id);
      if (item == null) {
        throw new AssertionError(id + " is in no pool");
      }
      return item;
    }

    String text(String id) {
      String text = item(id).text();
      return text == null ? "" : text;
    }

    List<FloorPassage> floor(FloorOptions options, CrossEncoding scores) {
      int[] order = scores.order(heads);
      int n = Math.min(options.size(), order.length);
      List<FloorPassage> floor = new ArrayList<>(n);
      for (int i = 0; i < n; i++) {
        floor.add(passage(order[i], scores));
      }
      if (options.lambda() < 1 && n > 1) {
        // relevance falls evenly with the rank: logits and fused values are of different kinds
        int[] selected =
            selector.select(
                floor.stream().map(p -> p.chunk().id()).toList(),
                i -> 1 - (double) i / n,
                options.lambda(),
                n);
        List<FloorPassage> diverse = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
          diverse.add(floor.get(selected[i]));
        }
        return diverse;
      }
      return floor;
    }

    private FloorPassage passage(int place, CrossEncoding scores) {
      Rrf.Fused fused = ranked.get(place);
      String id = fused.id();
      Item item = item(id);
      Candidate near = dense.get(id);
      var score = scores.score(place);
      return new FloorPassage(
          EmbeddedSource.chunk(item),
          place + 1,
          fused.value(),
          rank(near),
          near == null ? Optional.empty() : Optional.ofNullable(near.hit()),
          rank(lexical.get(id)),
          rank(rare.get(id)),
          Optional.ofNullable(related.get(id)),
          jaccard(rescored.get(id)),
          tier(rescored.get(id)) == Rescored.Tier.JACCARD,
          tier(rescored.get(id)) == Rescored.Tier.CONTAINMENT,
          score == null ? OptionalDouble.empty() : score.value(),
          score == null ? OptionalDouble.empty() : score.logit(),
          score != null && score.truncated(),
          score != null && score.cached(),
          collapse.behind(id));
    }

    private static Rescored.@Nullable Tier tier(@Nullable Rescored r) {
      return r == null ? null : r.detail().map(Rescored.Detail::tier).orElse(null);
    }

    private static OptionalDouble jaccard(@Nullable Rescored r) {
      return r == null || r.overlap().isEmpty()
          ? OptionalDouble.empty()
          : OptionalDouble.of(r.overlap().get().jaccard());
    }

    private static OptionalInt rank(@Nullable Candidate c) {
      return c == null ? OptionalInt.empty() : OptionalInt.of(c.rank());
    }
  }
}
