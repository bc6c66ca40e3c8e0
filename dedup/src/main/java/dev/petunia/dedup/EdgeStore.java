package dev.petunia.dedup;

import java.util.List;
import java.util.function.Consumer;

/**
 * Edges to read. The index's own ({@link DedupIndex#edges}) lives in its directory and is as
 * durable as its last commit; others can be filled by {@link EdgeListener}.
 */
public interface EdgeStore {
  /**
   * Calls with each edge once, in the order in which the later of its chunks was ingested. Chunks
   * with equal shingle sets are a star around the earliest of them, not all pairs: the others
   * follow from it.
   *
   * <p>The consumer is called while the index can't change: a change of the index from it, such as
   * {@link DedupIndex#remove}, is refused with an {@link IllegalStateException}. Collect first, and
   * change when this has returned.
   */
  void forEach(Consumer<Edge> consumer);

  /**
   * Calls with the edge of every near-duplicate pair, those that the stars leave out too; else as
   * {@link #forEach}.
   */
  void forEachExpanded(Consumer<Edge> consumer);

  /** The edges of one chunk; empty for an unknown one. */
  List<Edge> edgesOf(String chunkId);
}
