/** The vector index. */
module dev.petunia.hnsw {
  requires transitive dev.petunia.core;
  requires static jdk.incubator.vector;
  requires static org.jspecify;

  exports dev.petunia.hnsw;
}
