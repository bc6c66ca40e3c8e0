package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.COSINE;
import static dev.petunia.core.Similarity.EUCLIDEAN;
import static dev.petunia.hnsw.Given.id;
import static dev.petunia.hnsw.Given.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.ProgressListener;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Vectors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Boilerplate, that is the same text under many ids, must not hide other passages. (With one node
 * for each id, 500 copies of a central vector hide four fifths of 2,000 others from a search.)
 */
class DuplicatesTest {
  private static final int EF = 50;

  @ParameterizedTest(name = "{0} distinct, {1} copies, {2}")
  @CsvSource({
    "2000, 0, shuffled",
    "2000, 100, shuffled",
    "2000, 500, shuffled",
    "2000, 2000, shuffled",
    "2000, 500, not central",
    "50, 40, copies first",
    "50, 500, copies first",
    "50, 2000, copies first",
    "50, 2000, copies last"
  })
  void everyDistinctVectorFindsItselfAndEveryCopyIsFound(int distinct, int copies, String order) {
    List<float[]> vectors = new ArrayList<>(Vectors.units(distinct, 16).generate(Given.random(1)));
    float[] copied = new float[16];
    if (order.equals("not central")) {
      copied = vectors.get(7);
    } else { // near to all: small components around the centre
      for (int i = 0; i < 16; i++) {
        copied[i] = 0.001f * (i + 1);
      }
    }
    List<VectorEntry> entries = new ArrayList<>(Given.entries(vectors));
    List<VectorEntry> same = new ArrayList<>();
    for (int i = 0; i < copies; i++) {
      same.add(new VectorEntry("copy-" + id(i), copied));
    }
    entries.addAll(order.equals("copies first") ? 0 : entries.size(), same);
    if (!order.startsWith("copies")) {
      Collections.shuffle(entries, new Random(2));
    }
    HnswIndex index =
        HnswIndex.inMemory(Given.config(16, EUCLIDEAN).efConstruction(100).maxEf(5_000).build());
    index.upsertAll(entries, ProgressListener.NONE);
    index.verify();
    assertEquals(distinct + copies, index.size());
    for (int i = 0; i < distinct; i++) {
      List<String> near =
          ids(index.search(VectorQuery.builder(vectors.get(i)).ef(EF).limit(1).build()));
      String own = order.equals("not central") && i == 7 && copies > 0 ? id(7) : id(i);
      assertEquals(List.of(own), near);
    }
    if (copies > 0) {
      List<String> all =
          ids(index.search(VectorQuery.builder(copied).ef(EF).limit(copies).build()));
      List<String> want = IntStream.range(0, copies).mapToObj(i -> "copy-" + id(i)).toList();
      if (order.equals("not central")) { // vector 7 itself is one of the equal ones, and first
        assertEquals(id(7), all.getFirst());
        assertEquals(want.subList(0, copies - 1), all.subList(1, copies));
      } else {
        assertEquals(want, all);
      }
    }
  }

  @Test
  void copiesShareOneNode() {
    HnswIndex index = HnswIndex.inMemory(Given.config(4, COSINE).build());
    for (int i = 0; i < 100; i++) {
      index.add(id(i), new float[] {1 + i, 0, 0, 0}); // one direction
    }
    assertEquals(1, index.state().table.nodeLimit());
    index.verify();
  }

  @Test
  void aHundredThousandIdsOfOneVectorAnswerAsQuicklyAsTheyAreNeeded() {
    HnswIndex index = HnswIndex.inMemory(Given.config(4, COSINE).build());
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      numbers.add(i);
    }
    Collections.shuffle(numbers, new Random(3));
    float[] v = {1, 2, 3, 4};
    index.upsertAll(
        numbers.stream().map(i -> new VectorEntry(String.format("%06d", i), v)).toList(),
        ProgressListener.NONE);
    VectorQuery.Builder query = VectorQuery.builder(v).limit(3);
    assertEquals(List.of("000000", "000001", "000002"), ids(index.search(query.build())));
    assertEquals(
        List.of("000500", "000501", "000502"), ids(index.search(query.offset(500).build())));
    // what grew with the square of the copies would take minutes here: sorting them, losing them
    for (int i = 0; i < 50; i++) {
      assertEquals(3, index.search(query.offset(i).build()).hits().size());
    }
    for (int i : numbers) {
      if (i > 9) {
        index.delete(String.format("%06d", i));
      }
    }
    assertEquals(10, index.size());
    assertEquals(List.of("000007", "000008"), ids(index.search(query.offset(7).limit(2).build())));
    index.verify();
  }

  @ParameterizedTest
  @CsvSource({"16, 200", "32, 800"})
  void aFarOutlierAfterATightClusterIsFound(int m, int efConstruction) {
    for (int seed = 0; seed < 10; seed++) {
      List<float[]> vectors = new ArrayList<>();
      List<float[]> noise = Vectors.units(100, 8).generate(Given.random(seed));
      for (float[] n : noise) {
        float[] v = {1, 1, 1, 1, 1, 1, 1, 1};
        for (int i = 0; i < 8; i++) {
          v[i] += 0.01f * n[i];
        }
        vectors.add(v);
      }
      vectors.add(new float[] {-90, 0, 40, 0, 0, 70, 0, 0});
      HnswIndex index =
          HnswIndex.inMemory(
              Given.config(8, EUCLIDEAN).m(m).efConstruction(efConstruction).build());
      Given.fill(index, vectors);
      index.verify();
      assertEquals(id(100), Given.top(index, vectors.get(100)));
    }
  }

  @ParameterizedTest
  @CsvSource({"48, 60", "16, 500", "16, 2000"})
  void nearCopiesDontHideWhatComesAfterThem(int m, int copies) {
    List<float[]> vectors = new ArrayList<>();
    for (float[] n : Vectors.units(copies, 16).generate(Given.random(1))) {
      float[] v = new float[16];
      for (int i = 0; i < 16; i++) {
        v[i] = 0.1f + 1e-4f * n[i];
      }
      vectors.add(v);
    }
    vectors.addAll(Vectors.units(50, 16).generate(Given.random(2)));
    HnswIndex index =
        HnswIndex.inMemory(Given.config(16, EUCLIDEAN).m(m).efConstruction(100).build());
    Given.fill(index, vectors);
    index.verify();
    int near = 0;
    int far = 0;
    int farWithMore = 0;
    for (int i = 0; i < vectors.size(); i++) {
      VectorQuery.Builder query = VectorQuery.builder(vectors.get(i)).limit(1);
      boolean found = ids(index.search(query.ef(EF).build())).equals(List.of(id(i)));
      near += i < copies && found ? 1 : 0;
      if (i >= copies) {
        far += found ? 1 : 0;
        found = ids(index.search(query.ef(8 * EF).build())).equals(List.of(id(i)));
        farWithMore += found ? 1 : 0;
      }
    }
    // near copies are nodes of their own, and a beam that is full of them can end there: about one
    // in thirty of the far ones is missed at this ef; a wider beam finds them
    assertTrue(farWithMore >= 49, farWithMore + " of 50 far vectors find themselves at 8 ef");
    assertTrue(near >= 0.99 * copies, near + " of " + copies + " near copies find themselves");
    assertTrue(far >= 45, far + " of 50 far vectors find themselves");
  }
}
