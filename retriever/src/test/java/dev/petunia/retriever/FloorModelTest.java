package dev.petunia.retriever;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.Deadline;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.Readiness;
import dev.petunia.core.Reranker;
import dev.petunia.core.testing.Threads;
import dev.petunia.rerank.CheckLevel;
import dev.petunia.rerank.CrossEncoder;
import dev.petunia.rerank.CrossEncoderConfig;
import dev.petunia.retriever.Shortfall.Reason;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A floor with a real cross-encoder: the tiny model of the rerank module's tests. */
class FloorModelTest {
  private static final Path MODEL =
      Path.of("..", "rerank", "src", "test", "resources", "qwen3-tiny", "kv.onnx");

  @TempDir Path directory;

  private static CrossEncoder model() {
    return CrossEncoder.open(
        CrossEncoderConfig.builder(MODEL).workers(2).check(CheckLevel.QUICK).cacheBytes(0).build());
  }

  private Retriever filled(Reranker reranker) {
    Retriever r =
        Retriever.open(
            directory,
            RetrieverConfig.builder(new WordsEmbedder())
                .reranker(reranker)
                .floor(FloorOptions.builder().pool(12).size(12).build())
                .build());
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      chunks.add(new Chunk("c" + i, "e" + i / 4, i % 4, "the capital of land" + i, Map.of()));
    }
    r.ingest(chunks.iterator(), ProgressListener.NONE, chunks.size());
    return r;
  }

  @Test
  void aModelScoresThePoolAndItsOrderIsThatOfItsOwnScores() {
    try (Retriever r = filled(model())) {
      Floor floor = r.ask(FloorRequest.of("what is the capital of land7?"));
      assertEquals(12, floor.scored());
      assertEquals(12, floor.total());
      assertFalse(floor.partial());
      assertTrue(floor.model().orElseThrow().startsWith("kv"), floor::toString);
      for (int i = 1; i < 12; i++) {
        assertTrue(
            floor.passages().get(i - 1).logit().orElseThrow()
                >= floor.passages().get(i).logit().orElseThrow());
      }
      // the same question gets the same scores
      Floor again = r.ask(FloorRequest.of("what is the capital of land7?"));
      for (int i = 0; i < 12; i++) {
        assertEquals(
            floor.passages().get(i).logit(), again.passages().get(i).logit(), "place " + i);
      }
      assertTrue(r.readiness().ready());
    }
  }

  @Test
  void sixteenThreadsThatAskWhileTheModelIsClosedAndOpenedAgainAreAllAnsweredWithALabel()
      throws InterruptedException {
    AtomicReference<CrossEncoder> current = new AtomicReference<>(model());
    AtomicInteger scored = new AtomicInteger();
    AtomicInteger labelled = new AtomicInteger();
    AtomicBoolean reopened = new AtomicBoolean();
    try (Retriever r = filled(replaceable(current))) {
      Threads.run(
          17,
          thread -> {
            if (thread == 16) {
              for (int i = 0; i < 6; i++) {
                Thread.sleep(50);
                current.get().close(); // those who ask meanwhile find it closed
                Thread.sleep(10);
                current.set(model());
              }
              reopened.set(true);
              return;
            }
            // until the last model has answered too
            for (int i = 0, last = 0; last < 2; i++) {
              last += reopened.get() ? 1 : 0;
              Floor floor =
                  r.ask(
                      FloorRequest.of("what is the capital of land" + (thread + i) % 40)
                          .deadline(Deadline.after(Duration.ofSeconds(20))));
              assertEquals(12, floor.passages().size());
              if (floor.partial()) {
                Reason reason = floor.shortfalls().getFirst().reason();
                assertTrue(
                    Set.of(Reason.CLOSED, Reason.DEADLINE).contains(reason), reason::toString);
                labelled.incrementAndGet();
              } else {
                scored.incrementAndGet();
              }
            }
          });
      assertTrue(scored.get() >= 16, () -> scored + " scored, " + labelled + " not");
      assertTrue(labelled.get() > 0, "none met a closed model");
      Floor after = r.ask(FloorRequest.of("what is the capital of land1?"));
      assertEquals(12, after.scored());
    }
  }

  /** A reranker whose model can be changed, as an application does it when it loads another. */
  private static Reranker replaceable(AtomicReference<CrossEncoder> current) {
    return new Reranker() {
      @Override
      public String label() {
        return current.get().label();
      }

      @Override
      public Readiness readiness() {
        return current.get().readiness();
      }

      @Override
      public Reranking rerank(String query, List<String> passages, Deadline deadline) {
        return current.get().rerank(query, passages, deadline);
      }

      @Override
      public void close() {
        current.get().close();
      }
    };
  }
}
