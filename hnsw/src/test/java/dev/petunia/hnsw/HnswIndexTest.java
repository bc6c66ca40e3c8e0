package dev.petunia.hnsw;

import dev.petunia.core.VectorIndex;

class HnswIndexTest extends VectorIndexContract {
  @Override
  VectorIndex make(HnswConfig config) {
    return HnswIndex.inMemory(config);
  }
}
