package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.COSINE;
import static dev.petunia.core.Similarity.DOT_PRODUCT;
import static dev.petunia.core.Similarity.EUCLIDEAN;
import static dev.petunia.hnsw.Given.id;
import static dev.petunia.hnsw.Given.ids;
import static dev.petunia.hnsw.Given.refused;
import static dev.petunia.hnsw.Given.top;
import static dev.petunia.hnsw.Given.v;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Combine;
import dev.petunia.core.Diversify;
import dev.petunia.core.Filter;
import dev.petunia.core.IndexClosedException;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.VectorIndex;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Generators;
import dev.petunia.core.testing.Vectors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link VectorIndex} does: changes and bad input here, searches in the superclass. */
abstract class VectorIndexContract extends VectorSearchContract {
  private static final float NAN = Float.NaN;
  private static final float INFINITE = Float.POSITIVE_INFINITY;

  // ---- changes -------------------------------------------------------------------------------

  @Test
  void anAddedVectorIsThere() {
    VectorIndex index = empty(2, COSINE);
    index.add("a", v(3, 4));
    index = settle(index);
    assertEquals(1, index.size());
    assertTrue(index.contains("a"));
    assertFalse(index.contains("b"));
    assertArrayEquals(v(0.6, 0.8), index.vector("a"), 1e-7f);
    assertNull(index.vector("b"));
    assertEquals(2, index.dimension());
    assertEquals(COSINE, index.similarity());
    assertEquals("a", top(index, v(1, 1)));
  }

  @Test
  void aVectorIsStoredAsGivenUnderEuclidean() {
    VectorIndex index = empty(3, EUCLIDEAN);
    index.add("a", v(3, -4, 1e-30));
    index = settle(index);
    assertArrayEquals(v(3, -4, 1e-30), index.vector("a"));
  }

  @Test
  void theIndexKeepsNoHoldOfTheCallersArrays() {
    VectorIndex index = empty(2, EUCLIDEAN);
    float[] given = v(1, 2);
    index.add("a", given);
    given[0] = 99;
    index = settle(index);
    float[] got = index.vector("a");
    assertNotNull(got);
    got[1] = 99;
    assertArrayEquals(v(1, 2), index.vector("a"));
  }

  @Test
  void addRefusesAnIdThatIsThere() {
    VectorIndex index = empty(2, EUCLIDEAN);
    index.add("a", v(1, 2));
    VectorIndex settled = settle(index);
    refused(() -> settled.add("a", v(3, 4)), "id", "\"a\"", "not in the index yet");
    assertArrayEquals(v(1, 2), settled.vector("a"));
    assertEquals(1, settled.size());
  }

  @Test
  void upsertTellsWhetherTheIdWasThereAndMovesIt() {
    VectorIndex index = empty(2, EUCLIDEAN);
    assertFalse(index.upsert("a", v(0, 0)));
    index = settle(index);
    assertTrue(index.upsert("a", v(9, 9)));
    assertEquals(1, index.size());
    assertArrayEquals(v(9, 9), index.vector("a"));
    index.add("b", v(0, 0));
    assertEquals(List.of("b", "a"), ids(index.search(VectorQuery.builder(v(0, 0)).build())));
  }

  @Test
  void upsertOfTheSameVectorChangesNothing() {
    VectorIndex index = empty(2, EUCLIDEAN);
    index.add("a", v(0, -0.0));
    index = settle(index);
    assertTrue(index.upsert("a", v(-0.0, 0)));
    assertEquals(1, index.size());
    assertEquals(List.of("a"), ids(index.search(VectorQuery.builder(v(1, 1)).build())));
  }

  @Test
  void deleteTellsWhetherTheIdWasThere() {
    VectorIndex index = empty(2, EUCLIDEAN);
    index.add("a", v(0, 0));
    index.add("b", v(1, 1));
    index = settle(index);
    assertTrue(index.delete("a"));
    assertFalse(index.delete("a"));
    assertFalse(index.delete("never there"));
    assertEquals(1, index.size());
    assertFalse(index.contains("a"));
    assertNull(index.vector("a"));
    assertEquals(List.of("b"), ids(index.search(VectorQuery.builder(v(0, 0)).build())));
  }

  @Test
  void aDeletedIdCanBeAddedAgain() {
    VectorIndex index = empty(2, EUCLIDEAN);
    for (int round = 0; round < 3; round++) {
      index.add("a", v(round, 1));
      index = settle(index);
      assertEquals(List.of("a"), ids(index.search(VectorQuery.builder(v(0, 0)).build())));
      assertTrue(index.delete("a"));
      index = settle(index);
      assertEquals(0, index.size());
      assertEquals(List.of(), ids(index.search(VectorQuery.builder(v(0, 0)).build())));
    }
  }

  @Test
  void idsThatShareAVectorLiveAndDieApart() {
    VectorIndex index = empty(2, COSINE);
    index.add("b", v(1, 0));
    index.add("a", v(2, 0)); // the same direction, so the same stored vector
    index.add("c", v(1, 0));
    index.add("far", v(0, 1));
    index = settle(index);
    VectorQuery query = VectorQuery.builder(v(1, 0)).build();
    assertEquals(List.of("a", "b", "c", "far"), ids(index.search(query)));
    index.delete("a");
    assertEquals(List.of("b", "c", "far"), ids(index.search(query)));
    index.upsert("b", v(0, 1));
    assertEquals(List.of("c", "b", "far"), ids(index.search(query)));
    index.delete("c");
    assertEquals(List.of("b", "far"), ids(index.search(query)));
    index.add("c", v(1, 0));
    assertEquals(List.of("c", "b", "far"), ids(index.search(query)));
  }

  @Test
  void idsOfAllScriptsComeBackAsTheyWentIn() {
    List<String> names = Generators.distinctIds(60).generate(Given.random(5));
    List<float[]> vectors = Vectors.units(60, 8).generate(Given.random(6));
    VectorIndex index = empty(8, COSINE);
    for (int i = 0; i < 60; i++) {
      index.add(names.get(i), vectors.get(i));
    }
    index = settle(index);
    for (int i = 0; i < 60; i++) {
      assertTrue(index.contains(names.get(i)));
      assertEquals(names.get(i), top(index, vectors.get(i)));
    }
  }

  // ---- batches -------------------------------------------------------------------------------

  @Test
  void aBatchAddsAndReplacesAndTellsItsProgress() {
    VectorIndex index = empty(2, EUCLIDEAN);
    index.add("old", v(1, 1));
    AtomicLong last = new AtomicLong(-1);
    index.upsertAll(
        List.of(new VectorEntry("old", v(5, 5)), new VectorEntry("new", v(0, 0))),
        (stage, done, total) -> {
          assertFalse(stage.isEmpty());
          assertEquals(2, total);
          last.set(done);
          return true;
        });
    assertEquals(2, last.get());
    assertEquals(2, index.size());
    assertArrayEquals(v(5, 5), index.vector("old"));
    index.upsertAll(List.of(), ProgressListener.NONE);
    assertEquals(2, index.size());
  }

  @Test
  void aCancelledBatchSaysHowMuchIsInAndLeavesASoundIndex() {
    VectorIndex index = empty(16, COSINE);
    List<VectorEntry> many = Given.entries(Vectors.units(500, 16).generate(Given.random(1)));
    CancellationException e =
        assertThrows(
            CancellationException.class,
            () -> index.upsertAll(many, (stage, done, total) -> false));
    int in = index.size();
    assertTrue(in > 0 && in < 500, () -> in + " put");
    assertTrue(String.valueOf(e.getMessage()).contains(in + " of 500 vectors are in the index"));
    for (VectorEntry entry : many) {
      if (index.contains(entry.id())) {
        assertEquals(entry.id(), top(index, entry.vector()));
      }
    }
    index.upsertAll(many, ProgressListener.NONE);
    assertEquals(500, index.size());
  }

  @Test
  void aBatchWithOneBadVectorChangesNothing() {
    VectorIndex index = empty(2, COSINE);
    index.add("a", v(1, 0));
    VectorIndex settled = settle(index);
    List<VectorEntry> batch = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      batch.add(new VectorEntry(id(i), i == 5 ? v(0, 0) : v(i, 1)));
    }
    batch.add(new VectorEntry("a", v(0, 1)));
    refused(() -> settled.upsertAll(batch, ProgressListener.NONE), "\"00005\"", "zero vector");
    batch.set(5, new VectorEntry("short", v(1)));
    refused(
        () -> settled.upsertAll(batch, ProgressListener.NONE),
        "\"short\"",
        "1 components",
        "2 components");
    batch.set(5, new VectorEntry("a", v(1, 1)));
    refused(() -> settled.upsertAll(batch, ProgressListener.NONE), "\"a\"", "once in a batch");
    assertEquals(1, settled.size());
    assertArrayEquals(v(1, 0), settled.vector("a"));
  }

  @Test
  void aBatchOfNothingIsRefusedByName() {
    VectorIndex index = empty(2, COSINE);
    refused(() -> index.upsertAll(nothing(), ProgressListener.NONE), "entries", "null");
    refused(
        () -> index.upsertAll(Collections.singletonList(nothing()), ProgressListener.NONE),
        "entry");
    List<VectorEntry> one = List.of(new VectorEntry("a", v(1, 1)));
    refused(() -> index.upsertAll(one, nothing()), "progress", "null");
    assertEquals(0, index.size());
  }

  /** A null where none is allowed. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  static <T> T nothing() {
    return null;
  }

  // ---- bad input -----------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource(Similarity.class)
  void aBadVectorIsRefusedByNameAndChangesNothing(Similarity similarity) {
    VectorIndex index = empty(3, similarity);
    index.add("a", v(1, 0, 0));
    VectorIndex i = settle(index);
    refused(() -> i.add("b", v(1, NAN, 0)), "\"b\"", "[1]", "NaN", "finite");
    refused(() -> i.upsert("a", v(1, 0, NAN)), "\"a\"", "[2]", "NaN", "finite");
    refused(() -> i.add("b", v(INFINITE, 0, 0)), "\"b\"", "[0]", "Infinity", "finite");
    refused(() -> i.add("b", v(0, -INFINITE, 0)), "\"b\"", "[1]", "-Infinity");
    refused(() -> i.add("b", v(1, 0)), "\"b\"", "2 components", "3 components");
    refused(() -> i.add("b", v(1, 0, 0, 0)), "\"b\"", "4 components", "3 components");
    refused(() -> i.add("b", v()), "\"b\"", "0 components", "3 components");
    refused(() -> i.add("b", nothing()), "\"b\"", "null");
    refused(() -> i.add("", v(1, 0, 0)), "id", "non-empty");
    refused(() -> i.add(nothing(), v(1, 0, 0)), "id", "non-empty");
    refused(() -> i.add("\uD800", v(1, 0, 0)), "id", "unpaired surrogate");
    refused(() -> i.delete(""), "id", "non-empty");
    refused(() -> i.contains(""), "id", "non-empty");
    refused(() -> i.vector(nothing()), "id", "non-empty");
    assertEquals(1, i.size());
    assertFalse(i.contains("b"));
    assertArrayEquals(v(1, 0, 0), i.vector("a"));
    assertEquals(List.of("a"), ids(i.search(VectorQuery.builder(v(1, 0, 0)).build())));
  }

  @Test
  void theZeroVectorIsRefusedUnderCosineOnly() {
    VectorIndex cosine = filled(COSINE, List.of(v(1, 0, 0), v(.9, .1, 0)));
    refused(() -> cosine.add("zero", v(0, -0.0, 0)), "\"zero\"", "zero vector", "COSINE");
    refused(
        () -> cosine.search(VectorQuery.builder(v(0, 0, 0)).build()),
        "targets[0]",
        "zero vector",
        "COSINE");
    assertEquals(
        List.of(id(0), id(1)), ids(cosine.search(VectorQuery.builder(v(1, 0, 0)).build())));
    VectorIndex euclidean = filled(EUCLIDEAN, List.of(v(0, 0), v(1, 0)));
    assertEquals(id(0), top(euclidean, v(0, 0)));
  }

  @Test
  void vectorsThatAreNotOfUnitLengthAreRefusedUnderDotProduct() {
    VectorIndex index = filled(DOT_PRODUCT, List.of(v(1, 0), v(0.6, 0.8)));
    refused(() -> index.add("b", v(1, 1)), "\"b\"", "length 1.41", "1 ± 0.001", "COSINE");
    refused(() -> index.add("b", v(0, 0)), "\"b\"", "length 0.0");
    refused(() -> index.search(VectorQuery.builder(v(2, 0)).build()), "targets[0]", "length 2.0");
    index.add("almost", v(1.0009, 0));
    assertEquals(3, index.size());
  }

  @ParameterizedTest
  @ValueSource(floats = {1e12f, 1e-13f, 1e-30f, 3e38f, Float.MIN_VALUE})
  void aVectorIsItsOwnNearestUnderCosineHoweverLongOrShort(float size) {
    float[] x = new float[20];
    for (int i = 0; i < x.length; i++) {
      x[i] = i % 3 == 0 ? -size : size;
    }
    VectorIndex index = empty(20, COSINE);
    index.add("x", x);
    index = settle(index);
    float distance = index.search(VectorQuery.builder(x).build()).hits().getFirst().distance();
    assertEquals(0, distance, 1e-6);
  }

  @Test
  void aBadTargetIsRefusedByName() {
    VectorIndex index = filled(COSINE, List.of(v(1, 0), v(0, 1)));
    refused(
        () -> index.search(VectorQuery.builder(v(1, 0, 0)).build()),
        "target",
        "3 components",
        "2 components");
    List<float[]> twoOfThree = List.of(v(1, 0, 0), v(0, 1, 0));
    refused(
        () -> index.search(VectorQuery.builder(twoOfThree).build()),
        "targets",
        "3 components",
        "2 components");
    refused(
        () -> index.search(VectorQuery.builder(List.of(v(1, 0), v(0, 0))).build()),
        "targets[1]",
        "zero vector");
    refused(() -> VectorQuery.builder(v(1, NAN)), "targets[0][1]", "NaN");
    refused(() -> VectorQuery.builder(v(INFINITE, 0)), "targets[0][0]", "Infinity");
    refused(() -> VectorQuery.builder(v()), "targets[0]", "0 components");
    refused(() -> index.search(nothing()), "query", "null");
  }

  @Test
  void targetsWeightsAndCombineThatDontFitAreRefusedByName() {
    List<float[]> nine = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      nine.add(v(1, i));
    }
    refused(() -> VectorQuery.builder(nine).build(), "targets", "9 vectors", "1 to 8");
    refused(() -> VectorQuery.builder(List.<float[]>of()).build(), "targets", "0 vectors");
    List<float[]> mixed = List.of(v(1, 0), v(1, 0, 0));
    refused(() -> VectorQuery.builder(mixed).build(), "targets[1]", "3 components", "2 components");
    List<float[]> two = List.of(v(1, 0), v(0, 1));
    refused(() -> VectorQuery.builder(two).weights(1).build(), "weights", "1 numbers", "2 numbers");
    refused(() -> VectorQuery.builder(two).weights(1, 2, 3).build(), "weights", "3 numbers");
    refused(() -> VectorQuery.builder(two).weights(1, -1).build(), "weights[1]", "-1.0");
    refused(() -> VectorQuery.builder(two).weights(NAN, 1).build(), "weights[0]", "NaN");
    refused(() -> VectorQuery.builder(two).weights(1, INFINITE).build(), "weights[1]", "Infinity");
    refused(() -> VectorQuery.builder(two).weights(0, 0).build(), "weights", "above 0");
    refused(
        () -> VectorQuery.builder(two).weights(1, 1).combine(Combine.MIN).build(),
        "weights",
        "none with combine MIN");
    refused(() -> Combine.parse("average"), "combine", "\"average\"", "weightedSum");
    refused(() -> VectorQuery.builder(two).combine(nothing()), "combine", "null");
  }

  @Test
  void efOutsideItsRangeIsRefusedByName() {
    VectorIndex index = filled(Given.config(2, COSINE).maxEf(150), List.of(v(1, 0), v(0, 1)));
    VectorQuery.Builder query = VectorQuery.builder(v(1, 0));
    refused(() -> query.ef(0), "ef", "0", "1 to");
    refused(() -> query.ef(-1), "ef", "-1");
    refused(() -> index.search(query.ef(151).build()), "ef", "151", "1 to maxEf, 150");
    refused(() -> index.search(query.ef(Integer.MAX_VALUE).build()), "ef", "2147483647");
    assertEquals(150, index.search(query.ef(150).build()).trace().effectiveEf());
    assertEquals(1, index.search(query.ef(1).limit(1).build()).trace().effectiveEf());
  }

  @Test
  void limitOffsetMinScoreAndLambdaOutsideTheirRangesAreRefusedByName() {
    VectorIndex index = filled(Given.config(2, COSINE).maxEf(150), List.of(v(1, 0), v(0, 1)));
    VectorQuery.Builder query = VectorQuery.builder(v(1, 0));
    refused(() -> query.limit(0), "limit", "0", "1 to");
    refused(() -> query.offset(-1), "offset", "-1");
    refused(
        () -> index.search(query.offset(100).limit(51).build()),
        "offset + limit",
        "151",
        "maxEf, 150");
    refused(
        () -> index.search(query.offset(Integer.MAX_VALUE).limit(Integer.MAX_VALUE).build()),
        "offset + limit",
        "4294967294");
    refused(() -> query.minScore(1.5f), "minScore", "1.5", "0.0 to 1.0");
    refused(() -> query.minScore(NAN), "minScore", "NaN");
    refused(() -> Diversify.of(1.5), "diversify.lambda", "1.5", "0.0 to 1.0");
    refused(() -> Diversify.of(-0.1), "diversify.lambda", "-0.1");
    refused(() -> Diversify.of(Double.NaN), "diversify.lambda", "NaN");
    refused(() -> Diversify.of(0.5).against(List.of("")), "diversify.against", "non-empty");
    refused(() -> Diversify.of(0.5).poolSize(513), "diversify.poolSize", "513", "1 to 512");
    refused(() -> query.seeds(List.of("a", "")), "seeds", "non-empty");
  }

  @Test
  void aPageBeyondTheDiversifyPoolIsRefusedByName() {
    VectorIndex index = filled(COSINE, List.of(v(1, 0), v(0, 1)));
    VectorQuery.Builder query = VectorQuery.builder(v(1, 0)).limit(10).offset(95);
    refused(
        () -> index.search(query.diversify(Diversify.of(0.5)).build()),
        "offset + limit",
        "105",
        "diversify pool, 100");
    refused(
        () -> query.diversify(Diversify.of(0.5).poolSize(104)).build(),
        "offset + limit",
        "105",
        "poolSize, 104");
    index.search(query.diversify(Diversify.of(0.5).poolSize(105)).build());
    index.search(query.diversify(Diversify.of(1)).build()); // pure relevance has no pool
  }

  @Test
  void theDiversifyPoolKeepsToTheCapOfEf() {
    VectorIndex index =
        filled(Given.config(8, COSINE).maxEf(60), Vectors.units(200, 8).generate(Given.random(1)));
    VectorQuery.Builder query =
        VectorQuery.builder(Vectors.unit(8).generate(Given.random(2))).limit(30);
    var trace = index.search(query.diversify(Diversify.of(0.5)).build()).trace();
    assertEquals(60, trace.poolSize()); // and not 4 times the limit
    assertEquals(60, trace.effectiveEf());
    refused(
        () -> index.search(query.diversify(Diversify.of(0.5).poolSize(61)).build()),
        "diversify.poolSize",
        "61",
        "1 to maxEf, 60");
  }

  @Test
  void aFilterWithoutACompilerIsRefusedByName() {
    VectorIndex index = filled(COSINE, List.of(v(1, 0), v(0, 1)));
    VectorQuery query = VectorQuery.builder(v(1, 0)).filter(Filter.eq("lang", "en")).build();
    refused(() -> index.search(query), "filter", "lang", "filterCompiler");
  }

  @Test
  void aClosedIndexSaysSo() {
    VectorIndex index = filled(COSINE, List.of(v(1, 0), v(0, 1)));
    VectorQuery query = VectorQuery.builder(v(1, 0)).build();
    index.close();
    index.close(); // twice is fine
    for (org.junit.jupiter.api.function.Executable call :
        List.<org.junit.jupiter.api.function.Executable>of(
            () -> index.add("b", v(1, 1)),
            () -> index.upsert("b", v(1, 1)),
            () -> index.upsertAll(List.of(), ProgressListener.NONE),
            () -> index.delete("a"),
            () -> index.contains("a"),
            () -> index.vector("a"),
            index::size,
            () -> index.search(query))) {
      IndexClosedException e = assertThrows(IndexClosedException.class, call);
      assertTrue(String.valueOf(e.getMessage()).endsWith("is closed"), e::toString);
    }
  }
}
