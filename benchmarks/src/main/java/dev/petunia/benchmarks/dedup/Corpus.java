package dev.petunia.benchmarks.dedup;

import dev.petunia.dedup.Document;
import java.util.ArrayList;
import java.util.List;

/**
 * Texts in the order of ingest.
 *
 * @param name as in the metrics
 * @param ids their ids in the data; may be numbers
 * @param texts as many
 */
record Corpus(String name, List<String> ids, List<String> texts) {
  int size() {
    return texts.size();
  }

  /** The first texts. */
  Corpus first(int most) {
    int n = Math.min(most, size());
    return new Corpus(name, ids.subList(0, n), texts.subList(0, n));
  }

  /** For an index; the id is the place in the list. */
  List<Document> documents() {
    return documents(texts);
  }

  static List<Document> documents(List<String> texts) {
    List<Document> out = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      out.add(new Document(Integer.toString(i), texts.get(i)));
    }
    return out;
  }
}
