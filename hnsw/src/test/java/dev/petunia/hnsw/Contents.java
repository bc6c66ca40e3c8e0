package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.petunia.core.Similarity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Indexes with the ids "00000" to "00199" of whole numbers, whose contents can be compared. */
final class Contents {
  static final int IDS = 200;
  static final int DIMENSION = 8;

  /** What an index is made of; each brings other files and other roads to them. */
  enum Kind {
    /** Links and vectors; never a full page. */
    PLAIN(DIMENSION, Quantization.NONE),

    /** And codes. */
    CODED(DIMENSION, Quantization.BITS2),

    /** Vectors of 32 kB, so that 32 fill a page, which is mapped then. */
    WIDE(1 << 13, Quantization.BIT1);

    private final int dimension;
    private final Quantization quantization;

    Kind(int dimension, Quantization quantization) {
      this.dimension = dimension;
      this.quantization = quantization;
    }

    HnswConfig config() {
      return Given.config(dimension, Similarity.EUCLIDEAN)
          .m(6)
          .efConstruction(30)
          .quantization(quantization)
          .codesFrom(10)
          .build();
    }
  }

  private Contents() {}

  static HnswConfig config() {
    return Kind.PLAIN.config();
  }

  /** The same with codes, which begin with the second vector. */
  static HnswConfig config(Quantization kind) {
    return config().toBuilder().quantization(kind).codesFrom(2).build();
  }

  /** Some adds, moves and deletes, by a seed. */
  static void change(HnswIndex index, long seed) {
    SplittableRandom random = Given.random(seed);
    for (int i = 0; i < 20; i++) {
      String id = Given.id(random.nextInt(IDS));
      if (random.nextInt(4) == 0) {
        index.delete(id);
      } else {
        float[] v = new float[index.dimension()];
        for (int d = 0; d < v.length; d++) {
          v[d] = d < DIMENSION ? random.nextInt(-3, 4) : v[d - DIMENSION]; // at times two are equal
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

  /** Makes commits 1 to {@code n}; the content of each, 0 = none. */
  static List<Long> commits(Path directory, int n) {
    List<Long> prints = new ArrayList<>();
    try (HnswIndex index = HnswIndex.open(directory, config())) {
      prints.add(fingerprint(index));
      for (int g = 1; g <= n; g++) {
        change(index, g);
        assertEquals(g, index.commit());
        prints.add(fingerprint(index));
      }
    }
    return prints;
  }

  /** The names of a directory's files, sorted. */
  static List<String> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return new ArrayList<>(files.map(f -> f.getFileName().toString()).sorted().toList());
    }
  }
}
