package dev.petunia.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** An index for tests, and its edges as lines. */
final class Findings {
  static final DedupConfig CONFIG =
      DedupConfig.DEFAULT.withClock(InstantSource.fixed(Instant.EPOCH));

  private Findings() {}

  static DedupIndex index() {
    return DedupIndex.inMemory(CONFIG);
  }

  static String edge(Edge e) {
    return e.chunkA() + "~" + e.chunkB() + " " + e.overlap() + " " + e.method();
  }

  static List<String> edges(DedupIndex index) {
    List<String> out = new ArrayList<>();
    index.edges().forEach(e -> out.add(edge(e)));
    return out;
  }

  static Set<String> expanded(DedupIndex index) {
    List<String> out = new ArrayList<>();
    index
        .edges()
        .forEachExpanded(
            e -> {
              assertTrue(e.overlap().isAtLeast(9, 10));
              out.add(edge(e));
            });
    Set<String> distinct = new HashSet<>(out);
    assertEquals(out.size(), distinct.size(), "an edge came twice");
    return distinct;
  }

  static List<Document> documents(String... texts) {
    List<Document> out = new ArrayList<>();
    for (String t : texts) {
      out.add(new Document("t" + out.size(), t));
    }
    return out;
  }

  static String prose(int seed, int words) {
    return String.join(" ", Texts.words(new SplittableRandom(seed), words, 4000));
  }
}
