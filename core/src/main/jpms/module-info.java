/** Types and interfaces that Petunia's parts share. */
module dev.petunia.core {
  requires static org.jspecify;

  exports dev.petunia.core;
  exports dev.petunia.core.internal to
      dev.petunia.hnsw,
      dev.petunia.lexical,
      dev.petunia.onnx,
      dev.petunia.rerank,
      dev.petunia.retriever;
}
