package dev.petunia.core;

import static dev.petunia.core.testing.Expect.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.testing.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Diversify, Combine, Similarity, IdFilter. */
@NullUnmarked // nulls are among the bad values
class OptionsTest {
  @Test
  void diversifyNamesEveryBadField() {
    OptionalInt none = OptionalInt.empty();
    for (double bad : new double[] {-0.001, 1.5, Double.NaN, 1 / 0.0}) {
      refused("diversify.lambda", "" + bad, "0.0 to 1.0", () -> Diversify.of(bad));
    }
    refused("diversify.against", "null", "a value", () -> new Diversify(1, null, true, none));
    refused("diversify.against", "null", "a value", () -> Diversify.of(1).against(null));
    refused("diversify.against", "null", "a value", () -> Diversify.excluding(null));
    refused(
        "diversify.against[]",
        "null",
        "a non-empty String",
        () -> Diversify.of(1).against(Arrays.asList("a", null)));
    refused("diversify.against[]", "\"\"", "a non-empty", () -> Diversify.excluding(List.of("")));
    refused("diversify.against[]", "U+DC00", "valid", () -> Diversify.excluding(List.of("\uDC00")));
    refused("diversify.poolSize", "null", "a value", () -> new Diversify(1, List.of(), true, null));
    refused("diversify.poolSize", "0", "1 to 512", () -> Diversify.of(1).poolSize(0));
    refused("diversify.poolSize", "513", "1 to 512", () -> Diversify.of(1).poolSize(513));
    assertEquals(OptionalInt.of(512), Diversify.of(0).poolSize(512).poolSize());
  }

  @Test
  void diversifyKeepsWhatIsNotChanged() {
    Diversify d = Diversify.of(0.25);
    assertEquals(new Diversify(0.25, List.of(), true, OptionalInt.empty()), d);
    Diversify all = d.against(List.of("b", "a", "b")).exclude(false).poolSize(9);
    assertEquals(new Diversify(0.25, List.of("b", "a"), false, OptionalInt.of(9)), all);
    assertEquals(List.of("c"), all.against(List.of("c")).against(), "replaces, does not add");
    assertEquals(OptionalInt.of(9), all.against(List.of()).poolSize());
    assertEquals(
        new Diversify(1, List.of("x"), true, OptionalInt.empty()),
        Diversify.excluding(List.of("x")));
  }

  @Test
  void diversifyCopiesItsIds() {
    List<String> served = new ArrayList<>(List.of("a"));
    Diversify d = Diversify.excluding(served);
    served.add("b");
    assertEquals(List.of("a"), d.against());
    assertThrows(UnsupportedOperationException.class, () -> d.against().add("c"));
  }

  @Test
  void combineIsReadFromTheNamesThatUsersType() {
    for (String s : List.of("weightedSum", "WEIGHTED_SUM", "weighted_sum", "weightedsum")) {
      assertEquals(Combine.WEIGHTED_SUM, Combine.parse(s));
    }
    assertEquals(Combine.MIN, Combine.parse("min"));
    assertEquals(Combine.MIN, Combine.parse("MIN"));
    for (Combine c : Combine.values()) {
      assertEquals(c, Combine.parse(c.name()));
    }
    String allowed = "weightedSum, WEIGHTED_SUM or min";
    for (String bad : List.of("", "max", "m_in", "sum", " min", "wei_ghtedsum", "weighted-sum")) {
      refused("combine", '"' + bad + '"', allowed, () -> Combine.parse(bad));
    }
    refused("combine", "null", "a value", () -> Combine.parse(null));
  }

  @Test
  void combineIsReadTheSameInTurkish() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("tr"));
      assertEquals(Combine.MIN, Combine.parse("MIN")); // would become mın
      assertEquals(Combine.WEIGHTED_SUM, Combine.parse("WEIGHTED_SUM"));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void scoresAtTheEndsAndInTheMiddle() {
    assertEquals(1f, Similarity.COSINE.score(0));
    assertEquals(0.5f, Similarity.COSINE.score(1));
    assertEquals(0f, Similarity.COSINE.score(2));
    assertEquals(1f, Similarity.DOT_PRODUCT.score(-1));
    assertEquals(0.5f, Similarity.DOT_PRODUCT.score(0));
    assertEquals(0f, Similarity.DOT_PRODUCT.score(1));
    assertEquals(1f, Similarity.EUCLIDEAN.score(0));
    assertEquals(0.5f, Similarity.EUCLIDEAN.score(1));
    assertEquals(0.2f, Similarity.EUCLIDEAN.score(4));
    assertEquals(0f, Similarity.EUCLIDEAN.score(Float.POSITIVE_INFINITY));
    assertTrue(Similarity.EUCLIDEAN.score(Float.MAX_VALUE) > 0);
  }

  @Test
  void roundingBeyondTheEndsIsCut() {
    for (float over : new float[] {Float.MIN_VALUE, 1e-6f, 1e-3f}) {
      assertEquals(1f, Similarity.COSINE.score(-over));
      assertEquals(0f, Similarity.COSINE.score(2 + over), 0f);
      assertEquals(1f, Similarity.DOT_PRODUCT.score(-1 - over));
      assertEquals(0f, Similarity.DOT_PRODUCT.score(1 + over), 0f);
      assertEquals(1f, Similarity.EUCLIDEAN.score(-over));
    }
    assertEquals(1f, Similarity.EUCLIDEAN.score(-0f));
  }

  @Test
  void theScoreNeverRisesWithTheDistance() {
    record Pair(float a, float b) {}
    for (Similarity s : Similarity.values()) {
      float from = s == Similarity.DOT_PRODUCT ? -1 : 0;
      float to = s == Similarity.COSINE ? 2 : s == Similarity.EUCLIDEAN ? 1e6f : 1;
      Property.check(
          "score falls with distance: " + s,
          2_000,
          random -> {
            float a = random.nextFloat(from, to);
            float b = random.nextBoolean() ? Math.nextUp(a) : random.nextFloat(from, to);
            return new Pair(Math.min(a, b), Math.max(a, b));
          },
          p -> {
            assertTrue(s.score(p.a) >= s.score(p.b));
            assertTrue(s.score(p.a) <= 1 && s.score(p.b) >= 0);
          });
    }
  }

  @Test
  void idFiltersAcceptWhatTheyWereMadeOf() {
    IdFilter set = IdFilter.of(Set.of("a", "b"));
    assertTrue(set.accepts("a"));
    assertFalse(set.accepts("c"));
    assertEquals(Set.of("a", "b"), set.ids());
    IdFilter where = IdFilter.where(id -> id.length() == 1);
    assertTrue(where.accepts("c"));
    assertFalse(where.accepts("cc"));
    assertNull(where.ids());
    assertNotNull(IdFilter.of(Set.of()).ids());
    refused("ids", "null", "a value", () -> IdFilter.of(null));
    refused("predicate", "null", "a value", () -> IdFilter.where(null));
  }
}
