package dev.petunia.lexical;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.testing.Generators;
import dev.petunia.core.testing.Property;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignalsTest {
  @TempDir Path directory;

  private static Chunk chunk(String id) {
    return new Chunk(id, "entry", 0, "the text of " + id);
  }

  private static byte[] bytes(String s) {
    return s.getBytes(StandardCharsets.UTF_8);
  }

  private static String signal(LexicalIndex index, String name, String id) {
    byte[] found = index.signals(name, List.of(id)).get(id);
    return found == null ? null : new String(found, StandardCharsets.UTF_8);
  }

  @Test
  void signalComesWithItsChunkAndGoesWithIt() {
    try (LexicalIndex index = LexicalIndex.inMemory(LexicalConfig.defaults())) {
      index.upsert(List.of(chunk("a"), chunk("b")), "s", Map.of("a", bytes("of a")));
      assertEquals("of a", signal(index, "s", "a"));
      assertNull(signal(index, "s", "b"));
      assertNull(signal(index, "s", "unknown"));
      assertNull(signal(index, "other", "a"));
      index.upsert(chunk("a")); // replaced: what was made from the old text is not of the new one
      assertNull(signal(index, "s", "a"));
      index.putSignals("s", Map.of("a", bytes("again")));
      index.delete(List.of("a"));
      assertNull(signal(index, "s", "a"));
    }
  }

  @Test
  void signalSetLaterIsDurableWithTheNextCommitOnly() {
    try (LexicalIndex index = LexicalIndex.open(directory, LexicalConfig.defaults())) {
      index.upsert(List.of(chunk("a"), chunk("b")));
      index.commit(Map.of());
      index.putSignals("s", Map.of("a", bytes("one")));
      index.commit(Map.of());
      index.putSignals("s", Map.of("a", bytes("two"), "b", bytes("b")));
      assertTrue(index.hasUncommittedChanges());
      assertEquals("two", signal(index, "s", "a"));
    }
    try (LexicalIndex index = LexicalIndex.openReadOnly(directory)) {
      assertEquals("one", signal(index, "s", "a"));
      assertNull(signal(index, "s", "b"));
      assertEquals(chunk("a"), index.get("a"));
      index.verify();
    }
  }

  @Test
  void signalsOfAnyBytesComeBackEqualAfterMergesAndUpdatesInAnyOrder() {
    Property.check(
        "signals behave as a map beside the chunks",
        25,
        Generators.longs(),
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          Map<String, byte[]> expected = new HashMap<>();
          try (LexicalIndex index = LexicalIndex.inMemory(LexicalConfig.defaults())) {
            for (int step = 0; step < 60; step++) {
              String id = "c" + random.nextInt(12);
              byte[] value = new byte[random.nextInt(5) == 0 ? 70_000 : random.nextInt(40)];
              random.nextBytes(value);
              switch (random.nextInt(5)) {
                case 0 -> {
                  index.upsert(chunk(id));
                  expected.remove(id);
                }
                case 1 -> {
                  index.delete(List.of(id));
                  expected.remove(id);
                }
                case 2 -> index.commit(Map.of());
                case 3 -> {
                  index.upsert(List.of(chunk(id)), "s", Map.of(id, value));
                  expected.put(id, value);
                }
                default -> {
                  if (index.contains(id)) {
                    index.putSignals("s", Map.of(id, value));
                    expected.put(id, value);
                  }
                }
              }
            }
            List<String> all = IntStream.range(0, 12).mapToObj(i -> "c" + i).toList();
            Map<String, byte[]> found = index.signals("s", all);
            assertEquals(expected.keySet(), found.keySet());
            expected.forEach((id, value) -> assertArrayEquals(value, found.get(id), id));
          }
        });
  }

  @Test
  void signalForAChunkThatIsNotThereIsRefusedAndChangesNothing() {
    try (LexicalIndex index = LexicalIndex.inMemory(LexicalConfig.defaults())) {
      index.upsert(List.of(chunk("a")));
      Map<String, byte[]> both = Map.of("a", bytes("x"), "ghost", bytes("y"));
      var set = assertThrows(IllegalArgumentException.class, () -> index.putSignals("s", both));
      assertTrue(set.getMessage().contains("ghost"), set.getMessage());
      assertNull(signal(index, "s", "a"));
      var put =
          assertThrows(
              IllegalArgumentException.class,
              () -> index.upsert(List.of(chunk("b")), "s", Map.of("ghost", bytes("y"))));
      assertTrue(put.getMessage().contains("ghost"), put.getMessage());
      assertEquals(1, index.size());
      assertThrows(IllegalArgumentException.class, () -> index.signals("", List.of("a")));
    }
  }

  @Test
  void secondSignalLeavesTheFirstAndTheChunkAsTheyAre() {
    try (LexicalIndex index = LexicalIndex.inMemory(LexicalConfig.defaults())) {
      index.upsert(List.of(chunk("a"), chunk("b")), "one", Map.of("a", bytes("1")));
      index.putSignals("two", Map.of("a", bytes("2")));
      index.putSignals("two", Map.of("b", bytes("3")));
      assertEquals("1", signal(index, "one", "a"));
      assertEquals("2", signal(index, "two", "a"));
      assertEquals("3", signal(index, "two", "b"));
      assertNull(signal(index, "one", "b"));
      assertEquals(chunk("a"), index.get("a"));
      assertEquals(2, index.size());
    }
  }

  @Test
  void signalsOfManyChunksAreReadFromManySegments() {
    try (LexicalIndex index = LexicalIndex.open(directory, LexicalConfig.defaults())) {
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        String id = "c" + i;
        ids.add(id);
        index.upsert(List.of(chunk(id)), "s", Map.of(id, bytes("v" + i)));
        if (i % 30 == 0) {
          index.commit(Map.of());
        }
      }
      Map<String, byte[]> found = index.signals("s", ids);
      for (int i = 0; i < 300; i++) {
        assertArrayEquals(bytes("v" + i), found.get("c" + i));
      }
    }
  }
}
