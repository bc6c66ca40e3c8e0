package dev.petunia.core.internal;

import static dev.petunia.core.testing.Expect.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.petunia.core.testing.Generators;
import dev.petunia.core.testing.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked // nulls are among the bad values
class ChecksTest {
  @Test
  void rangesIncludeTheirEnds() {
    assertEquals(1, Checks.range("n", 1, 1, 3));
    assertEquals(3, Checks.range("n", 3, 1, 3));
    assertEquals(-0.0, Checks.range("x", -0.0, 0, 1));
    assertEquals(Long.MAX_VALUE, Checks.range("n", Long.MAX_VALUE, 0L, Long.MAX_VALUE));
    refused("n", "0", "1 to 3", () -> Checks.range("n", 0, 1, 3));
    refused("n", "4", "1 to 3", () -> Checks.range("n", 4, 1, 3));
    refused("x", "NaN", "0.0 to 1.0", () -> Checks.range("x", Double.NaN, 0, 1));
    refused("x", "1.0000000000000002", "0.0 to 1.0", () -> Checks.range("x", 1 + 0x1p-52, 0, 1));
    refused("x", "1.1", "0.0 to 1.0", () -> Checks.range("x", 1.1f, 0f, 1f));
    refused("x", "NaN", "0.0 to 1.0", () -> Checks.range("x", Float.NaN, 0f, 1f));
    refused("n", "-1", "0 to 9223372036854775807", () -> Checks.range("n", -1L, 0, Long.MAX_VALUE));
  }

  @Test
  void vectorsAreFiniteAndNotEmpty() {
    float[] good = {0, -0f, Float.MIN_VALUE, Float.MAX_VALUE};
    assertSame(good, Checks.finite("v", good));
    refused("v", "null", "a value that is not null", () -> Checks.finite("v", null));
    refused("v", "0 components", "at least 1", () -> Checks.finite("v", new float[0]));
    refused("v[1]", "NaN", "finite", () -> Checks.finite("v", new float[] {1, Float.NaN}));
    refused("v[0]", "Infinity", "finite", () -> Checks.finite("v", new float[] {1 / 0f}));
    refused("v[0]", "-Infinity", "finite", () -> Checks.finite("v", new float[] {-1 / 0f, 1}));
    for (float[] bad : new float[][] {null, {}, {Float.NaN}, {1, -1 / 0f}}) {
      assertEquals(false, Checks.isFinite(bad));
    }
    assertEquals(true, Checks.isFinite(good));
  }

  @Test
  void validTextPassesAndUnpairedSurrogatesDoNot() {
    Property.check(
        "valid text passes",
        1_000,
        Generators.text(8),
        t -> assertSame(t, Checks.wellFormed("t", t)));
    Property.check(
        "an unpaired surrogate is refused",
        1_000,
        Generators.illFormedText(),
        t -> refused("t", "unpaired surrogate U+D", "valid", () -> Checks.wellFormed("t", t)));
  }

  @Test
  void valuesAreShownOnOneLineAndCut() {
    assertEquals("null", Checks.show(null));
    assertEquals("\"null\"", Checks.show("null"));
    assertEquals("\"a\\u000A\\u0000\\u007F\\\"\\\\\"", Checks.show("a\n\0\u007F\"\\"));
    assertEquals("\"\\uD800\\uD800\"", Checks.show("\uD800\uD800"));
    assertEquals("\"\\uDFFF\uD7FF\uE000\"", Checks.show("\uDFFF\uD7FF\uE000"));
    assertEquals('"' + "x".repeat(80) + '"', Checks.show("x".repeat(80)));
    assertEquals('"' + "x".repeat(80) + "...\"", Checks.show("x".repeat(81)));
    String whales = "\uD83D\uDC33".repeat(41);
    assertEquals('"' + whales.substring(0, 80) + "...\"", Checks.show(whales));
    assertEquals(
        '"' + "x" + whales.substring(0, 80) + "...\"",
        Checks.show("x" + whales),
        "a pair is whole");
    assertEquals("[1, 2]", Checks.show(List.of(1, 2)));
  }

  @Test
  void collectionsAreCopiedAndHoldNoNulls() {
    List<String> list = new ArrayList<>(List.of("a"));
    Set<String> set = new HashSet<>(list);
    Map<String, String> map = new HashMap<>(Map.of("a", "b"));
    List<String> list2 = Checks.list("l", list);
    Set<String> set2 = Checks.set("s", set);
    Map<String, String> map2 = Checks.map("m", map);
    list.clear();
    set.clear();
    map.clear();
    assertEquals(List.of("a"), list2);
    assertEquals(Set.of("a"), set2);
    assertEquals(Map.of("a", "b"), map2);
    assertThrows(UnsupportedOperationException.class, list2::clear);
    assertThrows(UnsupportedOperationException.class, set2::clear);
    assertThrows(UnsupportedOperationException.class, map2::clear);
    String present = "a value that is not null";
    refused("l", "null", present, () -> Checks.list("l", null));
    refused("l[1]", "null", present, () -> Checks.list("l", Arrays.asList("a", null)));
    refused("s", "null", present, () -> Checks.set("s", null));
    refused("s[]", "null", present, () -> Checks.set("s", Collections.singleton(null)));
    refused("m", "null", present, () -> Checks.map("m", null));
    refused("m key", "null", present, () -> Checks.map("m", Collections.singletonMap(null, 1)));
    refused(
        "m[\"a\"]", "null", present, () -> Checks.map("m", Collections.singletonMap("a", null)));
  }
}
