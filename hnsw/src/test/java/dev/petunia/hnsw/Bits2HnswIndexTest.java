package dev.petunia.hnsw;

import dev.petunia.core.VectorIndex;

/** The contract over an index that walks by codes from its first vectors on. */
class Bits2HnswIndexTest extends VectorIndexContract {
  @Override
  VectorIndex make(HnswConfig config) {
    return HnswIndex.inMemory(
        config.toBuilder().quantization(Quantization.BITS2).codesFrom(2).build());
  }
}
