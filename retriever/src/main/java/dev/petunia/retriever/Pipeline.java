package dev.petunia.retriever;

import dev.petunia.core.CandidateSource.Candidate;
import dev.petunia.core.CandidateSource.Field;
import dev.petunia.core.CandidateSource.Lexical;
import dev.petunia.core.CandidateSource.Pools;
import dev.petunia.core.CandidateSource.Request;
import dev.petunia.core.Deadline;
import dev.petunia.core.Diversify;
import dev.petunia.core.Embedder;
import dev.petunia.core.Embedding;
import dev.petunia.core.SearchTrace;
import dev.petunia.core.TextForm;
import dev.petunia.core.VectorQuery;
import dev.petunia.retriever.RetrievalRequest.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * From a question to passages.
 *
 * <pre>
 * question ── embed ──► targets: question (and the conversation's centroid, weighted)
 *                          │  seeds: the last hits;  never admitted: what was served
 *                          ▼
 *    text + words of      dense pool          lexical pool (BM25)
 *    the latest questions ──────────────────────►│
 *                          └──────── RRF ────────┘
 *                                     │  near-duplicates: the best only
 *                                     ▼
 *                          MMR when lambda &lt; 1 ──► passages, next state
 * </pre>
 */
final class Pipeline {
  private static final Set<Field> FIELDS = Set.of(Field.TEXT, Field.ATTRIBUTES);

  private final RetrieverConfig config;
  private final EmbeddedSource source;
  private final Duplicates duplicates;
  private final Turn turn;
  private final Selector selector;

  Pipeline(RetrieverConfig config, EmbeddedSource source, Indexes indexes) {
    this.config = config;
    this.source = source;
    this.duplicates = indexes.duplicates;
    this.turn = new Turn(config, indexes.vectors);
    this.selector = new Selector(indexes.vectors);
  }

  RetrievalResult search(RetrievalRequest request) {
    long began = System.nanoTime();
    Embedding question = embed(request);
    long embedded = System.nanoTime();
    ConversationState state = request.conversation();
    List<float[]> targets = new ArrayList<>();
    List<String> targetNames = new ArrayList<>();
    if (question != null && request.mode() != Mode.LEXICAL) {
      targets.add(question.vector());
      targetNames.add("question");
      if (state.centroid().isPresent() && config.questionWeight() < 1) {
        targets.add(state.centroid().get());
        targetNames.add("conversation");
      }
    }
    String lexicalText = turn.lexicalText(request.text(), state);
    boolean excluding = request.exclude() && !state.served().isEmpty();
    Answer answer = answer(request, targets, lexicalText, excluding);
    List<Passage> leftOut = List.of();
    if (excluding) {
      // what it would have been without the exclusion, less what it is
      List<Passage> would = answer(request, targets, lexicalText, false).passages;
      Set<String> served =
          new Collapse(duplicates, request.collapse(), state.served())
              .servedAmong(would.stream().map(p -> p.chunk().id()).toList());
      leftOut = would.stream().filter(p -> served.contains(p.chunk().id())).toList();
    }
    List<String> ids = answer.passages.stream().map(p -> p.chunk().id()).toList();
    ConversationState next =
        turn.next(state, question == null ? null : question.vector(), ids, request.text());
    return new RetrievalResult(
        answer.passages,
        targetNames,
        leftOut,
        Optional.ofNullable(answer.trace),
        request.mode() == Mode.DENSE ? "" : lexicalText,
        Duration.ofNanos(embedded - began),
        Duration.ofNanos(System.nanoTime() - embedded),
        question != null && question.truncated(),
        next);
  }

  private @Nullable Embedding embed(RetrievalRequest request) {
    if (config.embedder().isEmpty()) {
      if (request.mode() != Mode.LEXICAL) {
        throw new IllegalStateException(
            "the retriever has no embedder, so it answers LEXICAL requests only; its source() takes"
                + " vectors");
      }
      return null;
    }
    Embedder embedder = config.embedder().get();
    return embedder.embed(request.text(), TextForm.QUERY);
  }

  private record Answer(List<Passage> passages, @Nullable SearchTrace trace) {}

  private Answer answer(
      RetrievalRequest request, List<float[]> targets, String lexicalText, boolean excluding) {
    Collapse collapse =
        new Collapse(
            duplicates, request.collapse(), excluding ? request.conversation().served() : Set.of());
    PoolSizes sizes =
        new PoolSizes(
            Math.max(config.densePool(), request.limit()),
            Math.max(config.lexicalPool(), request.limit()),
            config.maxEf());
    while (true) {
      Pools pools = pools(request, targets, lexicalText, excluding, sizes);
      List<String> dense = ids(pools.dense());
      List<String> lexical = ids(pools.lexical());
      Map<String, Candidate> found = byId(pools.lexical());
      found.putAll(byId(pools.dense()));
      List<Rrf.Fused> ranked =
          collapse.of(
              Rrf.fuse(config.rrfK(), List.of(dense, lexical)),
              id -> {
                Candidate c = found.get(id);
                return c == null ? null : c.item().text();
              });
      if (ranked.size() >= request.limit()
          || collapse.dropped() == 0
          || !sizes.widen(dense.size(), lexical.size())) {
        return new Answer(passages(request, ranked, pools, collapse), pools.how().trace());
      }
    }
  }

  private Pools pools(
      RetrievalRequest request,
      List<float[]> targets,
      String lexicalText,
      boolean excluding,
      PoolSizes sizes) {
    ConversationState state = request.conversation();
    VectorQuery dense = null;
    if (!targets.isEmpty()) {
      VectorQuery.Builder b = VectorQuery.builder(targets);
      if (targets.size() == 2) {
        b.weights((float) config.questionWeight(), (float) (1 - config.questionWeight()));
      }
      b.limit(sizes.dense());
      b.seeds(state.lastHits());
      request.ef().ifPresent(b::ef);
      request.filter().ifPresent(b::filter);
      if (excluding) {
        b.diversify(Diversify.excluding(state.served()));
      }
      dense = b.build();
    }
    Lexical lexical =
        request.mode() == Mode.DENSE
            ? null
            : new Lexical(
                lexicalText,
                request.filter(),
                excluding ? Set.copyOf(state.served()) : Set.of(),
                sizes.lexical(),
                0);
    return source.candidates(new Request(dense, lexical, FIELDS, Deadline.NONE, Set.of()));
  }

  private List<Passage> passages(
      RetrievalRequest request, List<Rrf.Fused> fused, Pools pools, Collapse collapse) {
    Map<String, Candidate> dense = byId(pools.dense());
    Map<String, Candidate> lexical = byId(pools.lexical());
    List<Rrf.Fused> ranked = request.lambda() < 1 ? diversified(fused, request) : fused;
    List<Passage> passages = new ArrayList<>();
    for (Rrf.Fused f : ranked.subList(0, Math.min(request.limit(), ranked.size()))) {
      passages.add(passage(f, dense.get(f.id()), lexical.get(f.id()), collapse.behind(f.id())));
    }
    return passages;
  }

  private static List<String> ids(List<Candidate> candidates) {
    return candidates.stream().map(c -> c.item().id()).toList();
  }

  private static Map<String, Candidate> byId(List<Candidate> candidates) {
    Map<String, Candidate> map = new LinkedHashMap<>();
    for (Candidate c : candidates) {
      map.put(c.item().id(), c);
    }
    return map;
  }

  private static Passage passage(
      Rrf.Fused fused,
      @Nullable Candidate dense,
      @Nullable Candidate lexical,
      List<String> duplicates) {
    Candidate any = dense != null ? dense : lexical;
    if (any == null) {
      throw new AssertionError(fused + " is in no pool");
    }
    return new Passage(
        EmbeddedSource.chunk(any.item()),
        fused.value(),
        dense == null ? OptionalInt.empty() : OptionalInt.of(dense.rank()),
        dense == null ? Optional.empty() : Optional.ofNullable(dense.hit()),
        lexical == null ? OptionalInt.empty() : OptionalInt.of(lexical.rank()),
        duplicates);
  }

  /** MMR over the fused list: relevance is the fused value as a share of the greatest one. */
  private List<Rrf.Fused> diversified(List<Rrf.Fused> ranked, RetrievalRequest request) {
    int pool =
        Math.min(
            ranked.size(),
            Math.max(request.limit(), Math.min(Diversify.MAX_POOL, 4 * request.limit())));
    if (pool == 0) {
      return ranked;
    }
    int count = Math.min(request.limit(), pool);
    int[] order =
        selector.select(
            ranked.subList(0, pool).stream().map(Rrf.Fused::id).toList(),
            i -> ranked.get(i).value() / ranked.getFirst().value(),
            request.lambda(),
            count);
    List<Rrf.Fused> selected = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      selected.add(ranked.get(order[i]));
    }
    return selected;
  }
}
