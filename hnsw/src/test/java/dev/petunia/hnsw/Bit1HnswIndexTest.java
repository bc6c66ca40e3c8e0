package dev.petunia.hnsw;

import dev.petunia.core.VectorIndex;

/** The contract over an index that walks by codes from its first vectors on. */
class Bit1HnswIndexTest extends VectorIndexContract {
  @Override
  VectorIndex make(HnswConfig config) {
    return HnswIndex.inMemory(
        config.toBuilder().quantization(Quantization.BIT1).codesFrom(2).build());
  }
}
