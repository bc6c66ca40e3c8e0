package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Hit;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.SearchResult;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.VectorIndex;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.internal.Utf8Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.function.Executable;

/** Short forms that the tests of this package share. */
final class Given {
  private Given() {}

  static float[] v(double... components) {
    float[] out = new float[components.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = (float) components[i];
    }
    return out;
  }

  /** "00000", "00001", ...: ids whose order is that of their numbers. */
  static String id(int number) {
    return String.format(Locale.ROOT, "%05d", number);
  }

  /** Vectors numbered by {@link #id}. */
  static List<VectorEntry> entries(List<float[]> vectors) {
    List<VectorEntry> out = new ArrayList<>();
    for (float[] v : vectors) {
      out.add(new VectorEntry(id(out.size()), v));
    }
    return out;
  }

  static void fill(VectorIndex index, List<float[]> vectors) {
    index.upsertAll(entries(vectors), ProgressListener.NONE);
  }

  /** An index in memory, built on one thread, so that each run builds the same one. */
  static HnswIndex hnsw(Similarity similarity, List<float[]> vectors) {
    HnswIndex index = HnswIndex.inMemory(config(vectors.getFirst().length, similarity).build());
    fill(index, vectors);
    return index;
  }

  /** The same, walking by codes. */
  static HnswIndex hnsw(Similarity similarity, Quantization quantization, List<float[]> vectors) {
    HnswIndex index =
        HnswIndex.inMemory(
            config(vectors.getFirst().length, similarity)
                .quantization(quantization)
                .codesFrom(2)
                .build());
    fill(index, vectors);
    return index;
  }

  static ExactIndex exact(Similarity similarity, List<float[]> vectors) {
    ExactIndex index = new ExactIndex(vectors.getFirst().length, similarity);
    fill(index, vectors);
    return index;
  }

  static HnswConfig.Builder config(int dimension, Similarity similarity) {
    return HnswConfig.builder(dimension, similarity).threads(1);
  }

  static SplittableRandom random(long seed) {
    return new SplittableRandom(seed);
  }

  static List<String> ids(SearchResult result) {
    return result.hits().stream().map(Hit::id).toList();
  }

  static List<Float> distances(SearchResult result) {
    return result.hits().stream().map(Hit::distance).toList();
  }

  static String top(VectorIndex index, float[] target) {
    return index.search(VectorQuery.builder(target).limit(1).build()).hits().getFirst().id();
  }

  static List<String> sorted(Iterable<String> ids) {
    List<String> out = new ArrayList<>();
    ids.forEach(out::add);
    out.sort(Utf8Order.COMPARATOR);
    return out;
  }

  /** How many of the exact answer's hits the other one has, 0 to 1; 1 when there are none. */
  static double recall(SearchResult exact, SearchResult found) {
    List<String> want = ids(exact);
    return want.isEmpty()
        ? 1
        : (double) ids(found).stream().filter(want::contains).count() / want.size();
  }

  /** The call is refused as bad input, with a message that has all these parts. */
  static void refused(Executable call, String... parts) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
    String message = String.valueOf(e.getMessage());
    for (String part : parts) {
      assertTrue(message.contains(part), () -> "\"" + part + "\" is missing in: " + message);
    }
  }
}
