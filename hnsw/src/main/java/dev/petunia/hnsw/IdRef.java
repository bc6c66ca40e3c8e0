package dev.petunia.hnsw;

/**
 * An id in the index. {@link #node} is the one truth about where the id's vector is: a search
 * returns the id from a node only while {@code node} names that node, so an upsert that moves an id
 * from one node to another is seen at one moment.
 */
final class IdRef {
  final String id;

  /** Small number of this id, for the per-search memo of filters. */
  final int slot;

  /** The node of the id's vector; −1 before it is linked and after the id is deleted. */
  volatile int node = -1;

  IdRef(String id, int slot) {
    this.id = id;
    this.slot = slot;
  }

  @Override
  public String toString() {
    return id + "@" + node;
  }
}
