package dev.petunia.rerank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Deadline;
import dev.petunia.core.Reranker.Cause;
import dev.petunia.core.Reranker.Reranking;
import dev.petunia.core.Reranker.Score;
import dev.petunia.core.testing.FakeTicker;
import dev.petunia.core.testing.Threads;
import dev.petunia.onnx.ModelException;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Order, deadline, failures and turns, with a model that is made up and a clock that is turned. */
@Timeout(60)
class WorkersTest {
  private final FakeTicker clock = new FakeTicker();
  private final FakeScorer model = new FakeScorer();
  private final Job.Shared shared =
      new Job.Shared(new CostModel(), new ScoreCache(1 << 20, "m"), new Health(), clock);

  @AfterEach
  void theModelWasFreedAndNeverMisused() throws InterruptedException {
    for (int i = 0; i < 500 && model.open.get() > 0; i++) {
      Thread.sleep(10);
    }
    assertEquals(0, model.open.get());
    assertEquals(List.of(), model.misuse);
  }

  private Reranking run(int workers, Deadline deadline, String... passages) {
    try (Workers w = new Workers("test", workers)) {
      return w.run(shared, model, "q", List.of(passages), deadline);
    }
  }

  private List<String> started() {
    return model.started.stream().map(s -> s.substring(s.indexOf(':') + 1)).toList();
  }

  private static List<Boolean> present(Reranking r) {
    return r.scores().stream().map(s -> s.value().isPresent()).toList();
  }

  /** Each token takes a millisecond of the turned clock. */
  private double slow(String passage) {
    clock.advance(Duration.ofMillis(Integer.parseInt(passage.split(" ", -1)[0])));
    return 1;
  }

  @Test
  void passagesAreScoredInTheOrderGiven() {
    String[] passages = IntStream.range(0, 40).mapToObj(i -> "1 p" + i).toArray(String[]::new);
    Reranking r = run(1, Deadline.NONE, passages);
    assertEquals(List.of(passages), started());
    assertEquals(40, r.scored());
    assertTrue(r.shortfall().isEmpty());
    assertEquals(4, r.scores().get(3).logit().orElseThrow());
  }

  @Test
  void severalWorkersScoreEachPassageOnce() {
    String[] passages = IntStream.range(0, 200).mapToObj(i -> "1 p" + i).toArray(String[]::new);
    assertEquals(200, run(4, Deadline.NONE, passages).scored());
    assertEquals(200, started().stream().distinct().count());
    assertEquals(200, started().size());
  }

  @Test
  void aTextThatComesTwiceIsScoredOnceAndLaterTakenFromTheCache() {
    Reranking r = run(2, Deadline.NONE, "1 a", "1 b", "1 a");
    assertEquals(2, started().size());
    assertEquals(r.scores().get(0), r.scores().get(2));
    assertFalse(r.scores().get(2).cached());
    Reranking again = run(2, Deadline.NONE, "1 b", "1 c");
    assertEquals(List.of(true, false), again.scores().stream().map(Score::cached).toList());
    assertEquals(3, started().size());
    assertEquals(r.scores().get(1).logit(), again.scores().get(0).logit());
  }

  @Test
  void nothingRunsWhenEverythingIsInTheCache() {
    model.prefixTokens = 9;
    run(1, Deadline.NONE, "1 a");
    run(1, Deadline.NONE, "1 a", "1 a");
    assertEquals(1, model.prefixes.get());
    assertEquals(1, started().size());
  }

  @Test
  void thePrefixIsComputedOnceBeforeAnyPassage() {
    model.prefixTokens = 9;
    model.onPrefix = () -> assertEquals(0, model.started.size());
    assertEquals(3, run(3, Deadline.NONE, "1 a", "1 b", "1 c").scored());
    assertEquals(1, model.prefixes.get());
  }

  @Test
  void whatCannotEndInTimeIsNotStartedAndShorterOnesBehindItAre() {
    model.run = (passage, q) -> slow(passage);
    Deadline deadline = Deadline.after(Duration.ofMillis(100), clock);
    Reranking r = run(1, deadline, "30 a", "30 b", "30 c", "30 d", "5 e", "30 f");
    assertEquals(List.of("30 a", "30 b", "30 c", "5 e"), started());
    assertEquals(List.of(true, true, true, false, true, false), present(r));
    assertEquals(Cause.DEADLINE, r.shortfall().orElseThrow().cause());
    assertEquals(
        "2 of 6 passages not scored: too little time was left for them",
        r.shortfall().orElseThrow().detail());
  }

  @Test
  void manyPassagesInARowThatAreTooLongEndTheRequestBeforeItsDeadline() {
    model.run = (passage, q) -> slow(passage);
    Deadline deadline = Deadline.after(Duration.ofMillis(100), clock);
    List<String> passages = new ArrayList<>(List.of("60 first"));
    IntStream.range(0, 100).forEach(i -> passages.add("60 p" + i));
    passages.add("1 last");
    Reranking r = run(1, deadline, passages.toArray(new String[0]));
    assertEquals(List.of("60 first"), started());
    assertFalse(deadline.passed());
    assertEquals(1, r.scored());
  }

  @Test
  void theFirstPassageIsTriedWhateverIsPredicted() {
    shared.cost().took(1, TimeUnit.HOURS.toNanos(1)); // a pause that will not come again
    model.run = (passage, q) -> slow(passage);
    for (int i = 0; i < 200 && shared.cost().predict(1) > 2_000_000; i++) {
      run(1, Deadline.after(Duration.ofMillis(100), clock), "1 p" + i);
    }
    assertTrue(shared.cost().predict(1) < 2_000_000, "it learns that a token takes 1 ms");
  }

  @Test
  void aDeadlineThatPassesWhileTheTextsAreReadEndsTheReading() {
    AtomicLong looks = new AtomicLong();
    Deadline deadline = Deadline.after(Duration.ofNanos(20), looks::incrementAndGet);
    AtomicInteger read = new AtomicInteger();
    List<String> passages =
        new AbstractList<>() {
          @Override
          public String get(int i) {
            read.incrementAndGet();
            return "1 p" + i;
          }

          @Override
          public int size() {
            return 100_000;
          }
        };
    try (Workers w = new Workers("test", 1)) {
      Reranking r = w.run(shared, model, "q", passages, deadline);
      assertEquals(100_000, r.scores().size());
      assertEquals(0, r.scored());
      assertEquals(Cause.DEADLINE, r.shortfall().orElseThrow().cause());
    }
    assertTrue(read.get() <= 20, read::toString);
    assertEquals(0, model.open.get());
  }

  @Test
  void atTheDeadlineRunningPassagesAreStoppedAndEveryScoreIsKept() {
    model.run = (passage, q) -> passage.startsWith("1 ") ? 7 : q.untilStopped();
    Deadline deadline = Deadline.after(Duration.ofMillis(60));
    Reranking r = run(2, deadline, "1 a", "1 b", "2 hangs", "3 hangs", "1 never");
    assertTrue(deadline.passed());
    assertEquals(List.of(true, true, false, false, false), present(r));
    assertEquals(Cause.DEADLINE, r.shortfall().orElseThrow().cause());
    assertTrue(shared.health().cause().isEmpty());
  }

  @Test
  void theCallerLeavesAtTheDeadlineThoughARunDoesNotStopAndItsScoreIsCached() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    model.run =
        (passage, q) -> {
          mayEnd.await();
          return 5;
        };
    try (Workers w = new Workers("test", 1)) {
      Reranking r =
          w.run(shared, model, "q", List.of("1 a"), Deadline.after(Duration.ofMillis(30)));
      assertEquals(0, r.scored());
      assertEquals(1, model.open.get(), "a run still needs it");
      mayEnd.countDown();
      Reranking again = w.run(shared, model, "q", List.of("1 a"), Deadline.NONE);
      assertEquals(5, again.scores().getFirst().logit().orElseThrow());
    }
  }

  @Test
  void stoppedRunsNeverCountAsFailuresOfTheModel() {
    model.run = (passage, q) -> q.untilStopped();
    for (int i = 0; i < 2 * Health.TOO_MANY; i++) {
      run(1, Deadline.after(Duration.ofMillis(1)), "1 a");
    }
    assertTrue(shared.health().cause().isEmpty());
  }

  @Test
  void anInterruptedCallerGetsWhatThereIsAndStaysInterrupted() throws Exception {
    AtomicReference<Reranking> got = new AtomicReference<>();
    CountDownLatch running = new CountDownLatch(1);
    model.run =
        (passage, q) -> {
          if (passage.equals("1 a")) {
            return 1;
          }
          running.countDown();
          return q.untilStopped();
        };
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  Reranking r = run(1, Deadline.NONE, "1 a", "1 b", "1 c");
                  if (Thread.currentThread().isInterrupted()) {
                    got.set(r);
                  }
                });
    running.await();
    caller.interrupt();
    caller.join();
    assertEquals(List.of(true, false, false), present(got.get()));
    assertTrue(got.get().shortfall().orElseThrow().detail().contains("interrupted"));
  }

  @Test
  void noNumberNeverLeavesAndTheOthersAreScored() {
    for (double bad : new double[] {Double.NaN, 1 / 0.0, -1 / 0.0}) {
      model.run = (passage, q) -> passage.contains("bad") ? bad : 1;
      Reranking r = run(1, Deadline.NONE, "1 a" + bad, "1 long bad" + bad, "1 c" + bad);
      assertEquals(List.of(true, false, true), present(r));
      assertEquals(Cause.SCORER_ERROR, r.shortfall().orElseThrow().cause());
      assertTrue(r.shortfall().orElseThrow().detail().contains("computed " + bad));
      assertTrue(r.scores().get(1).truncated());
    }
    assertTrue(shared.health().cause().isEmpty());
  }

  @Test
  void aPassageThatFailsIsNotCached() {
    model.run = (passage, q) -> Double.NaN;
    run(1, Deadline.NONE, "1 a");
    model.run = (passage, q) -> 1;
    assertFalse(run(1, Deadline.NONE, "1 a").scores().getFirst().cached());
  }

  @Test
  void aModelThatKeepsFailingIsGivenUp() {
    model.run =
        (passage, q) -> {
          throw new ModelException("broken", null);
        };
    String[] passages = IntStream.range(0, 50).mapToObj(i -> "1 p" + i).toArray(String[]::new);
    Reranking r = run(1, Deadline.NONE, passages);
    assertEquals(Health.TOO_MANY, started().size());
    assertEquals(0, r.scored());
    assertEquals(Cause.MODEL_FAILED, r.shortfall().orElseThrow().cause());
    assertEquals("8 failures in a row, the last: broken", shared.health().cause().orElseThrow());
  }

  @Test
  void aFailingPrefixFailsAllPassages() {
    model.prefixTokens = 5;
    model.onPrefix =
        () -> {
          throw new ModelException("broken", null);
        };
    Reranking r = run(2, Deadline.NONE, "1 a", "1 b");
    assertEquals(0, r.scored());
    assertEquals(Cause.SCORER_ERROR, r.shortfall().orElseThrow().cause());
    assertEquals(List.of(), started());
  }

  @Test
  void requestsTakeTurns() throws Exception {
    CountDownLatch bothThere = new CountDownLatch(2);
    model.run =
        (passage, q) -> {
          if (passage.equals("1 first")) {
            bothThere.countDown();
            bothThere.await();
          }
          return 1;
        };
    try (Workers w = new Workers("test", 1)) {
      List<String> passages = List.of("1 first", "1 x", "1 y", "1 z");
      Thread other =
          Thread.ofPlatform().start(() -> w.run(shared, model, "long", passages, Deadline.NONE));
      while (model.started.isEmpty()) {
        Thread.onSpinWait();
      }
      Thread second =
          Thread.ofPlatform()
              .start(() -> w.run(shared, model, "short", List.of("1 x", "1 y"), Deadline.NONE));
      while (model.open.get() < 2 || second.getState() != Thread.State.TIMED_WAITING) {
        Thread.sleep(1);
      }
      bothThere.countDown();
      other.join();
      second.join();
    }
    assertEquals(
        List.of("long:1 first", "long:1 x", "short:1 x", "long:1 y", "short:1 y", "long:1 z"),
        model.started);
  }

  @Test
  void closingStopsRunsAndAnswersEveryCaller() throws Exception {
    CountDownLatch running = new CountDownLatch(2);
    model.run =
        (passage, q) -> {
          running.countDown();
          return q.untilStopped();
        };
    Workers w = new Workers("test", 2);
    List<Reranking> got = Collections.synchronizedList(new ArrayList<>());
    Thread closer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    running.await();
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                  w.close();
                });
    Threads.run(
        6, t -> got.add(w.run(shared, model, "q" + t, List.of("1 a", "1 b"), Deadline.NONE)));
    closer.join();
    assertEquals(6, got.size());
    for (Reranking r : got) {
      assertEquals(Cause.CLOSED, r.shortfall().orElseThrow().cause());
    }
    assertTrue(shared.health().cause().isEmpty());
  }

  @Test
  void theCacheKeepsWithinItsBytesAndDropsWhatWasNotUsedLongest() {
    ScoreCache cache = new ScoreCache(3 * ScoreCache.BYTES_PER_ENTRY + 5, "m");
    ScoreCache.Keys keys = cache.keys("q");
    ScoreCache.Value v = new ScoreCache.Value(1, false);
    for (String s : List.of("a", "b", "c")) {
      cache.put(keys.of(s), v);
    }
    assertEquals(v, cache.get(keys.of("a")));
    cache.put(keys.of("d"), v);
    assertEquals(3, cache.size());
    assertEquals(v, cache.get(keys.of("a")));
    assertEquals(null, cache.get(keys.of("b")));
    ScoreCache none = new ScoreCache(0, "m");
    none.put(keys.of("a"), v);
    assertEquals(0, none.size());
  }

  @Test
  void keysDifferWithModelQueryAndPassageAndWhereOneEnds() {
    ScoreCache.Key key = new ScoreCache(9, "m").keys("qu").of("p");
    assertEquals(key, new ScoreCache(9, "m").keys("qu").of("p"));
    assertFalse(key.equals(new ScoreCache(9, "n").keys("qu").of("p")));
    assertFalse(key.equals(new ScoreCache(9, "m").keys("q").of("up")));
    assertFalse(key.equals(new ScoreCache(9, "mq").keys("u").of("p")));
  }
}
