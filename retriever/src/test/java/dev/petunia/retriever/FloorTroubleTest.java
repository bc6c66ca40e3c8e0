package dev.petunia.retriever;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.petunia.core.Chunk;
import dev.petunia.core.Embedder;
import dev.petunia.core.Embedding;
import dev.petunia.core.IndexClosedException;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.TextForm;
import dev.petunia.retriever.RetrievalRequest.Mode;
import dev.petunia.retriever.Shortfall.Reason;
import dev.petunia.retriever.Shortfall.Stage;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models that misbehave. */
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
    WordsEmbedder words = new WordsEmbedder();
    return new Embedder() {
      @Override
      public String modelId() {
        return words.modelId();
      }

      @Override
      public int dimension() {
        return words.dimension();
      }

      @Override
      public int maxTokens() {
        return words.maxTokens();
      }

      @Override
      public List<Embedding> embed(List<String> texts, TextForm form) {
        return form == TextForm.QUERY
            ? List.of(new Embedding(vector.get(), 1, false))
            : words.embed(texts, form);
      }

      @Override
      public void close() {
        words.close();
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
