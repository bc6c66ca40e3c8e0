package dev.petunia.core;

import static dev.petunia.core.testing.Expect.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.petunia.core.internal.Utf8Order;
import dev.petunia.core.testing.Chunks;
import dev.petunia.core.testing.Property;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked // nulls are among the bad values
class ChunkTest {
  private static Chunk with(Map<String, Object> attributes) {
    return new Chunk("c1", "e1", 0, "text", attributes);
  }

  private static Map<String, Object> attribute(String name, Object value) {
    return Collections.singletonMap(name, value);
  }

  @Test
  void everyBadFieldIsNamedWithItsValue() {
    refused("id", "null", "a non-empty String", () -> new Chunk(null, "e", 0, ""));
    refused("id", "\"\"", "a non-empty String", () -> new Chunk("", "e", 0, ""));
    refused("id", "U+D800 at index 1", "valid Unicode", () -> new Chunk("x\uD800", "e", 0, ""));
    refused("id", "U+DC00 at index 0", "valid Unicode", () -> new Chunk("\uDC00x", "e", 0, ""));
    refused("entryId", "null", "a non-empty String", () -> new Chunk("c", null, 0, ""));
    refused("entryId", "\"\"", "a non-empty String", () -> new Chunk("c", "", 0, ""));
    refused("entryId", "U+DFFF", "valid Unicode", () -> new Chunk("c", "\uDFFF", 0, ""));
    refused("ordinal", "-1", "0 to 2147483647", () -> new Chunk("c", "e", -1, ""));
    refused("text", "null", "a value that is not null", () -> new Chunk("c", "e", 0, null));
    refused("text", "U+D83D", "valid Unicode", () -> new Chunk("c", "e", 0, "\uD83D \uDC33"));
    refused("attributes", "null", "a value that is not null", () -> with(null));
  }

  @Test
  void everyBadAttributeIsNamedWithItsValue() {
    refused("attribute name", "null", "a non-empty", () -> with(attribute(null, 1L)));
    refused("attribute name", "\"\"", "a non-empty", () -> with(attribute("", 1L)));
    refused("attribute name", "U+D800", "valid Unicode", () -> with(attribute("\uD800", 1L)));
    for (String name : List.of("id", "entryId", "ordinal", "text")) {
      refused(
          "attribute name",
          '"' + name + '"',
          "a name other than [entryId, id, ordinal, text]",
          () -> with(attribute(name, 1L)));
    }
    refused("attributes.a", "null", "String, Long, Double, Bool", () -> with(attribute("a", null)));
    refused("attributes.a", "NaN", "finite", () -> with(attribute("a", Double.NaN)));
    refused("attributes.a", "-Infinity", "finite", () -> with(attribute("a", -1.0 / 0)));
    refused("attributes.a", "Infinity", "finite", () -> with(attribute("a", 1f / 0)));
    refused("attributes.a", "U+D800", "valid Unicode", () -> with(attribute("a", "\uD800")));
    refused("attributes.a", "x (java.lang.Character)", "String", () -> with(attribute("a", 'x')));
    refused(
        "attributes.a",
        "1.5 (java.math.BigDecimal)",
        "String, Long, Double",
        () -> with(attribute("a", new BigDecimal("1.5"))));
    refused(
        "attributes.a[1]",
        "5 (java.lang.Integer)",
        "String",
        () -> with(attribute("a", List.of("x", 5))));
    refused(
        "attributes.a[0]", "null", "String", () -> with(attribute("a", Arrays.asList(null, "x"))));
    refused("attributes.a[0]", "U+D800", "valid", () -> with(attribute("a", List.of("\uD800"))));
  }

  @Test
  void aHugeBadValueIsCutInTheMessage() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> with(attribute("a", new StringBuilder("x".repeat(1_000_000)))))
            .getMessage();
    assertEquals(
        "attributes.a is "
            + "x".repeat(80)
            + "... (java.lang.StringBuilder), allowed: String, Long, Double, Boolean (or, as an"
            + " attribute, List of String)",
        message);
  }

  @Test
  void narrowNumbersAreReadBackWide() {
    Map<String, Object> given = new HashMap<>();
    given.put("byte", (byte) -1);
    given.put("short", (short) 2);
    given.put("int", Integer.MIN_VALUE);
    given.put("long", Long.MAX_VALUE);
    given.put("float", 0.1f);
    given.put("double", -0.0);
    given.put("boolean", true);
    given.put("string", "");
    given.put("list", List.of("b", "", "b"));
    Map<String, Object> a = with(given).attributes();
    assertEquals(-1L, a.get("byte"));
    assertEquals(2L, a.get("short"));
    assertEquals(-2147483648L, a.get("int"));
    assertEquals(Long.MAX_VALUE, a.get("long"));
    assertEquals((double) 0.1f, a.get("float"));
    assertEquals(-0.0, a.get("double"));
    assertEquals(true, a.get("boolean"));
    assertEquals("", a.get("string"));
    assertEquals(List.of("b", "", "b"), a.get("list"));
  }

  @Test
  void changingWhatWasGivenChangesNothing() {
    List<String> tags = new ArrayList<>(List.of("a"));
    Map<String, Object> given = new HashMap<>(Map.of("tags", tags));
    Chunk c = with(given);
    tags.add("b");
    given.put("more", 1L);
    assertEquals(Map.of("tags", List.of("a")), c.attributes());
  }

  @Test
  void whatIsReadCannotBeChanged() {
    Map<String, Object> a = with(Map.of("tags", List.of("a"), "n", 1L)).attributes();
    assertThrows(UnsupportedOperationException.class, () -> a.put("x", 1L));
    assertThrows(UnsupportedOperationException.class, () -> a.remove("n"));
    assertThrows(UnsupportedOperationException.class, a::clear);
    assertThrows(
        UnsupportedOperationException.class, () -> a.entrySet().iterator().next().setValue(2L));
    assertThrows(UnsupportedOperationException.class, () -> a.values().clear());
    assertThrows(UnsupportedOperationException.class, () -> ((List<?>) a.get("tags")).remove("a"));
    assertEquals(Map.of("tags", List.of("a"), "n", 1L), a);
  }

  @Test
  void attributesThatWereCheckedAreNotCopiedAgain() {
    Chunk c = with(Map.of("a", 1L));
    assertSame(c.attributes(), new Chunk("c2", "e", 0, "", c.attributes()).attributes());
  }

  @Test
  void attributesIterateInTheOrderOfTheirNamesBytes() {
    // as UTF-16 the whale (D83D) would come before U+E000
    Chunk c = with(Map.of("\uD83D\uDC33", 1L, "\uE000", 2L, "b", 3L, "B", 4L, "é", 5L));
    assertEquals(
        List.of("B", "b", "é", "\uE000", "\uD83D\uDC33"), List.copyOf(c.attributes().keySet()));
    Property.check(
        "names ascend",
        100,
        Chunks.chunk(),
        chunk -> {
          List<String> names = new ArrayList<>(chunk.attributes().keySet());
          names.sort(Utf8Order.COMPARATOR);
          assertEquals(names, List.copyOf(chunk.attributes().keySet()));
        });
  }

  @Test
  void theMapAnswersForNamesThatAreNotThere() {
    Map<String, Object> a = with(Map.of("a", 1L)).attributes();
    assertNull(a.get("b"));
    assertNull(a.get(null));
    assertNull(a.get(5));
    assertFalse(a.containsKey(null));
    assertEquals("none", a.getOrDefault("b", "none"));
  }

  @Test
  void equalFactsMakeEqualChunks() {
    Property.check(
        "a chunk equals the chunk made of its parts in another kind of map",
        200,
        Chunks.chunk(),
        c -> {
          Chunk same =
              new Chunk(c.id(), c.entryId(), c.ordinal(), c.text(), new HashMap<>(c.attributes()));
          assertEquals(c, same);
          assertEquals(c.hashCode(), same.hashCode());
          assertEquals(c.toString(), same.toString());
          assertEquals(new HashMap<>(c.attributes()), c.attributes());
        });
    assertNotEquals(with(Map.of("a", 1L)), with(Map.of("a", 1.0)));
    assertEquals(new Chunk("a", "b", 0, "c"), new Chunk("a", "b", 0, "c", Map.of()));
  }
}
