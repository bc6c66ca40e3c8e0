package dev.petunia.dedup;

import static dev.petunia.dedup.Findings.CONFIG;
import static dev.petunia.dedup.Findings.documents;
import static dev.petunia.dedup.Findings.edges;
import static dev.petunia.dedup.Findings.prose;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.ProgressListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Listeners, consumers and policies that throw, or that call the index which calls them. */
class ListenerFailuresTest {
  private static final String TEXT = prose(1, 60);

  @TempDir Path directory;

  /** Does what a test says, when something was found or withdrawn. */
  private static EdgeListener listener(Runnable found, Runnable withdrawn) {
    return new EdgeListener() {
      @Override
      public void found(List<Edge> edges) {
        found.run();
      }

      @Override
      public void withdrawn(String chunkId) {
        withdrawn.run();
      }
    };
  }

  private static void fail() {
    throw new ArithmeticException("the listener's own");
  }

  private void checkReopened(DedupIndex index, int runs) {
    List<String> edges = edges(index);
    List<String> runIds = new ArrayList<>();
    index.edges().forEach(e -> runIds.add(e.runId()));
    index.commit();
    index.close();
    try (DedupIndex reopened = DedupIndex.open(directory, CONFIG)) {
      reopened.verify(ProgressListener.NONE);
      assertEquals(edges, edges(reopened));
      List<String> again = new ArrayList<>();
      reopened.edges().forEach(e -> again.add(e.runId()));
      assertEquals(runIds, again);
      assertEquals(runs, reopened.stats().runs());
      assertEquals(runs, reopened.runs().size());
    }
  }

  @Test
  void edgeListenerThatThrowsInAnIngestLeavesAWholeRun() {
    DedupIndex index =
        DedupIndex.open(
            directory, CONFIG.withListener(listener(ListenerFailuresTest::fail, () -> {})));
    index.ingest(List.of(new Document("before", prose(7, 60))));
    assertThrows(ArithmeticException.class, () -> index.ingest(documents(TEXT, TEXT)));
    assertEquals(1, edges(index).size());
    assertEquals(1, index.runs().getLast().counts().edges());
    index.ingest(List.of(new Document("after", prose(8, 60))));
    checkReopened(index, 3);
  }

  @Test
  void progressListenerThatThrowsInAnIngestLeavesAWholeRun() {
    DedupIndex index = DedupIndex.open(directory, CONFIG);
    assertThrows(
        ArithmeticException.class,
        () ->
            index.ingest(
                documents(TEXT, TEXT),
                (stage, done, total) -> {
                  fail();
                  return true;
                }));
    // a run more, which must not lend its id to the edges of the one before
    index.ingest(List.of(new Document("after", prose(8, 60))));
    checkReopened(index, 2);
  }

  @Test
  void listenerThatThrowsInARemoveLeavesNoRemovedChunkCanonical() {
    try (DedupIndex index =
        DedupIndex.inMemory(CONFIG.withListener(listener(() -> {}, ListenerFailuresTest::fail)))) {
      index.ingest(documents(TEXT, TEXT, TEXT));
      assertThrows(ArithmeticException.class, () -> index.remove("t0"));
      assertFalse(index.contains("t0"));
      assertEquals(Map.of("t2", "t1"), index.canonicalMap().canonicalOf());
      assertEquals("t1", index.clusterOf("t2").orElseThrow().canonical());
      assertEquals(List.of(), index.wrongLabels());
    }
  }

  @Test
  void changeThatFailsInTheMiddleStopsChangesAndCommitsUntilReopened() {
    OutOfMemoryError full = new OutOfMemoryError("in the middle of a batch");
    State state = new State();
    Sets sets = new Sets(state);
    Lsh.KeySource failing =
        set -> {
          throw full;
        };
    Lsh lsh = new Lsh(state, sets, failing, 18, 256);
    Guard guard = new Guard(false);
    Records records = new Records(true);
    try (Crew crew = new Crew(1)) {
      Ingest ingest =
          new Ingest(state, sets, lsh, records, new Edges(state, guard), CONFIG, crew, guard);
      Executable change =
          () -> guard.writing("ingest", () -> ingest.run(documents(TEXT), ProgressListener.NONE));
      assertSame(full, assertThrows(OutOfMemoryError.class, change));
      IllegalStateException e = assertThrows(IllegalStateException.class, change);
      assertSame(full, e.getCause());
      assertTrue(e.getMessage().contains("close it and open it again"), e.getMessage());
      // a commit asks for this before it writes
      assertThrows(IllegalStateException.class, guard::requireWritable);
      assertEquals("read", guard.reading(() -> "read"));
    }
  }

  private static void closed(DedupIndex index) {
    index.close();
  }

  private static void refused(String method, Executable call) {
    IllegalStateException e =
        assertTimeoutPreemptively(
            Duration.ofSeconds(20), () -> assertThrows(IllegalStateException.class, call));
    assertTrue(e.getMessage().startsWith(method + " was called by"), e.getMessage());
  }

  @Test
  void changesInsideAReaderAreRefusedInsteadOfWaitingForEver() {
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      index.ingest(documents(TEXT, TEXT));
      refused("remove", () -> index.edges().forEach(e -> index.remove(e.chunkB())));
      refused("commit", () -> index.edges().forEachExpanded(e -> index.commit()));
      refused("close", () -> index.edges().forEach(e -> closed(index)));
      refused(
          "judge",
          () ->
              index.view(
                  m -> {
                    index.judge("t0", "t1", true, "");
                    return PromotionPolicy.Decision.suppress();
                  },
                  id -> TEXT));
      refused(
          "ingest",
          () ->
              index.verify(
                  (stage, done, total) -> {
                    index.ingest(documents(TEXT));
                    return true;
                  }));
      assertEquals(2, index.stats().chunks());
      index.remove("t0");
      index.commit();
    }
  }

  @Test
  void listenersThatChangeTheIndexAreRefused() {
    List<DedupIndex> box = new ArrayList<>();
    List<Runnable> calls = new ArrayList<>();
    Runnable call = () -> calls.forEach(Runnable::run);
    try (DedupIndex index = DedupIndex.open(directory, CONFIG.withListener(listener(call, call)))) {
      box.add(index);
      int n = 0;
      for (Map.Entry<String, Runnable> c :
          Map.<String, Runnable>of(
                  "ingest", () -> box.getFirst().ingest(List.of(new Document("x", TEXT))),
                  "commit", () -> box.getFirst().commit(),
                  "remove", () -> box.getFirst().remove("x"),
                  "close", () -> box.getFirst().close())
              .entrySet()) {
        calls.add(c.getValue());
        String id = "n" + n++;
        refused(
            c.getKey(),
            () -> index.ingest(List.of(new Document(id, TEXT), new Document(id + "b", TEXT))));
        calls.clear();
        refused(
            c.getKey(),
            () ->
                index.ingest(
                    List.of(new Document(id + "c", TEXT)),
                    (stage, done, total) -> {
                      c.getValue().run();
                      return true;
                    }));
      }
      assertEquals(3 * n, index.stats().chunks());
      assertEquals(2 * n, index.stats().runs());
      index.commit();
    }
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      assertEquals(11, edges(index).size());
      index.verify(ProgressListener.NONE);
    }
  }
}
