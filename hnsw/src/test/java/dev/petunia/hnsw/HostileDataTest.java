package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.COSINE;
import static dev.petunia.core.Similarity.EUCLIDEAN;
import static dev.petunia.hnsw.Given.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Hit;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.SearchResult;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.VectorIndex;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Walks by codes over data that codes are bad at. What holds for each: of the nearest ten a walk by
 * codes finds at least 0.99 of what one by floats finds at the same ef; every stored vector finds
 * itself; no distance is NaN.
 */
class HostileDataTest {
  private static final int N = 1_000;
  private static final int QUERIES = 200;
  private static final int LIMIT = 10;

  private record Data(Similarity similarity, List<float[]> vectors, List<float[]> queries) {
    /** The last of the vectors are the queries and not stored. */
    static Data of(Similarity similarity, List<float[]> vectors) {
      int n = vectors.size() - QUERIES;
      return new Data(similarity, vectors.subList(0, n), vectors.subList(n, n + QUERIES));
    }

    int dimension() {
      return vectors.getFirst().length;
    }
  }

  private interface Make {
    float[] vector(SplittableRandom random, int number);
  }

  private static Data data(Similarity similarity, Make make) {
    List<float[]> all = new ArrayList<>();
    SplittableRandom random = Given.random(7);
    for (int i = 0; i < N + QUERIES; i++) {
      all.add(make.vector(random, i));
    }
    return Data.of(similarity, all);
  }

  private static float[] gaussian(SplittableRandom random, int dimension, double scale) {
    float[] v = new float[dimension];
    for (int i = 0; i < dimension; i++) {
      v[i] = (float) (scale * random.nextGaussian());
    }
    return v;
  }

  private static float[] around(float centre, float[] noise) {
    for (int i = 0; i < noise.length; i++) {
      noise[i] += centre;
    }
    return noise;
  }

  private static float[] sparse(SplittableRandom random, int dimension, int filled) {
    float[] v = new float[dimension];
    for (int i = 0; i < filled; i++) {
      v[random.nextInt(dimension)] = (float) random.nextGaussian();
    }
    return v;
  }

  private static Data named(String name) {
    return switch (name) {
      case "one-hot of many lengths" ->
          data(
              EUCLIDEAN,
              (random, i) -> {
                float[] v = new float[128];
                v[random.nextInt(128)] = 1 + random.nextFloat();
                return v;
              });
      case "two-hot" ->
          data(
              COSINE,
              (random, i) -> {
                float[] v = new float[128];
                v[random.nextInt(128)] = 1;
                v[random.nextInt(128)] = 0.5f + random.nextFloat();
                return v;
              });
      case "sparse, cosine" -> data(COSINE, (random, i) -> sparse(random, 200, 5));
      case "sparse, euclidean" -> data(EUCLIDEAN, (random, i) -> sparse(random, 200, 5));
      case "equal but for 1e-6, cosine" ->
          data(COSINE, (random, i) -> around(1, gaussian(random, 64, 1e-6)));
      case "equal but for 1e-6, euclidean" ->
          data(EUCLIDEAN, (random, i) -> around(1, gaussian(random, 64, 1e-6)));
      case "two tight far clusters, cosine" ->
          data(COSINE, (random, i) -> around(i % 2 == 0 ? 1 : -1, gaussian(random, 64, 1e-3)));
      case "two tight far clusters, euclidean" ->
          data(EUCLIDEAN, (random, i) -> around(i % 2 == 0 ? 50 : -50, gaussian(random, 64, 1)));
      case "two tight far clusters of one component" ->
          data(EUCLIDEAN, (random, i) -> around(i % 2 == 0 ? 50 : -50, gaussian(random, 1, 1e-2)));
      case "a hundred tight clusters" -> {
        List<float[]> v = Vectors.clustered(N + QUERIES, 64, 100, 0.02).generate(Given.random(3));
        yield Data.of(COSINE, v);
      }
      case "components of 1e17" -> data(EUCLIDEAN, (random, i) -> gaussian(random, 64, 1e17));
      case "components of 1e-17" -> data(EUCLIDEAN, (random, i) -> gaussian(random, 64, 1e-17));
      case "lengths from 1e-9 to 1e9" ->
          data(
              EUCLIDEAN,
              (random, i) -> gaussian(random, 64, Math.pow(10, 18 * random.nextDouble() - 9)));
      case "lengths from 1 to 1000" ->
          data(
              EUCLIDEAN,
              (random, i) -> gaussian(random, 64, Math.pow(10, 3 * random.nextDouble())));
      case "one component a million times the others" ->
          data(
              EUCLIDEAN,
              (random, i) -> {
                float[] v = gaussian(random, 64, 1);
                v[5] *= 1e6f;
                return v;
              });
      case "a line of constant vectors" ->
          data(
              EUCLIDEAN,
              (random, i) -> {
                float[] v = new float[64];
                Arrays.fill(v, random.nextFloat());
                return v;
              });
      case "around the centre, some at it" ->
          data(
              EUCLIDEAN,
              (random, i) ->
                  i % 3 == 0 ? new float[64] : gaussian(random, 64, i % 3 == 1 ? 1 : 1e-4));
      case "signs only" ->
          data(
              COSINE,
              (random, i) -> {
                float[] v = new float[128];
                for (int k = 0; k < 128; k++) {
                  v[k] = random.nextBoolean() ? 1 : -1;
                }
                return v;
              });
      default -> throw new AssertionError(name);
    };
  }

  private static HnswIndex index(Data data, Quantization kind) {
    return HnswIndex.inMemory(
        HnswConfig.builder(data.dimension(), data.similarity)
            .efConstruction(100)
            .quantization(kind)
            .codesFrom(2)
            .build());
  }

  private interface Fill {
    void fill(HnswIndex index);
  }

  private static void codesFindWhatFloatsFind(Data data, Fill fill) {
    ExactIndex exact = Given.exact(data.similarity, data.vectors);
    double floats = 0;
    for (Quantization kind : Quantization.values()) {
      HnswIndex index = index(data, kind);
      fill.fill(index);
      double recall = recall(data, exact, index);
      floats = kind == Quantization.NONE ? recall : floats;
      double least = 0.99 * floats;
      assertTrue(recall >= least, kind + " found " + recall + ", floats found " + floats);
      everyVectorFindsItself(data, index, kind);
      index.verify();
      if (kind != Quantization.NONE) {
        index.compact(); // trains anew
        double after = recall(data, exact, index);
        assertTrue(after >= least, kind + " found " + after + " after compaction");
      }
    }
  }

  /** Of the nearest ten; what is as far as the tenth counts as found. */
  private static double recall(Data data, VectorIndex exact, VectorIndex index) {
    int in = 0;
    for (float[] q : data.queries) {
      VectorQuery query = VectorQuery.builder(q).limit(LIMIT).build();
      SearchResult found = index.search(query);
      assertEquals(LIMIT, found.hits().size());
      float last = exact.search(query).hits().getLast().distance();
      for (Hit hit : found.hits()) {
        assertFalse(Float.isNaN(hit.distance()), () -> "NaN: " + hit);
        in += hit.distance() <= last ? 1 : 0;
      }
    }
    return (double) in / LIMIT / data.queries.size();
  }

  private static void everyVectorFindsItself(Data data, VectorIndex index, Quantization kind) {
    for (int i = 0; i < data.vectors.size(); i++) {
      VectorQuery query = VectorQuery.builder(data.vectors.get(i)).limit(1).build();
      Hit top = index.search(query).hits().getFirst();
      if (!top.id().equals(id(i))) { // then one that no float distance tells from it
        float own = data.similarity == EUCLIDEAN ? 0 : 1e-6f;
        assertTrue(top.distance() <= own, kind + ": " + i + " finds " + top);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "one-hot of many lengths",
        "two-hot",
        "sparse, cosine",
        "sparse, euclidean",
        "equal but for 1e-6, cosine",
        "equal but for 1e-6, euclidean",
        "two tight far clusters, cosine",
        "two tight far clusters, euclidean",
        "a hundred tight clusters",
        "two tight far clusters of one component",
        "components of 1e17",
        "components of 1e-17",
        "lengths from 1e-9 to 1e9",
        "lengths from 1 to 1000",
        "one component a million times the others",
        "a line of constant vectors",
        "around the centre, some at it",
        "signs only"
      })
  void codesFindWhatFloatsFind(String name) {
    Data data = named(name);
    codesFindWhatFloatsFind(data, index -> Given.fill(index, data.vectors));
  }

  @ParameterizedTest
  @CsvSource({
    "1, EUCLIDEAN",
    "2, EUCLIDEAN",
    "2, COSINE",
    "3, EUCLIDEAN",
    "3, COSINE",
    "7, EUCLIDEAN",
    "7, COSINE",
    "65, EUCLIDEAN",
    "65, COSINE",
    "1000, COSINE",
    "1000, EUCLIDEAN"
  })
  void codesOfAnyDimensionFindWhatFloatsFind(int dimension, Similarity similarity) {
    Data data = data(similarity, (random, i) -> gaussian(random, dimension, 1));
    codesFindWhatFloatsFind(data, index -> Given.fill(index, data.vectors));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.3, 1})
  void codesTrainedOnOneTopicFindWhatFloatsFindOfAnother(double spread) {
    SplittableRandom random = Given.random(5);
    float[] one = Vectors.unit(64).generate(random);
    float[] other = Vectors.unit(64).generate(random);
    List<float[]> vectors = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      vectors.add(near(one, random, spread));
    }
    for (int i = 0; i < N + QUERIES; i++) {
      vectors.add(near(other, random, spread));
    }
    Data data = Data.of(COSINE, vectors);
    List<VectorEntry> entries = Given.entries(data.vectors);
    codesFindWhatFloatsFind(
        data,
        index -> {
          index.upsertAll(entries.subList(0, 200), ProgressListener.NONE);
          index.upsertAll(entries.subList(200, entries.size()), ProgressListener.NONE);
        });
  }

  @Test
  void codesTrainedOnTwoVectorsFindWhatFloatsFind() {
    Data data = data(EUCLIDEAN, (random, i) -> gaussian(random, 32, 1));
    codesFindWhatFloatsFind(
        data,
        index -> {
          for (VectorEntry e : Given.entries(data.vectors)) {
            index.add(e.id(), e.vector());
          }
        });
  }

  private static float[] near(float[] centre, SplittableRandom random, double spread) {
    float[] v = gaussian(random, 64, spread / 8);
    for (int i = 0; i < 64; i++) {
      v[i] += centre[i];
    }
    return Vectors.normalise(v);
  }
}
