package dev.petunia.benchmarks.rerank;

import dev.petunia.core.internal.Checks;

/**
 * The shape of a decoder with Qwen3's architecture.
 *
 * @param layers decoder layers
 * @param hidden width between layers
 * @param heads query heads
 * @param kvHeads heads of keys and values; divides {@code heads}
 * @param headDim components of a head; even
 * @param intermediate width inside the SwiGLU block
 * @param vocabulary tokens
 */
record ModelShape(
    int layers, int hidden, int heads, int kvHeads, int headDim, int intermediate, int vocabulary) {
  static final double ROPE_THETA = 1_000_000;
  static final double RMS_EPSILON = 1e-6;

  /** Qwen3-Reranker-0.6B: 440 million weights in the layers and 155 million in the embedding. */
  static final ModelShape QWEN3_0_6B = new ModelShape(28, 1024, 16, 8, 128, 3072, 151_669);

  /** A fourth of the width, a fifth of the layers and of the vocabulary: for quick runs. */
  static final ModelShape SMALL = new ModelShape(6, 256, 4, 2, 64, 768, 30_000);

  ModelShape {
    Checks.range("layers", layers, 1, 256);
    Checks.range("hidden", hidden, 4, 16_384);
    Checks.range("heads", heads, 1, 256);
    Checks.range("kvHeads", kvHeads, 1, heads);
    Checks.range("headDim", headDim, 2, 1024);
    Checks.range("intermediate", intermediate, 4, 65_536);
    Checks.range("vocabulary", vocabulary, 16, 1_000_000);
    if (heads % kvHeads != 0) {
      throw Checks.bad("kvHeads", kvHeads, "a divisor of heads, which is " + heads);
    }
    if (headDim % 2 != 0) {
      throw Checks.bad("headDim", headDim, "an even number");
    }
  }

  /** Weights, those of the embedding once: the head is tied to it. */
  long weights() {
    long attention = 2L * hidden * heads * headDim + 2L * hidden * kvHeads * headDim;
    long norms = 2L * hidden + 2L * headDim;
    return layers * (attention + 3L * hidden * intermediate + norms)
        + hidden
        + (long) vocabulary * hidden;
  }

  /** All numbers, for the name of a cache folder. */
  String label() {
    return "l%d-h%d-a%dx%dx%d-i%d-v%d"
        .formatted(layers, hidden, heads, kvHeads, headDim, intermediate, vocabulary);
  }
}
