package dev.petunia.hnsw;

import org.jspecify.annotations.Nullable;

/**
 * An id in the index. {@link #node} is the one truth about where the id's vector is: a search
 * returns the id from a node only while {@code node} names that node, so an upsert that moves an id
 * from one node to another is seen at one moment. An id that has a vector for itself is its only
 * owner, too.
 */
final class IdRef extends Owners {
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
  int size() {
    return 1;
  }

  @Override
  IdRef get(int i) {
    return this;
  }

  @Override
  Owners with(IdRef ref) {
    return new Several(this, ref);
  }

  @Override
  @Nullable Owners without(IdRef ref) {
    return this.equals(ref) ? null : this;
  }

  @Override
  public String toString() {
    return id + "@" + node;
  }
}
