package dev.petunia.dedup;

import static dev.petunia.dedup.Findings.CONFIG;
import static dev.petunia.dedup.Findings.edges;
import static dev.petunia.dedup.Findings.prose;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.testing.Expect;
import dev.petunia.core.testing.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Many chunks with one text, and many removed at once. */
class LargeClusterTest {
  private static final int SIZE = 20_000;
  private static final int CHANGED = 1_000;

  private static DedupIndex large() {
    String text = prose(1, 60);
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < SIZE; i++) {
      documents.add(new Document("x" + i, text));
    }
    DedupIndex index = DedupIndex.inMemory(CONFIG);
    index.ingest(documents);
    return index;
  }

  @Test
  void removingFromALargeClusterLeavesItsOthersTogether() {
    try (DedupIndex index = large()) {
      List<String> some = new ArrayList<>();
      for (int i = 0; i < CHANGED; i++) {
        some.add("x" + 3 * i);
      }
      assertEquals(
          List.of(new CanonicalChange("x0", "x1")), index.remove((Collection<String>) some));
      assertEquals(SIZE - CHANGED, index.clusterOf("x1").orElseThrow().members().size());
      some.forEach(id -> index.remove("x" + (Integer.parseInt(id.substring(1)) + 1)));
      assertEquals(SIZE - 2 * CHANGED, index.clusterOf("x2").orElseThrow().members().size());
      assertEquals(List.of(), index.wrongLabels());
    }
  }

  @Test
  void replacingInALargeClusterLeavesItsOthersTogether() {
    try (DedupIndex index = large()) {
      List<Document> others = new ArrayList<>();
      for (int i = 0; i < CHANGED; i++) {
        others.add(new Document("x" + 3 * i, prose(10 + i, 40)));
      }
      index.ingest(others);
      for (Document d : others) {
        index.ingest(List.of(new Document(d.id(), d.text() + " more of it")));
      }
      assertEquals(SIZE - CHANGED, index.clusterOf("x1").orElseThrow().members().size());
      assertEquals(SIZE - CHANGED - 1, edges(index).size());
    }
  }

  @Test
  void chunkThatComesAndGoesIsInTheClusterWhileItIsThere() {
    String text = prose(1, 60);
    try (DedupIndex index = DedupIndex.inMemory(CONFIG)) {
      index.ingest(List.of(new Document("first", text)));
      for (int i = 0; i < CHANGED; i++) {
        index.ingest(List.of(new Document("again", text)));
        assertEquals(2, index.clusterOf("again").orElseThrow().members().size());
        index.remove("again");
        assertTrue(index.clusterOf("first").isEmpty());
      }
      assertEquals(List.of(), index.wrongLabels());
    }
  }

  @Test
  void removingTogetherIsAsRemovingOneByOne() {
    Property.check(
        "removing together is as removing one by one",
        30,
        Texts.corpus(10, 80),
        documents -> {
          try (DedupIndex together = DedupIndex.inMemory(CONFIG);
              DedupIndex apart = DedupIndex.inMemory(CONFIG);
              DedupIndex never = DedupIndex.inMemory(CONFIG)) {
            Set<String> gone = new HashSet<>();
            List<Document> left = new ArrayList<>();
            for (Document d : documents) {
              if (d.text().hashCode() % 3 == 0 || d.id().hashCode() % 4 == 0) {
                gone.add(d.id());
              } else {
                left.add(d);
              }
            }
            together.ingest(documents);
            apart.ingest(documents);
            never.ingest(left);
            gone.forEach(apart::remove);
            List<String> twice = new ArrayList<>(gone);
            twice.addAll(gone);
            twice.add("unknown");
            together.remove(twice);
            assertEquals(edges(apart), edges(together));
            assertEquals(edges(never), edges(together));
            assertEquals(apart.canonicalMap().canonicalOf(), together.canonicalMap().canonicalOf());
            assertEquals(List.of(), together.wrongLabels());
          }
        });
  }

  @Test
  void badIdsToRemoveAreRefused() {
    try (DedupIndex index = DedupIndex.inMemory(CONFIG)) {
      index.ingest(List.of(new Document("a", "a b")));
      Expect.refused("ids", "null", "a value", () -> index.remove((Collection<String>) null));
      Expect.refused("id", "null", "a value", () -> index.remove((String) null));
      Expect.refused("ids[1]", "null", "", () -> index.remove(Arrays.asList("a", null)));
      assertTrue(index.contains("a"));
      assertEquals(List.of(), index.remove(List.of()));
    }
  }
}
