package dev.petunia.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.IndexClosedException;
import dev.petunia.core.TextForm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClosingTest {
  private static final String TEXT = "a passage about nothing in particular ".repeat(10);

  @TempDir Path dir;

  @Test
  void aClosedEmbedderSaysSoAndClosingAgainDoesNothing() {
    OnnxEmbedder embedder = OnnxEmbedder.builder(new TinyModel().write(dir)).open();
    embedder.close();
    embedder.close();
    IndexClosedException e =
        assertThrows(IndexClosedException.class, () -> embedder.embed("w1", TextForm.QUERY));
    assertEquals("embedder tiny is closed", e.getMessage());
    assertThrows(IndexClosedException.class, () -> embedder.embed(List.of(), TextForm.QUERY));
  }

  /** Freeing a session during a run would end this JVM. */
  @Test
  void closingWaitsForTextsInTheModelAndStopsTheRest() throws Exception {
    for (int round = 0; round < 3; round++) {
      OnnxEmbedder embedder = OnnxEmbedder.builder(AllMiniLm.model()).threads(2).open();
      List<Future<?>> calls = new ArrayList<>();
      CountDownLatch started = new CountDownLatch(3);
      try (ExecutorService callers = Executors.newFixedThreadPool(3)) {
        for (int c = 0; c < 3; c++) {
          calls.add(
              callers.submit(
                  () -> {
                    embedder.embed("first", TextForm.DOCUMENT);
                    started.countDown();
                    embedder.embed(Collections.nCopies(100_000, TEXT), TextForm.DOCUMENT);
                  }));
        }
        started.await();
        Thread.sleep(20L * round);
        embedder.close();
        for (Future<?> call : calls) {
          ExecutionException e = assertThrows(ExecutionException.class, call::get);
          assertInstanceOf(IndexClosedException.class, e.getCause());
        }
      }
    }
  }

  @Test
  void anInterruptedCallerGetsItsVectorsAndStaysInterrupted() {
    try (OnnxEmbedder embedder =
        OnnxEmbedder.builder(new TinyModel().write(dir)).threads(3).open()) {
      Thread.currentThread().interrupt();
      assertEquals(50, embedder.embed(Collections.nCopies(50, "w1"), TextForm.QUERY).size());
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void helpersAreDaemonsAndSeveralListsShareThem() throws Exception {
    try (OnnxEmbedder embedder =
            OnnxEmbedder.builder(new TinyModel().write(dir)).threads(4).open();
        ExecutorService callers = Executors.newFixedThreadPool(6)) {
      List<Future<Integer>> sizes = new ArrayList<>();
      for (int c = 0; c < 6; c++) {
        sizes.add(
            callers.submit(
                () -> embedder.embed(Collections.nCopies(500, "w1 w2"), TextForm.QUERY).size()));
      }
      for (Future<Integer> size : sizes) {
        assertEquals(500, size.get());
      }
      List<Thread> helpers =
          Thread.getAllStackTraces().keySet().stream()
              .filter(t -> t.getName().startsWith("petunia-embed-tiny"))
              .toList();
      assertFalse(helpers.isEmpty());
      assertTrue(helpers.size() <= 3, helpers.toString());
      assertTrue(helpers.stream().allMatch(Thread::isDaemon), helpers.toString());
    }
  }
}
