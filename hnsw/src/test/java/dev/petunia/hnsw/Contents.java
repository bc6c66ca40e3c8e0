package dev.petunia.hnsw;

import dev.petunia.core.Similarity;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Indexes with the ids "00000" to "00199" of whole numbers, whose contents can be compared. */
final class Contents {
  static final int IDS = 200;
  static final int DIMENSION = 8;

  private Contents() {}

  static HnswConfig config() {
    return Given.config(DIMENSION, Similarity.EUCLIDEAN).m(6).efConstruction(30).build();
  }

  /** Some adds, moves and deletes, by a seed. */
  static void change(HnswIndex index, long seed) {
    SplittableRandom random = Given.random(seed);
    for (int i = 0; i < 20; i++) {
      String id = Given.id(random.nextInt(IDS));
      if (random.nextInt(4) == 0) {
        index.delete(id);
      } else {
        float[] v = new float[DIMENSION];
        for (int d = 0; d < DIMENSION; d++) {
          v[d] = random.nextInt(-3, 4); // now and then two are equal
        }
        index.upsert(id, v);
      }
    }
  }

  /** Depends on each id and each component. */
  static long fingerprint(HnswIndex index) {
    long print = index.size();
    for (int i = 0; i < IDS; i++) {
      print = print * 0x9E3779B97F4A7C15L + Arrays.hashCode(index.vector(Given.id(i)));
    }
    return print;
  }
}
