package dev.petunia.hnsw;

import dev.petunia.core.VectorIndex;

/** The contract over an index that walks by codes from its first vectors on. */
class Int8HnswIndexTest extends VectorIndexContract {
  @Override
  VectorIndex make(HnswConfig config) {
    return HnswIndex.inMemory(
        config.toBuilder().quantization(Quantization.INT8).codesFrom(2).build());
  }
}
