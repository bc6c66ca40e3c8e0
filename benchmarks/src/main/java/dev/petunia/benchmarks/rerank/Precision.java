package dev.petunia.benchmarks.rerank;

import java.util.Locale;

/** How the matrices of a generated model are stored and multiplied. */
enum Precision {
  /** Floats. */
  FP32,

  /**
   * int8 weights with one scale per output, activations quantised while the graph runs
   * (DynamicQuantizeMatMul): what quantize_dynamic makes, after ONNX Runtime's fusion.
   */
  INT8;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
