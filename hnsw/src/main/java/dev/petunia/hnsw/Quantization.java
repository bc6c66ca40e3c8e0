package dev.petunia.hnsw;

/**
 * How an index compresses vectors for its walks. Every kind keeps the full vectors as well: a walk
 * estimates distances from the codes, and what it found is ordered by exact ones. So quantisation
 * makes walks faster at the price of a little more memory, and answers stay in exact order.
 *
 * <p>A code holds the vector's difference to the mean of a sample, each component as a whole number
 * on a grid of its own scale, and the factors that turn an inner product with the grid into an
 * unbiased estimate of that with the vector (Gao and Long 2024, RaBitQ, §3; Gao et al. 2025 for
 * more than one bit). Components are mixed by a random rotation first, so that no few of them hold
 * most of the length.
 *
 * <p>Where estimates can't tell which vectors are the nearest (those of a tight cluster far from
 * the centre; or what came after the centre was measured, and lies elsewhere), a walk sees it by
 * the known size of their error and goes on by the full vectors. {@link HnswIndex#compact} measures
 * the centre anew.
 */
public enum Quantization {
  /** Walks compare the full vectors. */
  NONE(0, 0),

  /**
   * 7 bits a component, one byte: a quarter of the floats' bytes, no measurable loss. (The eighth
   * bit is left free so that two products fit into 16 bits.)
   */
  INT8(7, 0),

  /** 2 bits a component: the fastest at high recall where vectors have hundreds of components. */
  BITS2(2, 32),

  /** 1 bit a component: the smallest, with the widest beam. */
  BIT1(1, 160);

  /** Bits of a component; 0 for none. */
  final int bits;

  /** See {@link Quantizer#width}. */
  final int widening;

  Quantization(int bits, int widening) {
    this.bits = bits;
    this.widening = widening;
  }
}
