package dev.petunia.hnsw;

import dev.petunia.core.IndexClosedException;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorIndex;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** Makes the indexes of a contract test, and checks the structure of each at its end. */
abstract class IndexFixture {
  private final List<VectorIndex> made = new ArrayList<>();

  /** A new empty index. */
  abstract VectorIndex make(HnswConfig config);

  /**
   * The index in the state in which it is to be tested: itself, or the same one reopened. Called
   * after it was filled.
   */
  VectorIndex settle(VectorIndex index) {
    return index;
  }

  final <T extends VectorIndex> T checkedAtEnd(T index) {
    made.add(index);
    return index;
  }

  final VectorIndex empty(HnswConfig.Builder config) {
    return checkedAtEnd(make(config.build()));
  }

  final VectorIndex empty(int dimension, Similarity similarity) {
    return empty(Given.config(dimension, similarity));
  }

  /** An index of these vectors, with the ids "00000", "00001", ... */
  final VectorIndex filled(HnswConfig.Builder config, List<float[]> vectors) {
    VectorIndex index = empty(config);
    Given.fill(index, vectors);
    return settle(index);
  }

  final VectorIndex filled(Similarity similarity, List<float[]> vectors) {
    return filled(Given.config(vectors.getFirst().length, similarity), vectors);
  }

  @AfterEach
  void theStructureIsSound() {
    for (VectorIndex index : made) {
      if (index instanceof HnswIndex hnsw) {
        try {
          hnsw.verify();
        } catch (IndexClosedException e) {
          // the test itself, or a reopening, closed it
        }
      }
      index.close();
    }
  }
}
