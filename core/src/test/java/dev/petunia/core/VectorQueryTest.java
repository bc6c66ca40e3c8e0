package dev.petunia.core;

import static dev.petunia.core.testing.Expect.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.testing.Generators;
import dev.petunia.core.testing.Property;
import dev.petunia.core.testing.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked // nulls are among the bad values
class VectorQueryTest {
  private static final float[] X = {1, 0};
  private static final float[] Y = {0, 1};

  private static VectorQuery.Builder one() {
    return VectorQuery.builder(X);
  }

  private static VectorQuery.Builder two() {
    return VectorQuery.builder(List.of(X, Y));
  }

  @Test
  void theDefaultsAreWhatTheDesignSays() {
    VectorQuery q = one().build();
    assertEquals(1, q.targetCount());
    assertEquals(2, q.dimension());
    assertEquals(1f, q.weight(0));
    assertEquals(Combine.WEIGHTED_SUM, q.combine());
    assertEquals(OptionalInt.empty(), q.ef());
    assertEquals(List.of(), q.seeds());
    assertEquals(Optional.empty(), q.filter());
    assertEquals(Optional.empty(), q.accept());
    assertEquals(Optional.empty(), q.diversify());
    assertEquals(10, q.limit());
    assertEquals(0, q.offset());
    assertEquals(0f, q.minScore());
  }

  @Test
  void everyOptionIsReadBack() {
    Filter f = Filter.eq("a", 1);
    IdFilter ids = IdFilter.of(Set.of("x"));
    Diversify d = Diversify.of(0.3);
    VectorQuery q =
        two()
            .weights(3, 1)
            .ef(77)
            .seeds(List.of("s", "t", "s"))
            .filter(f)
            .accept(ids)
            .diversify(d)
            .limit(5)
            .offset(15)
            .minScore(0.25f)
            .build();
    assertEquals(0.75f, q.weight(0));
    assertEquals(0.25f, q.weight(1));
    assertEquals(OptionalInt.of(77), q.ef());
    assertEquals(List.of("s", "t", "s"), q.seeds(), "the index counts duplicates, not the query");
    assertEquals(Optional.of(f), q.filter());
    assertEquals(Optional.of(ids), q.accept());
    assertEquals(Optional.of(d), q.diversify());
    assertEquals(5, q.limit());
    assertEquals(15, q.offset());
    assertEquals(0.25f, q.minScore());
    assertEquals(
        "VectorQuery[targets=2x2 WEIGHTED_SUM [0.75, 0.25], ef=77, seeds=3, filter=a == 1,"
            + " accept=IdFilter of 1 ids, "
            + d
            + ", limit=5, offset=15, minScore=0.25]",
        q.toString());
    assertEquals(
        "VectorQuery[targets=1x2, limit=10, offset=0, minScore=0.0]", one().build().toString());
  }

  @Test
  void everyBadTargetIsNamed() {
    refused("targets", "null", "a value", () -> VectorQuery.builder((List<float[]>) null));
    refused("targets", "null", "a value", () -> one().targets((float[][]) null));
    refused("targets[0]", "null", "a value", () -> VectorQuery.builder((float[]) null));
    refused("targets[1]", "null", "a value", () -> one().targets(X, null));
    refused("targets[0]", "0 components", "at least 1", () -> VectorQuery.builder(new float[0]));
    refused("targets[1][0]", "NaN", "finite", () -> one().targets(X, new float[] {Float.NaN, 0}));
    refused("targets[0][1]", "Infinity", "finite", () -> one().targets(new float[] {0, 1 / 0f}));
    refused("targets", "0 vectors", "1 to 8 vectors", () -> one().targets().build());
    refused("targets", "0 vectors", "1 to 8 vectors", () -> one().targets().weights(1).build());
    refused(
        "targets",
        "9 vectors",
        "1 to 8 vectors",
        () -> VectorQuery.builder(Collections.nCopies(9, X)).build());
    refused(
        "targets[1]",
        "3 components",
        "2 components, as targets[0] has",
        () -> one().targets(X, new float[3]).build());
    assertEquals(8, VectorQuery.builder(Collections.nCopies(8, X)).build().targetCount());
  }

  @Test
  void everyBadWeightIsNamed() {
    refused("weights", "null", "a value that is not null", () -> two().weights((float[]) null));
    refused("weights", "1 numbers", "2 numbers, one for each", () -> two().weights(1).build());
    refused("weights", "3 numbers", "2 numbers", () -> two().weights(1, 1, 1).build());
    refused("weights", "0 numbers", "2 numbers", () -> two().weights().build());
    refused("weights[1]", "-0.1", "finite numbers of", () -> two().weights(1, -.1f).build());
    refused("weights[0]", "NaN", "finite numbers", () -> two().weights(Float.NaN, 1).build());
    refused("weights[1]", "Infinity", "finite", () -> two().weights(1, 1 / 0f).build());
    refused("weights", "no number above 0", "at least one", () -> two().weights(0, -0f).build());
    refused(
        "weights",
        "2 numbers",
        "none with combine MIN",
        () -> two().combine(Combine.MIN).weights(1, 1).build());
    refused(
        "weights",
        "2 numbers",
        "none with combine MIN",
        () -> two().weights(1, 1).combine(Combine.MIN).build());
  }

  @Test
  void everyOtherBadOptionIsNamed() {
    refused("combine", "null", "a value", () -> one().combine(null));
    refused("ef", "0", "1 to 2147483647", () -> one().ef(0));
    refused("ef", "-1", "1 to 2147483647", () -> one().ef(-1));
    refused("seeds", "null", "a value", () -> one().seeds(null));
    refused("seeds[1]", "null", "a non-empty", () -> one().seeds(Arrays.asList("a", null)));
    refused("seeds[0]", "\"\"", "a non-empty", () -> one().seeds(List.of("")));
    refused("seeds[0]", "U+D800", "valid", () -> one().seeds(List.of("\uD800")));
    refused("filter", "null", "a value", () -> one().filter(null));
    refused("accept", "null", "a value", () -> one().accept(null));
    refused("diversify", "null", "a value", () -> one().diversify(null));
    refused("limit", "0", "1 to 2147483647", () -> one().limit(0));
    refused("offset", "-1", "0 to 2147483647", () -> one().offset(-1));
    refused("minScore", "-0.1", "0.0 to 1.0", () -> one().minScore(-0.1f));
    refused("minScore", "1.1", "0.0 to 1.0", () -> one().minScore(1.1f));
    refused("minScore", "NaN", "0.0 to 1.0", () -> one().minScore(Float.NaN));
    VectorQuery ends = one().limit(Integer.MAX_VALUE).offset(Integer.MAX_VALUE).minScore(1).build();
    assertEquals(Integer.MAX_VALUE, ends.offset());
  }

  @Test
  void pagesMustFitAnExplicitPool() {
    Diversify pool = Diversify.of(0.5).poolSize(20);
    assertEquals(15, one().diversify(pool).limit(5).offset(15).build().offset());
    refused(
        "offset + limit",
        "21",
        "at most diversify.poolSize, 20",
        () -> one().diversify(pool).limit(6).offset(15).build());
    refused(
        "offset + limit",
        "4294967294",
        "at most diversify.poolSize, 20",
        () -> one().diversify(pool).limit(Integer.MAX_VALUE).offset(Integer.MAX_VALUE).build());
  }

  @Test
  void aRefusedOptionLeavesTheBuilderAsItWas() {
    VectorQuery.Builder b = one().ef(50).limit(7).seeds(List.of("a"));
    assertThrows(IllegalArgumentException.class, () -> b.ef(0));
    assertThrows(IllegalArgumentException.class, () -> b.limit(-3));
    assertThrows(IllegalArgumentException.class, () -> b.seeds(List.of("b", "")));
    assertThrows(IllegalArgumentException.class, () -> b.targets(Y, null));
    VectorQuery q = b.build();
    assertEquals(OptionalInt.of(50), q.ef());
    assertEquals(7, q.limit());
    assertEquals(List.of("a"), q.seeds());
    assertArrayEquals(X, q.target(0));
  }

  @Test
  void weightsSumToOneWhateverTheirScale() {
    Property.check(
        "weights are normalised and keep their ratio",
        2_000,
        Generators.listOf(Generators.doubles(), 1, 8),
        list -> {
          float[] w = new float[list.size()];
          for (int i = 0; i < w.length; i++) {
            w[i] = Math.min(Math.abs(list.get(i).floatValue()), Float.MAX_VALUE);
          }
          w[0] = Math.max(w[0], Float.MIN_VALUE);
          VectorQuery q = VectorQuery.builder(Collections.nCopies(w.length, X)).weights(w).build();
          double sum = 0;
          double given = 0;
          for (float x : w) {
            given += x;
          }
          for (int i = 0; i < w.length; i++) {
            sum += q.weight(i);
            assertEquals(w[i] / given, q.weight(i), 1e-7);
          }
          assertEquals(1, sum, 1e-6);
        });
  }

  @Test
  void aCopyThroughTheBuilderIsTheSameToTheLastBit() {
    Property.check(
        "toBuilder().build() keeps the weights",
        500,
        Generators.listOf(Generators.ints(1, 1_000_000), 1, 8),
        list -> {
          VectorQuery.Builder b = VectorQuery.builder(Collections.nCopies(list.size(), X));
          float[] w = new float[list.size()];
          for (int i = 0; i < w.length; i++) {
            w[i] = list.get(i);
          }
          VectorQuery first = b.weights(w).build();
          VectorQuery copy = first;
          for (int i = 0; i < 5; i++) {
            copy = copy.toBuilder().build();
          }
          assertEquals(first.toString(), copy.toString());
        });
  }

  @Test
  void aCopyKeepsEveryOptionAndMayChangeOne() {
    VectorQuery q =
        two()
            .combine(Combine.MIN)
            .ef(9)
            .seeds(List.of("s"))
            .filter(Filter.exists("a"))
            .accept(IdFilter.of(Set.of()))
            .diversify(Diversify.of(1).poolSize(60))
            .limit(3)
            .offset(4)
            .minScore(0.5f)
            .build();
    assertEquals(q.toString(), q.toBuilder().build().toString());
    VectorQuery next = q.toBuilder().offset(7).build();
    assertEquals(7, next.offset());
    assertEquals(4, q.offset());
    assertEquals(q.filter(), next.filter());
    for (int i = 0; i < 4; i++) {
      assertEquals(0.25f, VectorQuery.builder(List.of(X, Y, Y, X)).build().weight(i));
    }
    // uniform weights are not explicit ones: they follow the targets
    assertEquals(1f, two().build().toBuilder().targets(X).build().weight(0));
    assertEquals(Combine.MIN, two().build().toBuilder().combine(Combine.MIN).build().combine());
    refused(
        "weights",
        "2 numbers",
        "1 numbers",
        () -> two().weights(1, 2).build().toBuilder().targets(X).build());
  }

  @Test
  void changingWhatWasGivenOrReadChangesNothing() {
    float[] target = {1, 2};
    float[] weights = {1, 3};
    List<float[]> targets = new ArrayList<>(List.of(target, Y));
    List<String> seeds = new ArrayList<>(List.of("a"));
    VectorQuery.Builder b = VectorQuery.builder(targets).weights(weights).seeds(seeds);
    target[0] = 9;
    weights[0] = 9;
    targets.clear();
    seeds.clear();
    VectorQuery q = b.build();
    q.target(0)[0] = 9;
    b.limit(3).targets(Y).weights(1).seeds(List.of("z"));
    assertArrayEquals(new float[] {1, 2}, q.target(0));
    assertEquals(0.25f, q.weight(0));
    assertEquals(List.of("a"), q.seeds());
    assertEquals(10, q.limit());
    assertThrows(UnsupportedOperationException.class, () -> q.seeds().add("b"));
    float[] into = new float[3];
    q.copyTarget(0, into);
    assertArrayEquals(new float[] {1, 2, 0}, into);
  }

  @Test
  void targetsComeBackBitForBit() {
    Property.check(
        "target(i) is what was given",
        200,
        Vectors.units(5, 17),
        vs -> {
          VectorQuery q = VectorQuery.builder(vs).build();
          for (int i = 0; i < 5; i++) {
            assertArrayEquals(vs.get(i), q.target(i), 0f);
          }
          assertTrue(q.toString().contains("targets=5x17"));
        });
  }
}
