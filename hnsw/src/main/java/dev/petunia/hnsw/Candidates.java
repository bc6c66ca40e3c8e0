package dev.petunia.hnsw;

import dev.petunia.core.internal.Utf8Order;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Results on their way: ids, their nodes and their combined distances, nearest first. */
final class Candidates {
  private @Nullable IdRef[] refs = new IdRef[64];
  int[] nodes = new int[64];
  float[] distances = new float[64];
  int size;
  private int high;
  private int groupFrom;
  private @Nullable String bound;
  private float boundDistance;

  IdRef ref(int i) {
    IdRef r = refs[i];
    if (r == null) {
      throw new AssertionError("candidate " + i + " of " + size);
    }
    return r;
  }

  /** From now on ids are added in any order, until {@link #endGroup} sorts them. */
  void beginGroup() {
    groupFrom = size;
    bound = null;
  }

  /**
   * Adds an id. Far more than {@code wanted} are cut to the first ones as they come: a vector may
   * be shared by very many ids.
   */
  void add(IdRef ref, int node, float distance, int wanted) {
    if (bound != null && order(distance, ref.id, boundDistance, bound) > 0) {
      return; // there are enough before it
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
    if (size - groupFrom >= 2L * wanted + 64) {
      endGroup();
      size = groupFrom + wanted;
      bound = ref(size - 1).id;
      boundDistance = distances[size - 1];
    }
  }

  /** Sorts what was added since {@link #beginGroup}, by distance and id: a heap sort, in place. */
  void endGroup() {
    int from = groupFrom;
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
    return order(distances[a], ref(a).id, distances[b], ref(b).id);
  }

  private static int order(float distanceA, String a, float distanceB, String b) {
    int c = Float.compare(distanceA, distanceB);
    return c != 0 ? c : Utf8Order.compare(a, b);
  }

  private void swap(int a, int b) {
    IdRef ref = refs[a];
    refs[a] = refs[b];
    refs[b] = ref;
    int node = nodes[a];
    nodes[a] = nodes[b];
    nodes[b] = node;
    float distance = distances[a];
    distances[a] = distances[b];
    distances[b] = distance;
  }

  /**
   * Drops all but the nearest of each id: one that moved between two nodes while they were looked
   * at may be here with both. Whether there were any. Only called when ids did move, as it
   * allocates.
   */
  boolean dropRepeats() {
    Set<String> seen = HashSet.newHashSet(size); // not IdRefs: one deleted and added again has two
    int kept = 0;
    for (int i = 0; i < size; i++) {
      IdRef ref = ref(i);
      if (seen.add(ref.id)) {
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
