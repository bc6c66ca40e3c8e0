package dev.petunia.retriever;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.Embedder;
import dev.petunia.core.Embedding;
import dev.petunia.core.Filter;
import dev.petunia.core.IndexClosedException;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.TextForm;
import dev.petunia.retriever.FloorPassage.Relation;
import dev.petunia.retriever.RetrievalRequest.Mode;
import dev.petunia.retriever.Shortfall.Reason;
import dev.petunia.retriever.Shortfall.Stage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models that misbehave, and expansion where there is much of everything. */
class FloorTroubleTest {
  @TempDir Path directory;

  private Retriever filled(
      Embedder embedder, List<Chunk> chunks, UnaryOperator<RetrieverConfig.Builder> options) {
    Retriever r =
        Retriever.open(directory, options.apply(RetrieverConfig.builder(embedder)).build());
    r.ingest(chunks.iterator(), ProgressListener.NONE, chunks.size());
    return r;
  }

  private static Chunk chunk(String entry, int ordinal, String text, List<String> links) {
    return new Chunk(entry + "#" + ordinal, entry, ordinal, text, Map.of("links", links));
  }

  /** Gives texts their vectors, and questions what the test wants. */
  private static Embedder questions(Supplier<float[]> vector) {
    return new ForwardingEmbedder() {

      @Override
      public List<Embedding> embed(List<String> texts, TextForm form) {
        return form == TextForm.QUERY
            ? List.of(new Embedding(vector.get(), 1, false))
            : super.embed(texts, form);
      }
    };
  }

  @Test
  void aVectorThatCantBeSearchedForIsAFailureOfTheEmbedderAndNotOfTheRequest() {
    List<Supplier<float[]>> bad =
        List.of(
            () -> new float[64], // zero
            () -> new float[] {1, 0, 0}, // another dimension
            () -> new float[0],
            () -> new float[] {Float.NaN},
            () -> {
              throw new UnsatisfiedLinkError("no native library");
            },
            () -> {
              throw new StackOverflowError();
            });
    List<Chunk> chunks = List.of(chunk("a", 0, "stone wall", List.of()));
    for (Supplier<float[]> vector : bad) {
      try (Retriever r = filled(questions(vector), chunks, b -> b)) {
        for (Mode mode : Mode.values()) {
          Floor floor = r.ask(FloorRequest.of("stone").mode(mode));
          assertEquals(Reason.MODEL_FAILED, floor.shortfall(Stage.EMBED).orElseThrow().reason());
          assertEquals(mode == Mode.DENSE ? 0 : 1, floor.total());
        }
        assertThrows(
            StageUnavailableException.class,
            () -> r.ask(FloorRequest.of("stone").require(Stage.EMBED)));
      }
    }
  }

  @Test
  void errorsOfACrossEncodersNativePartsNeverFailTheRequest() {
    Map<Supplier<Throwable>, Reason> all =
        Map.of(
            () -> new UnsatisfiedLinkError("no native library"), Reason.SCORER_ERROR,
            () -> new StackOverflowError(), Reason.SCORER_ERROR,
            () -> new IndexClosedException("the model"), Reason.CLOSED);
    List<Chunk> chunks = List.of(chunk("a", 0, "stone wall", List.of()));
    all.forEach(
        (error, reason) -> {
          FakeReranker thrower =
              new FakeReranker(
                  text -> {
                    Throwable t = error.get();
                    if (t instanceof Error e) {
                      throw e;
                    }
                    throw (RuntimeException) t;
                  });
          try (Retriever r = filled(new WordsEmbedder(), chunks, b -> b.reranker(thrower))) {
            Floor floor = r.ask(FloorRequest.of("stone"));
            assertEquals(reason, floor.fallback().orElseThrow().reason());
            assertEquals(1, floor.passages().size());
          }
        });
  }

  @Test
  void aModelThatFailsToCloseLeavesNothingElseOpen() {
    Embedder stubborn =
        new ForwardingEmbedder() {

          @Override
          public void close() {
            throw new IllegalStateException("not yet");
          }
        };
    FakeReranker model = new FakeReranker(String::length);
    QueryLogOptions log = QueryLogOptions.in(directory.resolve("log"));
    List<Chunk> chunks = List.of(chunk("a", 0, "stone wall", List.of()));
    Retriever r = filled(stubborn, chunks, b -> b.reranker(model).queryLog(log));
    assertEquals("not yet", assertThrows(IllegalStateException.class, r::close).getMessage());
    assertTrue(model.closed.get());
    r.close(); // a second time does nothing
    filled(new WordsEmbedder(), chunks, b -> b.queryLog(log)).close();
  }

  @Test
  void neighboursAreTheNextChunksWhateverTheirOrdinals() {
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      chunks.add(chunk("book", 10 * i, i == 700 ? "comet" : "page" + i, List.of()));
    }
    FloorOptions options =
        FloorOptions.builder().neighbours(2).densePool(1).expandFrom(1).lexicalPool(1).build();
    try (Retriever r = filled(new WordsEmbedder(), chunks, b -> b.floor(options))) {
      Floor floor = r.ask(FloorRequest.of("comet"));
      assertEquals(
          List.of("book#7000", "book#6980", "book#6990", "book#7010", "book#7020"),
          floor.passages().stream().map(p -> p.chunk().id()).toList());
    }
  }

  @Test
  void linksKeepRoomBesideNeighboursAndWhatHasNoneIsCounted() {
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      chunks.add(chunk("hub", i, i == 20 ? "comet" : "page" + i, List.of("leaf")));
      chunks.add(chunk("leaf", i, "leaf" + i, List.of()));
    }
    FloorOptions options =
        FloorOptions.builder()
            .neighbours(100)
            .linksAttribute("links")
            .densePool(1)
            .expandFrom(1)
            .lexicalPool(1)
            .expansionPool(10)
            .build();
    try (Retriever r = filled(new WordsEmbedder(), chunks, b -> b.floor(options))) {
      Floor floor = r.ask(FloorRequest.of("comet"));
      List<Relation.Kind> kinds =
          floor.passages().stream()
              .flatMap(p -> p.relation().stream())
              .map(Relation::kind)
              .toList();
      assertEquals(10, kinds.size());
      assertEquals(5, kinds.stream().filter(k -> k == Relation.Kind.LINKED).count());
      assertEquals(
          List.of(
              "expansion had no room for 34 chunks or linked entries, since expansionPool is 10"),
          floor.notes());
    }
  }

  @Test
  void thousandsOfLinksAndAFilterAtItsLimitsAreTakenOrRefusedWhateverTheIndexHolds() {
    List<String> many = IntStream.range(0, 5000).mapToObj(i -> "entry" + i).toList();
    List<Chunk> chunks = new ArrayList<>();
    chunks.add(chunk("hub", 0, "comet", many));
    chunks.add(chunk("entry4999", 0, "far away", List.of()));
    FloorOptions links = FloorOptions.builder().linksAttribute("links").densePool(1).build();
    try (Retriever r = filled(new WordsEmbedder(), chunks, b -> b.floor(links))) {
      Floor floor = r.ask(FloorRequest.of("comet"));
      Set<String> ids = new HashSet<>();
      floor.passages().forEach(p -> ids.add(p.chunk().id()));
      assertEquals(Set.of("hub#0", "entry4999#0"), ids);
      Filter deep = new Filter.Exists("links");
      while (!tooDeep(deep)) {
        deep = new Filter.Not(deep);
      }
      FloorRequest request = FloorRequest.of("nothing that is here").filter(deep);
      String said = assertThrows(IllegalArgumentException.class, () -> r.ask(request)).getMessage();
      assertTrue(said.startsWith("nesting of filter"), said);
      r.ask(request.options(FloorOptions.DEFAULT)); // nothing is added to the filter there
    }
  }

  private static boolean tooDeep(Filter f) {
    try {
      Filter ignored = new Filter.Not(f);
      return false;
    } catch (IllegalArgumentException e) {
      return true;
    }
  }

  @Test
  void aMaxEfBelowTheDefaultDensePoolLowersTheDefaultAndRefusesWhatWasSet() {
    List<Chunk> chunks = List.of(chunk("a", 0, "stone wall", List.of()));
    try (Retriever r = filled(new WordsEmbedder(), chunks, b -> b.maxEf(300))) {
      assertEquals(1, r.ask(FloorRequest.of("stone")).total());
    }
    RetrieverConfig.Builder b = RetrieverConfig.builder(new WordsEmbedder()).maxEf(300);
    assertEquals(300, b.build().floor().densePool());
    assertEquals(376, b.maxEf(376).build().floor().densePool());
    b.maxEf(300).floor(FloorOptions.DEFAULT);
    assertEquals(
        "floor.densePool is 376, allowed: 1 to maxEf, 300",
        assertThrows(IllegalArgumentException.class, b::build).getMessage());
  }

  @Test
  void anExpansionPoolAboveMaxEfIsRefusedWhetherThereAreLinksOrNot() {
    FloorOptions wide = FloorOptions.builder().linksAttribute("links").expansionPool(1000).build();
    WordsEmbedder words = new WordsEmbedder();
    String said =
        assertThrows(
                IllegalArgumentException.class,
                () -> RetrieverConfig.builder(words).maxEf(400).floor(wide).build())
            .getMessage();
    assertEquals("floor.expansionPool is 1000, allowed: 1 to maxEf, 400", said);
    List<Chunk> chunks = List.of(chunk("a", 0, "stone wall", List.of()));
    try (Retriever r = filled(words, chunks, b -> b.maxEf(400))) {
      said =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> r.ask(FloorRequest.of("stone").options(wide)))
              .getMessage();
      assertEquals("expansionPool is 1000, allowed: 1 to maxEf, 400", said);
    }
  }

  @Test
  @SuppressWarnings("NullAway") // nulls are the point
  void aRequestTakesAStageTwiceAndRefusesNullsByName() {
    FloorRequest request = FloorRequest.of("stone").require(Stage.RERANK, Stage.RERANK);
    assertEquals(Set.of(Stage.RERANK), request.required());
    assertEquals(
        "required[] is null, allowed: a value that is not null",
        assertThrows(IllegalArgumentException.class, () -> request.require((Stage) null))
            .getMessage());
    assertEquals(
        "filter is null, allowed: a value that is not null",
        assertThrows(IllegalArgumentException.class, () -> request.filter(null)).getMessage());
    assertEquals(
        "options is null, allowed: a value that is not null",
        assertThrows(IllegalArgumentException.class, () -> request.options(null)).getMessage());
  }
}
