package dev.petunia.retriever;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.Deadline;
import dev.petunia.core.Embedder;
import dev.petunia.core.Embedding;
import dev.petunia.core.Filter;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.Readiness;
import dev.petunia.core.Reranker;
import dev.petunia.core.Reranker.Cause;
import dev.petunia.core.TextForm;
import dev.petunia.core.testing.Threads;
import dev.petunia.lexical.RareTermOptions;
import dev.petunia.retriever.FloorPassage.Relation;
import dev.petunia.retriever.RetrievalRequest.Mode;
import dev.petunia.retriever.Shortfall.Reason;
import dev.petunia.retriever.Shortfall.Stage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FloorTest {
  private static final List<String> TOPICS =
      List.of("garden", "engine", "violin", "glacier", "bread", "harbour", "comet", "ledger");

  @TempDir Path directory;

  /** Eight entries of ten chunks; each entry links to the one after it. */
  private static List<Chunk> chunks() {
    List<Chunk> chunks = new ArrayList<>();
    for (int t = 0; t < TOPICS.size(); t++) {
      String topic = TOPICS.get(t);
      String next = TOPICS.get((t + 1) % TOPICS.size());
      for (int i = 0; i < 10; i++) {
        chunks.add(
            new Chunk(
                topic + "#" + i,
                topic,
                i,
                topic + " " + topic + " " + topic + " detail" + i + " " + topic + "x" + i,
                Map.of("topic", topic, "number", (long) i, "links", List.of(next, topic))));
      }
    }
    return chunks;
  }

  private Retriever filled(UnaryOperator<RetrieverConfig.Builder> options) {
    return filled(new WordsEmbedder(), options);
  }

  private Retriever filled(Embedder embedder, UnaryOperator<RetrieverConfig.Builder> options) {
    Retriever r =
        Retriever.open(directory, options.apply(RetrieverConfig.builder(embedder)).build());
    List<Chunk> chunks = chunks();
    r.ingest(chunks.iterator(), ProgressListener.NONE, chunks.size());
    return r;
  }

  private static List<String> ids(List<FloorPassage> passages) {
    return passages.stream().map(p -> p.chunk().id()).toList();
  }

  /** The number after "detail", so that a reranker can turn the order about. */
  private static double detail(String text) {
    return text.charAt(text.indexOf("detail") + 6) - '0';
  }

  // ---- order and scores ----------------------------------------------------------------------

  @Test
  void whatWasScoredComesByFallingLogitAndTheRestAsFused() {
    FakeReranker model = new FakeReranker(5, Cause.DEADLINE, FloorTest::detail);
    try (Retriever r = filled(b -> b.reranker(model))) {
      Floor floor = r.ask(FloorRequest.of("violin"));
      assertEquals(28, floor.passages().size());
      assertEquals(5, floor.scored());
      assertTrue(floor.partial());
      assertEquals(Optional.empty(), floor.fallback());
      assertEquals(Reason.DEADLINE, floor.shortfall(Stage.RERANK).orElseThrow().reason());
      assertEquals(Optional.of("fake fp64"), floor.model());
      List<FloorPassage> scored = floor.passages().subList(0, 5);
      for (int i = 1; i < 5; i++) {
        assertTrue(scored.get(i - 1).logit().orElseThrow() >= scored.get(i).logit().orElseThrow());
      }
      int before = 5;
      for (FloorPassage p : floor.passages().subList(5, 28)) {
        assertFalse(p.scored());
        assertTrue(p.score().isEmpty() && p.logit().isEmpty());
        assertTrue(p.poolRank() > before, "in the order of fusion");
        before = p.poolRank();
      }
      // the model saw them best-first
      assertEquals(floor.total(), model.asked.getFirst().size());
      FloorPassage first =
          floor.passages().stream().filter(p -> p.poolRank() == 1).findFirst().orElseThrow();
      assertEquals(first.chunk().text(), model.asked.getFirst().getFirst());
      assertTrue(first.truncated());
      assertEquals(
          1, floor.passages().stream().filter(FloorPassage::cached).count(), "pool rank 2");
    }
  }

  @Test
  void equalLogitsKeepTheOrderOfFusionAndNearOnesAreToldApart() {
    try (Retriever r = filled(b -> b.reranker(new FakeReranker(t -> 50)))) {
      Floor floor = r.ask(FloorRequest.of("comet"));
      for (int i = 0; i < floor.passages().size(); i++) {
        assertEquals(i + 1, floor.passages().get(i).poolRank());
      }
    }
    // at a logit of 50 the squashed score is 1.0, whatever the digits
    try (Retriever r = filled(b -> b.reranker(new FakeReranker(t -> 50 + detail(t) / 100)))) {
      Floor floor = r.ask(FloorRequest.of("comet"));
      assertEquals(1.0, floor.passages().get(20).score().orElseThrow());
      assertTrue(floor.passages().getFirst().chunk().text().contains("detail9"));
    }
  }

  @Test
  void aPassageCarriesTheFactsOfEachStageAndNoOthers() {
    try (Retriever r =
        filled(b -> b.rareTerms(new RareTermOptions(0.02, 8)).reranker(new FakeReranker(t -> 1)))) {
      Floor floor = r.ask(FloorRequest.of("violin violinx3"));
      FloorPassage best = floor.passages().getFirst();
      assertEquals("violin#3", best.chunk().id());
      assertEquals(1, best.denseRank().orElseThrow());
      assertEquals(1, best.lexicalRank().orElseThrow());
      assertEquals(1, best.rareTermRank().orElseThrow());
      assertEquals(2.1 / 61, best.fused(), 1e-12);
      assertTrue(best.dense().isPresent());
      assertTrue(
          floor.rareTerms().stream().anyMatch(t -> t.startsWith("violinx3")), floor::toString);
      FloorPassage far =
          floor.passages().stream()
              .filter(p -> !p.chunk().entryId().equals("violin"))
              .findFirst()
              .orElseThrow();
      assertTrue(far.denseRank().isPresent());
      assertTrue(far.lexicalRank().isEmpty() && far.rareTermRank().isEmpty());
      assertTrue(far.relation().isEmpty());
    }
  }

  @Test
  void poolSizeAndDisplayCutWhatTheySay() {
    FakeReranker model = new FakeReranker(FloorTest::detail);
    FloorOptions options = FloorOptions.builder().pool(12).size(6).display(2).build();
    try (Retriever r = filled(b -> b.reranker(model).floor(options))) {
      Floor floor = r.ask(FloorRequest.of("bread"));
      assertEquals(12, floor.total());
      assertEquals(12, model.asked.getFirst().size());
      assertEquals(6, floor.passages().size());
      assertEquals(2, floor.displayed().size());
      assertFalse(floor.partial());
      assertEquals(List.of(), floor.shortfalls());
      // a request's own options go before
      Floor all = r.ask(FloorRequest.of("bread").options(FloorOptions.DEFAULT));
      assertEquals(80, all.total());
      assertEquals(28, all.passages().size());
    }
  }

  @Test
  void lambdaBelowOneSpreadsTheFloorAndKeepsItsMembers() {
    try (Retriever r = filled(b -> b)) {
      FloorRequest request = FloorRequest.of("garden").mode(Mode.LEXICAL);
      FloorOptions plain = FloorOptions.builder().size(10).display(5).build();
      List<String> straight = ids(r.ask(request.options(plain)).passages());
      List<String> diverse =
          ids(r.ask(request.options(plain.toBuilder().lambda(0.2).build())).passages());
      assertEquals(straight.getFirst(), diverse.getFirst());
      assertEquals(new HashSet<>(straight), new HashSet<>(diverse));
      assertFalse(straight.equals(diverse));
    }
  }

  // ---- what goes wrong -----------------------------------------------------------------------

  @Test
  void withoutAModelTheOrderIsThatOfFusionAndTheFallbackSaysSo() {
    try (Retriever r = filled(b -> b)) {
      Floor floor = r.ask(FloorRequest.of("harbour"));
      assertEquals(0, floor.scored());
      assertTrue(floor.partial());
      assertEquals(Optional.empty(), floor.model());
      assertEquals(Reason.NO_MODEL, floor.fallback().orElseThrow().reason());
      assertEquals("harbour", floor.passages().getFirst().chunk().entryId());
      assertTrue(floor.passages().stream().allMatch(p -> p.score().isEmpty()));
      for (int i = 0; i < floor.passages().size(); i++) {
        assertEquals(i + 1, floor.passages().get(i).poolRank());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "MODEL_LOADING, MODEL_LOADING",
    "MODEL_FAILED, MODEL_FAILED",
    "CLOSED, CLOSED",
    "DEADLINE, DEADLINE_BEFORE_FIRST_SCORE",
    "SCORER_ERROR, SCORER_ERROR"
  })
  void aModelThatScoresNothingIsLabelledByItsCause(Cause cause, Reason reason) {
    try (Retriever r = filled(b -> b.reranker(new FakeReranker(0, cause, t -> 1)))) {
      Floor floor = r.ask(FloorRequest.of("ledger"));
      assertEquals(reason, floor.fallback().orElseThrow().reason());
      assertEquals("as the test wants it", floor.fallback().orElseThrow().detail());
      assertEquals(28, floor.passages().size());
      StageUnavailableException e =
          assertThrows(
              StageUnavailableException.class,
              () -> r.ask(FloorRequest.of("ledger").require(Stage.RERANK)));
      assertEquals(reason, e.shortfall().reason());
    }
  }

  @Test
  void aPartialRerankingSatisfiesARequestThatRequiresTheStage() {
    try (Retriever r = filled(b -> b.reranker(new FakeReranker(1, Cause.DEADLINE, t -> 1)))) {
      assertEquals(1, r.ask(FloorRequest.of("ledger").require(Stage.RERANK)).scored());
    }
  }

  @Test
  void aModelThatThrowsOrMiscountsNeverFailsTheRequest() {
    FakeReranker thrower =
        new FakeReranker(
            t -> {
              throw new IllegalStateException("native trouble");
            });
    try (Retriever r = filled(b -> b.reranker(thrower))) {
      Shortfall s = r.ask(FloorRequest.of("engine")).fallback().orElseThrow();
      assertEquals(Reason.SCORER_ERROR, s.reason());
      assertTrue(s.detail().contains("native trouble"), s::detail);
    }
    Reranker miscounting =
        new Reranker() {
          @Override
          public String label() {
            return "miscounting";
          }

          @Override
          public Readiness readiness() {
            return List::of;
          }

          @Override
          public Reranking rerank(String query, List<String> passages, Deadline deadline) {
            return new Reranking(List.of(), Optional.empty());
          }

          @Override
          public void close() {}
        };
    try (Retriever r = filled(b -> b.reranker(miscounting))) {
      Shortfall s = r.ask(FloorRequest.of("engine")).fallback().orElseThrow();
      assertEquals(Reason.SCORER_ERROR, s.reason());
      assertTrue(s.detail().contains("0 scores for 80 passages"), s::detail);
    }
  }

  @Test
  void aDeadlineThatHasPassedAnswersByWordsAloneAndSaysWhy() {
    FakeReranker model = new FakeReranker(t -> 1);
    AtomicInteger embedded = new AtomicInteger();
    try (Retriever r = filled(counting(embedded), b -> b.reranker(model))) {
      embedded.set(0);
      Floor floor = r.ask(FloorRequest.of("glacier").deadline(Deadline.after(Duration.ZERO)));
      assertEquals(0, embedded.get());
      assertEquals(List.of(), model.asked);
      assertEquals(10, floor.total(), "those with the word");
      assertEquals(
          Reason.DEADLINE_BEFORE_FIRST_SCORE, floor.shortfall(Stage.EMBED).orElseThrow().reason());
      assertEquals(Reason.DEADLINE_BEFORE_FIRST_SCORE, floor.fallback().orElseThrow().reason());
      assertEquals(1, floor.next().served().size() / 8);
    }
  }

  @Test
  void theModelGetsTheDeadlineLessTheReserve() {
    AtomicLong now = new AtomicLong(1_000_000_000);
    FakeReranker model = new FakeReranker(t -> 1);
    FloorOptions options = FloorOptions.builder().reserve(Duration.ofMillis(30)).build();
    try (Retriever r = filled(b -> b.reranker(model).floor(options))) {
      r.ask(FloorRequest.of("comet").deadline(Deadline.after(Duration.ofMillis(100), now::get)));
      assertEquals(Duration.ofMillis(70), model.deadlines.getFirst().remaining());
      // no time for the model after the reserve: it is not asked
      Floor floor =
          r.ask(FloorRequest.of("comet").deadline(Deadline.after(Duration.ofMillis(20), now::get)));
      assertEquals(1, model.asked.size());
      assertEquals(Reason.DEADLINE_BEFORE_FIRST_SCORE, floor.fallback().orElseThrow().reason());
      assertEquals(List.of("question"), floor.targets());
    }
  }

  @Test
  void anEmbedderThatFailsLeavesTheWordsAndIsNamed() {
    AtomicInteger count = new AtomicInteger();
    Embedder failing = counting(count);
    try (Retriever r = filled(failing, b -> b)) {
      count.set(Integer.MIN_VALUE); // the counting embedder throws below 0
      Floor floor = r.ask(FloorRequest.of("violin"));
      Shortfall s = floor.shortfall(Stage.EMBED).orElseThrow();
      assertEquals(Reason.MODEL_FAILED, s.reason());
      assertTrue(s.detail().contains("no more"), s::detail);
      assertEquals(10, floor.total());
      assertThrows(
          StageUnavailableException.class,
          () -> r.ask(FloorRequest.of("violin").require(Stage.EMBED)));
      Floor none = r.ask(FloorRequest.of("violin").mode(Mode.DENSE));
      assertEquals(List.of(), none.passages());
      assertEquals(0, none.total());
      assertFalse(none.partial());
    }
  }

  private static Embedder counting(AtomicInteger count) {
    return new ForwardingEmbedder() {

      @Override
      public List<Embedding> embed(List<String> texts, TextForm form) {
        if (count.incrementAndGet() < 0) {
          throw new IllegalStateException("no more");
        }
        return super.embed(texts, form);
      }
    };
  }

  @Test
  void anEmptyIndexGivesAnEmptyFloor() {
    RetrieverConfig config =
        RetrieverConfig.builder(new WordsEmbedder()).reranker(new FakeReranker(t -> 1)).build();
    try (Retriever r = Retriever.open(directory, config)) {
      Floor floor = r.ask(FloorRequest.of("anything"));
      assertEquals(List.of(), floor.passages());
      assertEquals(0, floor.total());
      assertEquals(List.of(), floor.shortfalls());
    }
  }

  @Test
  void everyRequestBesideAModelThatIsClosedIsAnsweredWithItsLabel() throws InterruptedException {
    FakeReranker model = new FakeReranker(FloorTest::detail);
    try (Retriever r = filled(b -> b.reranker(model))) {
      Threads.run(
          8,
          thread -> {
            for (int i = 0; i < 40; i++) {
              if (thread == 0 && i == 20) {
                model.close();
              }
              Floor floor = r.ask(FloorRequest.of(TOPICS.get((thread + i) % 8)));
              assertEquals(28, floor.passages().size());
              if (floor.scored() == 0) {
                assertEquals(Reason.CLOSED, floor.fallback().orElseThrow().reason());
              } else {
                assertEquals(80, floor.scored());
              }
            }
          });
      assertEquals(Reason.CLOSED, r.ask(FloorRequest.of("x")).fallback().orElseThrow().reason());
    }
  }

  @Test
  void theRetrieverClosesItsModelAndTellsItsReadiness() {
    FakeReranker model = new FakeReranker(t -> 1);
    try (Retriever r = filled(b -> b.reranker(model))) {
      assertEquals(
          List.of("words-64", "fake fp64"),
          r.readiness().models().stream().map(Readiness.Model::label).toList());
      assertTrue(r.readiness().ready());
    }
    assertTrue(model.closed.get());
  }

  // ---- both forms, conversation, filters -----------------------------------------------------

  @Test
  void aModelWithTwoFormsIsSearchedByTheNearerAndOneWithASingleFormOnce() {
    Embedder two =
        new ForwardingEmbedder() {

          @Override
          public List<Embedding> embed(List<String> texts, TextForm form) {
            // a question "a | b" is "a" as a query and "b" as a document
            return super.embed(
                texts.stream()
                    .map(
                        t ->
                            !t.contains("|")
                                ? t
                                : t.split("[|]", 2)[form == TextForm.QUERY ? 0 : 1])
                    .toList(),
                form);
          }
        };
    FloorOptions small = FloorOptions.builder().densePool(20).pool(20).size(20).build();
    FloorRequest request = FloorRequest.of("violin|comet").mode(Mode.DENSE).options(small);
    try (Retriever r = filled(two, b -> b)) {
      Floor floor = r.ask(request);
      assertEquals(List.of("question", "question as document"), floor.targets());
      Set<String> entries = new HashSet<>();
      floor.passages().forEach(p -> entries.add(p.chunk().entryId()));
      assertEquals(Set.of("violin", "comet"), entries);
      Floor one = r.ask(request.options(small.toBuilder().bothForms(false).build()));
      assertEquals(List.of("question"), one.targets());
      assertEquals("violin", one.passages().getFirst().chunk().entryId());
    }
    AtomicInteger runs = new AtomicInteger();
    Embedder single =
        new ForwardingEmbedder() {
          @Override
          public boolean distinguishesForms() {
            return false;
          }

          @Override
          public List<Embedding> embed(List<String> texts, TextForm form) {
            runs.incrementAndGet();
            return super.embed(texts, form);
          }
        };
    try (Retriever r =
        Retriever.open(directory.resolve("one form"), RetrieverConfig.builder(single).build())) {
      assertEquals(List.of("question"), r.ask(FloorRequest.of("violin")).targets());
      assertEquals(1, runs.get(), "one form, one run");
    }
    try (Retriever r =
        Retriever.open(
            directory.resolve("single"), RetrieverConfig.builder(new WordsEmbedder()).build())) {
      assertEquals(List.of("question"), r.ask(FloorRequest.of("violin")).targets());
    }
  }

  @Test
  void whatWasDisplayedIsServedAndNotServedAgain() {
    try (Retriever r = filled(b -> b.reranker(new FakeReranker(FloorTest::detail)))) {
      Floor first = r.ask(FloorRequest.of("garden"));
      assertEquals(ids(first.displayed()), first.next().served());
      assertEquals(1, first.next().turns());
      Floor second = r.ask(FloorRequest.of("and what else").in(first.next()));
      Set<String> again = new HashSet<>(ids(second.passages()));
      again.retainAll(first.next().served());
      assertEquals(Set.of(), again);
      assertTrue(second.lexicalText().contains("garden"), second::lexicalText);
      Floor open = r.ask(FloorRequest.of("garden").in(first.next()).exclude(false));
      assertEquals(
          new HashSet<>(ids(first.displayed())),
          new HashSet<>(ids(open.displayed())),
          "by the model's order; ties by another one, as the vectors' targets are others");
    }
  }

  @Test
  void aTurnWithoutAVectorIsATurnAllTheSame() {
    try (Retriever r = filled(UnaryOperator.identity())) {
      Floor first = r.ask(FloorRequest.of("harbour"));
      Floor late =
          r.ask(
              FloorRequest.of("glacier").in(first.next()).deadline(Deadline.after(Duration.ZERO)));
      ConversationState next = late.next();
      assertEquals(2, next.turns());
      assertEquals(List.of("glacier", "harbour"), next.questions());
      assertEquals(ids(late.displayed()), next.lastHits());
      assertArrayEquals(first.next().centroid().orElseThrow(), next.centroid().orElseThrow());
      Floor followUp = r.ask(FloorRequest.of("and detail3?").mode(Mode.LEXICAL).in(next));
      assertTrue(followUp.lexicalText().contains("glacier"), followUp::lexicalText);
    }
  }

  @Test
  void aFilterHoldsForEveryChannelAndForExpansion() {
    FloorOptions options =
        FloorOptions.builder().neighbours(2).linksAttribute("links").expansionPool(60).build();
    try (Retriever r = filled(b -> b.rareTerms(new RareTermOptions(0.02, 8)).floor(options))) {
      Filter even = new Filter.In("number", List.of(0L, 2L, 4L));
      Floor floor = r.ask(FloorRequest.of("engine enginex3 enginex4").filter(even));
      assertFalse(floor.passages().isEmpty());
      for (FloorPassage p : floor.passages()) {
        assertTrue(even.matches(p.chunk()), p::toString);
      }
    }
  }

  // ---- expansion -----------------------------------------------------------------------------

  @Test
  void neighboursOfTheBestCandidatesBecomeCandidatesAndNameThem() {
    FloorOptions options =
        FloorOptions.builder().neighbours(1).expandFrom(1).densePool(1).lexicalPool(1).build();
    try (Retriever r = filled(b -> b.floor(options))) {
      Floor floor = r.ask(FloorRequest.of("ledger ledgerx5"));
      assertEquals(List.of("ledger#5", "ledger#4", "ledger#6"), ids(floor.passages()));
      assertTrue(floor.passages().getFirst().relation().isEmpty());
      Relation relation = floor.passages().get(1).relation().orElseThrow();
      assertEquals(new Relation(Relation.Kind.NEIGHBOUR, "ledger#5"), relation);
      assertTrue(floor.passages().get(1).denseRank().isEmpty());
      Floor excluded =
          r.ask(
              FloorRequest.of("ledger ledgerx5")
                  .in(ConversationState.start().alsoServed(List.of("ledger#4"))));
      assertFalse(ids(excluded.passages()).contains("ledger#4"));
    }
  }

  @ParameterizedTest
  @CsvSource({"HYBRID", "DENSE", "LEXICAL"})
  void theBestOfLinkedEntriesBecomeCandidatesAndNameWhoLinks(Mode mode) {
    FloorOptions options =
        FloorOptions.builder()
            .linksAttribute("links")
            .expandFrom(1)
            .densePool(2)
            .lexicalPool(2)
            .expansionPool(4)
            .build();
    try (Retriever r = filled(b -> b.floor(options))) {
      Floor floor = r.ask(FloorRequest.of("violin violinx2 glacierx7").mode(mode));
      FloorPassage linked =
          floor.passages().stream().filter(p -> p.relation().isPresent()).findFirst().orElseThrow();
      assertEquals("glacier", linked.chunk().entryId());
      assertEquals(Relation.Kind.LINKED, linked.relation().get().kind());
      assertTrue(linked.relation().get().from().startsWith("violin"));
    }
  }

  // ---- bad input -----------------------------------------------------------------------------

  @Test
  void optionsThatDontFitAreRefusedByName() {
    assertRefused("size", () -> FloorOptions.builder().pool(10).size(11).display(1).build());
    assertRefused("display", () -> FloorOptions.builder().size(5).display(6).build());
    assertRefused("lambda", () -> FloorOptions.builder().lambda(1.5));
    assertRefused("reserve", () -> FloorOptions.builder().reserve(Duration.ofMillis(-1)));
    assertRefused("size", () -> FloorOptions.builder().pool(2000).size(600).lambda(0.5).build());
    assertRefused(
        "floor.densePool",
        () ->
            RetrieverConfig.builder(new WordsEmbedder())
                .floor(FloorOptions.builder().densePool(1001).build())
                .build());
    assertRefused("text", () -> FloorRequest.of(" \n"));
    assertRefused("ef", () -> FloorRequest.of("x").ef(0));
    try (Retriever r = filled(b -> b)) {
      assertRefused(
          "densePool",
          () ->
              r.ask(FloorRequest.of("x").options(FloorOptions.builder().densePool(1001).build())));
    }
  }

  private static void assertRefused(String field, org.junit.jupiter.api.function.Executable call) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
    assertTrue(e.getMessage().startsWith(field + " "), e::getMessage);
  }

  @Test
  void aCopyOfOptionsIsEqualInEachNumber() {
    FloorOptions all =
        FloorOptions.builder()
            .pool(50)
            .densePool(40)
            .lexicalPool(30)
            .rareTermPool(0)
            .rareTermWeight(0.3)
            .expansionWeight(0.4)
            .bothForms(false)
            .rrfK(10)
            .size(20)
            .display(3)
            .lambda(0.5)
            .reserve(Duration.ofMillis(7))
            .neighbours(2)
            .linksAttribute("links")
            .expandFrom(4)
            .expansionPool(9)
            .build();
    FloorOptions copy = all.toBuilder().build();
    for (java.lang.reflect.Method m : FloorOptions.class.getDeclaredMethods()) {
      if (java.lang.reflect.Modifier.isPublic(m.getModifiers())
          && m.getParameterCount() == 0
          && !m.getName().endsWith("uilder")) {
        try {
          assertEquals(m.invoke(all), m.invoke(copy), m.getName());
        } catch (ReflectiveOperationException e) {
          throw new AssertionError(e);
        }
      }
    }
    assertSame(FloorOptions.DEFAULT, RetrieverConfig.builder(new WordsEmbedder()).build().floor());
  }
}
