package dev.petunia.core;

import static dev.petunia.core.testing.Expect.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Readiness.Model;
import dev.petunia.core.Readiness.State;
import dev.petunia.core.Reranker.Cause;
import dev.petunia.core.Reranker.Reranking;
import dev.petunia.core.Reranker.Score;
import dev.petunia.core.Reranker.Shortfall;
import dev.petunia.core.SearchTrace.Strategy;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What comes back: hits, traces, embeddings, scores, readiness, exceptions. */
@NullUnmarked // nulls are among the bad values
class ResultsTest {
  static final SearchTrace TRACE =
      new SearchTrace(Strategy.GRAPH, 100, 1, 2, 0, 3, 4, 5, 6, 7, 8, 9, 10, false, 11);

  private static Hit hit(List<Float> targets) {
    return new Hit("a", 0.5f, 0.75f, targets, null);
  }

  @Test
  void everyBadFieldOfAHitIsNamed() {
    List<Float> none = List.of();
    refused("id", "null", "a non-empty", () -> new Hit(null, 0, 1, none, null));
    refused("id", "\"\"", "a non-empty", () -> new Hit("", 0, 1, none, null));
    refused("distance", "NaN", "a number", () -> new Hit("a", Float.NaN, 1, none, null));
    refused("score", "NaN", "0.0 to 1.0", () -> new Hit("a", 0, Float.NaN, none, null));
    refused("score", "1.0000001", "0.0 to 1.0", () -> new Hit("a", 0, Math.nextUp(1f), none, null));
    refused("score", "-0.1", "0.0 to 1.0", () -> new Hit("a", 0, -0.1f, none, null));
    refused("targetDistances", "null", "a value", () -> hit(null));
    refused("targetDistances[1]", "null", "a value", () -> hit(Arrays.asList(1f, null)));
    refused("targetDistances[0]", "NaN", "a number", () -> hit(List.of(Float.NaN)));
    assertEquals(0f, new Hit("a", 1 / 0f, 0, none, null).score(), "d² may be beyond a float");
  }

  @Test
  void theNearestTargetIsTheFirstOfTheLeast() {
    assertEquals(0, hit(List.of()).nearestTarget());
    assertEquals(0, hit(List.of(5f)).nearestTarget());
    assertEquals(2, hit(List.of(5f, 4f, -1f, 0f)).nearestTarget());
    assertEquals(1, hit(List.of(5f, 4f, 4f)).nearestTarget());
  }

  @Test
  void resultsCopyTheirLists() {
    List<Float> distances = new ArrayList<>(List.of(1f));
    Hit h = hit(distances);
    List<Hit> hits = new ArrayList<>(List.of(h));
    SearchResult r = new SearchResult(hits, TRACE);
    distances.add(2f);
    hits.clear();
    assertEquals(List.of(1f), h.targetDistances());
    assertEquals(List.of(h), r.hits());
    assertThrows(UnsupportedOperationException.class, () -> r.hits().clear());
    refused("hits", "null", "a value", () -> new SearchResult(null, TRACE));
    refused("hits[0]", "null", "a value", () -> new SearchResult(Arrays.asList((Hit) null), TRACE));
    refused("trace", "null", "a value", () -> new SearchResult(List.of(), null));
  }

  @Test
  void everyCountOfATraceRefusesNegativeNumbers() throws ReflectiveOperationException {
    RecordComponent[] parts = SearchTrace.class.getRecordComponents();
    Object[] good = new Object[parts.length];
    Class<?>[] types = new Class<?>[parts.length];
    for (int i = 0; i < parts.length; i++) {
      good[i] = parts[i].getAccessor().invoke(TRACE);
      types[i] = parts[i].getType();
    }
    Constructor<SearchTrace> constructor = SearchTrace.class.getDeclaredConstructor(types);
    int counts = 0;
    for (int i = 0; i < parts.length; i++) {
      Object[] bad = good.clone();
      if (types[i] == int.class) {
        bad[i] = -1;
      } else if (types[i] == long.class) {
        bad[i] = -1L;
      } else {
        continue;
      }
      counts++;
      refused(
          parts[i].getName(),
          "-1",
          "0 to ",
          () -> {
            try {
              constructor.newInstance(bad);
            } catch (java.lang.reflect.InvocationTargetException e) {
              throw e.getCause();
            }
          });
    }
    assertEquals(13, counts);
    refused(
        "strategy",
        "null",
        "a value",
        () -> new SearchTrace(null, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, 0));
  }

  @Test
  void vectorsOfEntriesAndEmbeddingsAreFinite() {
    float[] v = {1, 0};
    assertSame(v, new VectorEntry("a", v).vector(), "documented as not copied");
    refused("id", "\"\"", "a non-empty", () -> new VectorEntry("", v));
    refused("id", "null", "a non-empty", () -> new VectorEntry(null, v));
    refused("vector of \"a\"", "null", "a value", () -> new VectorEntry("a", null));
    refused("vector of \"a\"", "0 comp", "at least 1", () -> new VectorEntry("a", new float[0]));
    refused(
        "vector of \"a\"[1]", "NaN", "finite", () -> new VectorEntry("a", new float[] {0, 0 / 0f}));
    assertSame(v, new Embedding(v, 0, false).vector(), "documented as not copied");
    refused("vector", "null", "a value", () -> new Embedding(null, 1, false));
    refused("vector[0]", "Inf", "finite", () -> new Embedding(new float[] {1 / 0f}, 1, false));
    refused("tokens", "-1", "0 to", () -> new Embedding(v, -1, false));
  }

  @Test
  void oneTextIsEmbeddedAsAListOfOne() {
    List<String> seen = new ArrayList<>();
    Embedder e = new CountingEmbedder(seen);
    assertEquals(3, e.embed("abc", TextForm.QUERY).tokens());
    assertEquals(List.of("abc"), seen);
    refused("text", "null", "a value", () -> e.embed((String) null, TextForm.QUERY));
  }

  private record CountingEmbedder(List<String> seen) implements Embedder {
    @Override
    public String modelId() {
      return "counts";
    }

    @Override
    public int dimension() {
      return 1;
    }

    @Override
    public int maxTokens() {
      return 9;
    }

    @Override
    public List<Embedding> embed(List<String> texts, TextForm form) {
      seen.addAll(texts);
      return texts.stream().map(t -> new Embedding(new float[] {1}, t.length(), false)).toList();
    }

    @Override
    public void close() {}
  }

  private static final OptionalDouble NONE = OptionalDouble.empty();

  private static Score score(double value, double logit) {
    return new Score(OptionalDouble.of(value), OptionalDouble.of(logit), false, false);
  }

  @Test
  void aScoreIsInRangeOrAbsent() {
    for (double bad : new double[] {Double.NaN, -1e-9, 1.0000001, 1 / 0.0}) {
      refused("score", "" + bad, "0.0 to 1.0", () -> score(bad, 0));
    }
    refused("score", "null", "a value", () -> new Score(null, NONE, false, false));
    assertEquals(NONE, Score.absent().value());
    assertFalse(Score.absent().truncated());
    assertTrue(Score.absent(true).truncated());
  }

  @Test
  void aScoreHasAFiniteLogitExactlyWhenItHasAValue() {
    assertEquals(-3.5, score(0.03, -3.5).logit().getAsDouble());
    for (double bad : new double[] {Double.NaN, 1 / 0.0, -1 / 0.0}) {
      refused("logit", "" + bad, "-1.79", () -> score(0.5, bad));
    }
    OptionalDouble half = OptionalDouble.of(0.5);
    refused("logit", "null", "a value", () -> new Score(half, null, false, false));
    refused("logit", "OptionalDouble.empty", "a logit", () -> new Score(half, NONE, false, false));
    refused(
        "logit", "OptionalDouble[0.5]", "none without", () -> new Score(NONE, half, false, false));
    refused("cached", "true", "false without", () -> new Score(NONE, NONE, false, true));
    assertTrue(new Score(half, half, false, true).cached());
  }

  @Test
  void aRerankingSaysWhyWhenItIsPartial() {
    Score scored = score(1, 40);
    Score not = Score.absent();
    Shortfall late = new Shortfall(Cause.DEADLINE, "no time");
    List<Score> given = new ArrayList<>(List.of(scored, not));
    Reranking r = new Reranking(given, Optional.of(late));
    given.clear();
    assertEquals(1, r.scored());
    assertTrue(r.partial());
    assertEquals(List.of(scored, not), r.scores());
    assertFalse(new Reranking(List.of(scored), Optional.empty()).partial());
    assertFalse(new Reranking(List.of(), Optional.empty()).partial());
    refused(
        "shortfall", "null", "a shortfall", () -> new Reranking(List.of(not), Optional.empty()));
    refused(
        "shortfall", "no time", "none", () -> new Reranking(List.of(scored), Optional.of(late)));
    refused("shortfall", "null", "a value", () -> new Reranking(List.of(scored), null));
    refused("cause", "null", "a value", () -> new Shortfall(null, "no time"));
    refused("detail", "\"\"", "a non-empty", () -> new Shortfall(Cause.CLOSED, ""));
    refused("scores", "null", "a value", () -> new Reranking(null, Optional.empty()));
    refused(
        "scores[0]",
        "null",
        "a value",
        () -> new Reranking(Arrays.asList((Score) null), Optional.empty()));
  }

  @Test
  void aFailedModelHasACauseAndNoOtherHas() {
    Optional<String> none = Optional.empty();
    Optional<String> cause = Optional.of("no such file");
    Model ready = new Model("m fp32", State.READY, none, Optional.of("within 1e-6"));
    Model failed = new Model("m", State.FAILED, cause, none);
    refused("cause", "null", "a cause", () -> new Model("m", State.FAILED, none, none));
    refused(
        "cause", "\"no such", "none when READY", () -> new Model("m", State.READY, cause, none));
    refused("cause", "\"no", "none when LOADING", () -> new Model("m", State.LOADING, cause, none));
    refused("label", "\"\"", "a non-empty", () -> new Model("", State.READY, none, none));
    refused("state", "null", "a value", () -> new Model("m", null, none, none));
    refused("cause", "null", "a value", () -> new Model("m", State.READY, null, none));
    refused("selfCheck", "null", "a value", () -> new Model("m", State.READY, none, null));
    Readiness some = () -> List.of(ready, failed);
    Readiness all = () -> List.of(ready);
    assertFalse(some.ready());
    assertTrue(all.ready());
    assertTrue(((Readiness) List::of).ready());
  }

  @Test
  void exceptionsSayWhatToDo() {
    Path file = Path.of("index", "vectors.bin");
    IllegalStateException cause = new IllegalStateException("x");
    CorruptIndexException at = new CorruptIndexException(file, 17, "checksum differs", cause);
    assertEquals(file + " at byte 17: checksum differs", at.getMessage());
    assertEquals(17, at.offset());
    assertEquals(file, at.file());
    assertSame(cause, at.getCause());
    assertEquals(file + ": is empty", new CorruptIndexException(file, -1, "is empty").getMessage());
    assertEquals(file + " at byte 0: x", new CorruptIndexException(file, 0, "x").getMessage());
    assertEquals("the index is closed", new IndexClosedException("the index").getMessage());
    assertEquals(
        "dir is open for writing elsewhere; close that writer first, or open it read-only",
        new IndexLockedException(Path.of("dir")).getMessage());
  }
}
