package dev.petunia.dedup;

import static dev.petunia.dedup.Findings.CONFIG;
import static dev.petunia.dedup.Findings.documents;
import static dev.petunia.dedup.Findings.edge;
import static dev.petunia.dedup.Findings.edges;
import static dev.petunia.dedup.Findings.expanded;
import static dev.petunia.dedup.Findings.index;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.testing.Property;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ListenerTest {
  @Test
  void aListenerHoldsTheSameEdges() {
    Property.check(
        "a listener holds the same edges",
        20,
        Texts.corpus(5, 60),
        documents -> {
          Map<String, String> held = new TreeMap<>();
          EdgeListener listener =
              new EdgeListener() {
                @Override
                public void found(List<Edge> edges) {
                  edges.forEach(e -> held.put(e.chunkA() + "~" + e.chunkB(), edge(e)));
                }

                @Override
                public void withdrawn(String id) {
                  held.keySet().removeIf(k -> k.startsWith(id + "~") || k.endsWith("~" + id));
                }
              };
          try (DedupIndex index = DedupIndex.inMemory(CONFIG.withListener(listener))) {
            index.ingest(documents);
            for (int i = 0; i < documents.size(); i += 3) {
              index.remove(documents.get(i).id());
            }
            assertTrue(held.values().containsAll(edges(index)));
            assertTrue(expanded(index).containsAll(held.values()));
          }
        });
  }
}
