package dev.petunia.hnsw;

import dev.petunia.core.VectorIndex;

class ExactIndexTest extends VectorIndexContract {
  @Override
  VectorIndex make(HnswConfig config) {
    return new ExactIndex(config);
  }
}
