package dev.petunia.lexical;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.Filter;
import dev.petunia.core.internal.Utf8Order;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LexicalIndexTest {
  private final LexicalIndex index = LexicalIndex.inMemory(LexicalConfig.defaults());

  @AfterEach
  void close() {
    index.close();
  }

  static Chunk chunk(String id, String text) {
    return new Chunk(id, "entry", 0, text);
  }

  private List<String> search(String text) {
    return ids(index.search(LexicalQuery.builder(text).limit(1000).build()));
  }

  static List<String> ids(List<LexicalHit> hits) {
    return hits.stream().map(LexicalHit::id).toList();
  }

  private static List<String> idsOf(Collection<Chunk> chunks) {
    return chunks.stream().map(Chunk::id).toList();
  }

  @Test
  void everyTypeOfAttributeComesBackEqualAndOfItsType() {
    Map<String, Object> attributes = new HashMap<>();
    attributes.put("long", 1L);
    attributes.put("double", 1.0);
    attributes.put("negative zero", -0.0);
    attributes.put("tiny", Double.MIN_VALUE);
    attributes.put("max", Long.MAX_VALUE);
    attributes.put("min", Long.MIN_VALUE);
    attributes.put("past 2^53", (1L << 53) + 1);
    attributes.put("true", true);
    attributes.put("false", false);
    attributes.put("empty string", "");
    attributes.put("empty list", List.of());
    attributes.put("list", List.of("b", "a", "", "b"));
    attributes.put("中文 العربية 👩‍🚀 e\u0301", "值 قيمة 👩‍🚀 e\u0301");
    attributes.put("\u0000", "\u0000");
    Chunk chunk =
        new Chunk("id\u0000 中 👍", "entry ع", Integer.MAX_VALUE, "text\n\0 👍", attributes);
    index.upsert(chunk);
    Chunk back = index.get(chunk.id());
    assertEquals(chunk, back);
    assertNotNull(back);
    assertInstanceOf(Long.class, back.attributes().get("long"));
    assertInstanceOf(Double.class, back.attributes().get("double"));
    assertEquals(-0.0, back.attributes().get("negative zero"));
    assertEquals(List.of("b", "a", "", "b"), back.attributes().get("list"));
  }

  @Test
  void emptyTextAndNoAttributesComeBack() {
    Chunk chunk = new Chunk("a", "e", 0, "");
    index.upsert(chunk);
    assertEquals(chunk, index.get("a"));
    assertEquals(List.of(), search("a"));
  }

  @Test
  void aTextOfFourMillionCharactersComesBackAndIsFoundByItsLastWord() {
    Chunk chunk = chunk("big", "lorem ipsum dolor ".repeat(220_000) + "zyzzyva");
    index.upsert(List.of(chunk, chunk("small", "other")));
    assertEquals(chunk, index.get("big"));
    assertEquals(List.of("big"), search("zyzzyva"));
  }

  @Test
  void anAttributeNameMayHaveAnotherTypeInEachChunk() {
    index.upsert(
        List.of(
            new Chunk("1", "e", 0, "", Map.of("x", 1L)),
            new Chunk("2", "e", 1, "", Map.of("x", "1")),
            new Chunk("3", "e", 2, "", Map.of("x", 1.5)),
            new Chunk("4", "e", 3, "", Map.of("x", true)),
            new Chunk("5", "e", 4, "", Map.of("x", List.of("1", "2")))));
    assertEquals(Set.of("1"), index.compile(Filter.eq("x", 1.0)).ids());
    assertEquals(Set.of("2", "5"), index.compile(Filter.eq("x", "1")).ids());
    assertEquals(Set.of("3"), index.compile(Filter.gt("x", 1)).ids());
    assertEquals(Set.of("4"), index.compile(Filter.eq("x", true)).ids());
    assertEquals(5, index.count(Filter.exists("x")));
  }

  @Test
  void attributesNamedLikeTheIndexFieldsDoNotDisturbIt() {
    Map<String, Object> attributes =
        Map.of("chunk", "c", "attr", 1L, "num", "n", "user.x", 2.0, "lexical.format", true);
    Chunk chunk = new Chunk("a", "e", 0, "words", attributes);
    index.upsert(chunk);
    assertEquals(chunk, index.get("a"));
    assertEquals(List.of("a"), search("words"));
    assertEquals(List.of(), search("c"));
    assertEquals(Set.of("a"), index.compile(Filter.eq("num", "n")).ids());
  }

  @Test
  void upsertOfOneIdManyTimesKeepsOneDocument() {
    for (int i = 0; i < 300; i++) {
      index.upsert(List.of(chunk("a", "version" + i), chunk("b", "other")));
    }
    for (int i = 0; i < 300; i++) {
      index.upsert(chunk("a", "single" + i));
    }
    assertEquals(2, index.size());
    assertEquals(List.of("a"), search("single299"));
    assertEquals(List.of(), search("version299"));
    assertEquals(List.of(), search("single298"));
  }

  @Test
  void searchSeesAnUpsertAndADeleteAtOnce() {
    index.upsert(chunk("a", "apple"));
    assertEquals(List.of("a"), search("apple"));
    index.upsert(chunk("a", "pear"));
    assertEquals(List.of(), search("apple"));
    assertEquals(List.of("a"), search("pear"));
    index.delete(List.of("a", "unknown"));
    assertEquals(List.of(), search("pear"));
    assertEquals(0, index.size());
    assertFalse(index.contains("a"));
    assertNull(index.get("a"));
  }

  @Test
  void aBatchWithOneIdTwiceChangesNothing() {
    index.upsert(chunk("a", "before"));
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> index.upsert(List.of(chunk("a", "after"), chunk("dup", "x"), chunk("dup", "y"))));
    assertTrue(e.getMessage().contains("\"dup\""), e.getMessage());
    assertEquals(List.of("a"), search("before"));
    assertEquals(1, index.size());
  }

  @Test
  void anIdOfMoreThan32766BytesIsRefusedAndOneOf32766IsKept() {
    Chunk longest = chunk("é".repeat(16_383), "longest");
    index.upsert(longest);
    assertEquals(longest, index.get(longest.id()));
    Chunk tooLong = chunk("é".repeat(16_383) + "x", "too long");
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> index.upsert(List.of(chunk("fine", "fine"), tooLong)));
    assertTrue(e.getMessage().contains("32767 bytes"), e.getMessage());
    assertTrue(e.getMessage().contains("32766"), e.getMessage());
    assertEquals(1, index.size());
    assertFalse(index.contains(tooLong.id()));
  }

  @Test
  void anEmptyBatchIsNoError() {
    index.upsert(List.of());
    index.delete(List.of());
    assertEquals(0, index.size());
    assertEquals(List.of(), index.get(List.of()));
    assertEquals(List.of(), index.entry("none"));
    assertEquals(List.of(), index.neighbours("none", 1, 1));
    index.deleteEntry("none");
  }

  @Test
  void getKeepsTheOrderAndLeavesOutTheAbsent() {
    List<Chunk> chunks = IntStream.range(0, 50).mapToObj(i -> chunk("c" + i, "text " + i)).toList();
    index.upsert(chunks.subList(0, 20));
    assertEquals(20, index.size()); // makes a segment
    index.upsert(chunks.subList(20, 50));
    List<String> wanted = List.of("c49", "absent", "c0", "c25", "c0", "c19");
    assertEquals(List.of("c49", "c0", "c25", "c0", "c19"), idsOf(index.get(wanted)));
  }

  @Test
  void anEntryIsReadInTheOrderOfItsOrdinals() {
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      chunks.add(new Chunk("c" + i, "e" + i % 2, 29 - i, "text"));
    }
    chunks.add(new Chunk("twin", "e1", 2, "the ordinal of c27"));
    Collections.shuffle(chunks, new java.util.Random(1));
    chunks.forEach(index::upsert);
    assertEquals(
        List.of("c29", "c27", "twin", "c25", "c23"), idsOf(index.entry("e1")).subList(0, 5));
    assertEquals(16, index.entry("e1").size());
    index.delete(List.of("c27"));
    assertEquals(List.of("c29", "twin", "c25"), idsOf(index.entry("e1")).subList(0, 3));
    index.deleteEntry("e1");
    assertEquals(List.of(), index.entry("e1"));
    assertEquals(15, index.size());
  }

  @Test
  void neighboursStepOverGapsAndStopAtTheEdges() {
    for (int i = 0; i < 10; i++) {
      index.upsert(new Chunk("c" + i, "e", i * 7, "text"));
      index.upsert(new Chunk("other" + i, "f", i * 7, "text"));
    }
    assertEquals(List.of("c3", "c4", "c6"), idsOf(index.neighbours("c5", 2, 1)));
    assertEquals(List.of("c1", "c2"), idsOf(index.neighbours("c0", 5, 2)));
    assertEquals(List.of("c8"), idsOf(index.neighbours("c9", 1, Integer.MAX_VALUE)));
    assertEquals(9, index.neighbours("c5", Integer.MAX_VALUE, Integer.MAX_VALUE).size());
    assertEquals(List.of(), index.neighbours("c5", 0, 0));
    index.delete(List.of("c4"));
    assertEquals(List.of("c3", "c6"), idsOf(index.neighbours("c5", 1, 1)));
    assertThrows(IllegalArgumentException.class, () -> index.neighbours("c5", -1, 0));
  }

  @Test
  void entriesOfLongAndStrangeNamesAreFound() {
    String longName = "ü".repeat(50_000);
    index.upsert(new Chunk("a", longName, 0, "x"));
    index.upsert(new Chunk("b", longName + "!", 0, "x"));
    index.upsert(new Chunk("c", "\u0000", 0, "x"));
    assertEquals(List.of("a"), idsOf(index.entry(longName)));
    assertEquals(List.of("c"), idsOf(index.entry("\u0000")));
    assertEquals(Set.of("b"), index.compile(Filter.gt("entryId", longName)).ids());
    index.deleteEntry(longName);
    assertEquals(List.of("b", "c"), index.ids().sorted().toList());
  }

  @Test
  void chunksAndIdsWalkOverWhatWasThereWhenTheyBegan() {
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      chunks.add(new Chunk("id" + i, "e", i, "text " + i, Map.of("n", i)));
    }
    chunks.add(chunk("\uFFFF", "before the emoji in UTF-8, behind it in UTF-16"));
    chunks.add(chunk("👍", "emoji"));
    index.upsert(chunks.subList(0, 250));
    assertEquals(250, index.size());
    index.upsert(chunks.subList(250, 502));
    index.delete(List.of("id3", "id400"));
    chunks.removeIf(c -> c.id().equals("id3") || c.id().equals("id400"));
    List<String> expected = chunks.stream().map(Chunk::id).sorted(Utf8Order.COMPARATOR).toList();
    try (Stream<Chunk> all = index.chunks();
        Stream<String> ids = index.ids()) {
      index.delete(expected);
      assertEquals(0, index.size());
      assertEquals(Set.copyOf(chunks), Set.copyOf(all.toList()));
      assertEquals(expected, ids.toList());
    }
    try (Stream<String> none = index.ids()) {
      assertEquals(0, none.count());
    }
  }

  @Test
  void aBatchAboveTheAtomicSizeIsStoredWhole() {
    int n = LexicalIndex.ATOMIC_CHUNKS * 2 + 1;
    index.upsert(IntStream.range(0, n).mapToObj(i -> chunk("c" + i, "t" + i % 10)).toList());
    index.upsert(IntStream.range(0, n).mapToObj(i -> chunk("c" + i, "u" + i % 10)).toList());
    assertEquals(n, index.size());
    assertEquals(List.of(), search("t1"));
    try (Stream<Chunk> all = index.chunks()) {
      assertEquals(n, all.filter(c -> c.text().startsWith("u")).count());
    }
  }

  /** The code of docs/lexical.md. */
  @Test
  void theExampleOfThePageFindsItsChunk(@TempDir Path directory) {
    try (LexicalIndex index = LexicalIndex.open(directory, LexicalConfig.defaults())) {
      index.upsert(
          List.of(
              new Chunk(
                  "files#3",
                  "java.nio.file.Files",
                  3,
                  "Reads all lines from a file as a List.",
                  Map.of("since", 7, "kind", "method"))));

      List<LexicalHit> hits =
          index.search(
              LexicalQuery.builder("read the lines of a file")
                  .filter(Filter.gte("since", 7))
                  .limit(10)
                  .build());

      index.commit(Map.of("generation", "1"));
      assertEquals(List.of("files#3"), ids(hits));
    }
  }
}
