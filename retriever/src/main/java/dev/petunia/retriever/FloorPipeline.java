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
import dev.petunia.hnsw.HnswIndex;
import dev.petunia.lexical.LexicalIndex;
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
 *                                     Expansion of the best ◄───────── RRF ┴─► pool
 *                                                                             │
 *                  CrossEncoding until the deadline, less a reserve ◄─────────┘
 *                     │
 *                     └─► scored by logit, then the others as fused ─► floor (MMR if asked) ─► Floor
 * </pre>
 */
final class FloorPipeline {
  private static final Set<Field> FIELDS = Set.of(Field.TEXT, Field.ATTRIBUTES);

  private final RetrieverConfig config;
  private final EmbeddedSource source;
  private final LexicalIndex texts;
  private final Turn turn;
  private final Selector selector;

  FloorPipeline(
      RetrieverConfig config, EmbeddedSource source, HnswIndex vectors, LexicalIndex texts) {
    this.config = config;
    this.source = source;
    this.texts = texts;
    this.turn = new Turn(config, vectors);
    this.selector = new Selector(vectors);
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
    List<Rrf.Fused> ranked = List.of();
    Pools pools = Pools.EMPTY;
    String lexicalText = "";
    List<String> notes = List.of();

    void fill(FloorRequest request, FloorOptions options, Question question) {
      boolean excluding = request.exclude() && !request.conversation().served().isEmpty();
      VectorQuery vectorQuery = vectorQuery(request, options, question, excluding);
      Lexical textQuery = null;
      if (request.mode() != Mode.DENSE) {
        lexicalText = turn.lexicalText(request.text(), request.conversation());
        textQuery =
            new Lexical(
                lexicalText,
                request.filter(),
                excluding ? Set.copyOf(request.conversation().served()) : Set.of(),
                options.lexicalPool(),
                options.rareTermPool());
      }
      if (vectorQuery == null && textQuery == null) {
        return; // a dense request without a vector: its shortfall says why
      }
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
      ranked = Rrf.fuseWeighted(options.rrfK(), lists);
      if (options.expands() && !ranked.isEmpty()) {
        Expansion expansion = new Expansion(options, source, texts);
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
        ranked = Rrf.fuseWeighted(options.rrfK(), lists);
      }
      ranked = ranked.subList(0, Math.min(options.pool(), ranked.size()));
    }

    private @Nullable VectorQuery vectorQuery(
        FloorRequest request, FloorOptions options, Question question, boolean excluding) {
      if (request.mode() == Mode.LEXICAL || question.targets().isEmpty()) {
        return null;
      }
      ConversationState state = request.conversation();
      VectorQuery.Builder b = VectorQuery.builder(question.targets());
      if (question.targets().size() > 1) {
        b.combine(Combine.MIN);
      }
      b.limit(options.densePool());
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
      int[] order = scores.order();
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
          score == null ? OptionalDouble.empty() : score.value(),
          score == null ? OptionalDouble.empty() : score.logit(),
          score != null && score.truncated(),
          score != null && score.cached());
    }

    private static OptionalInt rank(@Nullable Candidate c) {
      return c == null ? OptionalInt.empty() : OptionalInt.of(c.rank());
    }
  }
}
