package dev.petunia.hnsw;

import dev.petunia.core.internal.Utf8Order;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Results on their way: ids, their nodes and their combined distances, nearest first. */
final class Candidates {
  private @Nullable IdRef[] refs = new IdRef[64];
  int[] nodes = new int[64];
  float[] distances = new float[64];
  int size;
  private int high;
  private int tiesFrom;
  private @Nullable String bound;

  IdRef ref(int i) {
    IdRef r = refs[i];
    if (r == null) {
      throw new AssertionError("candidate " + i + " of " + size);
    }
    return r;
  }

  /** From now on ids are added that have one distance, until {@link #endTies}. */
  void beginTies() {
    tiesFrom = size;
    bound = null;
  }

  /**
   * Adds an id. Far more than {@code wanted} of one distance are cut to the lowest ids as they
   * come: a vector may be shared by very many.
   */
  void addTie(IdRef ref, int node, float distance, int wanted) {
    if (bound != null && Utf8Order.compare(ref.id, bound) > 0) {
      return; // there are enough below it
    }
    if (size == nodes.length) {
      refs = Arrays.copyOf(refs, 2 * size);
      nodes = Arrays.copyOf(nodes, 2 * size);
      distances = Arrays.copyOf(distances, 2 * size);
    }
    refs[size] = ref;
    nodes[size] = node;
    distances[size++] = distance;
    high = Math.max(high, size);
    if (size - tiesFrom >= 2L * wanted + 64) {
      endTies();
      size = tiesFrom + wanted;
      bound = ref(size - 1).id;
    }
  }

  /** Sorts what was added since {@link #beginTies} by id: a heap sort, in place. */
  void endTies() {
    int from = tiesFrom;
    int n = size - from;
    for (int i = n / 2 - 1; i >= 0; i--) {
      sink(from, i, n);
    }
    for (int last = n - 1; last > 0; last--) {
      swap(from, from + last);
      sink(from, 0, last);
    }
  }

  private void sink(int from, int start, int n) {
    int i = start;
    while (2 * i + 1 < n) {
      int child = 2 * i + 1;
      if (child + 1 < n && compare(from + child, from + child + 1) < 0) {
        child++;
      }
      if (compare(from + i, from + child) >= 0) {
        return;
      }
      swap(from + i, from + child);
      i = child;
    }
  }

  private int compare(int a, int b) {
    return Utf8Order.compare(ref(a).id, ref(b).id);
  }

  private void swap(int a, int b) {
    IdRef ref = refs[a];
    refs[a] = refs[b];
    refs[b] = ref;
    int node = nodes[a];
    nodes[a] = nodes[b];
    nodes[b] = node;
  }

  /**
   * Drops ids that left their node while the search ran; whether there were any. One that moved
   * between two nodes may be here with both: it stays where it is now, and that is one place.
   */
  boolean dropMoved() {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      IdRef ref = ref(i);
      if (ref.node == nodes[i]) {
        refs[kept] = ref;
        nodes[kept] = nodes[i];
        distances[kept++] = distances[i];
      }
    }
    boolean dropped = kept < size;
    size = kept;
    return dropped;
  }

  void clear() {
    Arrays.fill(refs, 0, high, null);
    high = 0;
    size = 0;
    bound = null;
  }
}
