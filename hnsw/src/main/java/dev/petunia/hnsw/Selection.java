package dev.petunia.hnsw;

import java.util.Arrays;

/**
 * Neighbour selection: the heuristic of HNSW (Malkov and Yashunin 2018, algorithm 4). From the
 * nearest on, a candidate is taken when it is nearer to the node than to every neighbour taken
 * before. Tree links (see {@link Graph#isTreeLink}) are taken without question.
 */
final class Selection {
  private final VectorTable table;
  private final Scorer scorer;

  /** Candidates, sorted when {@link #select} is called. */
  private long[] keys = new long[512];

  private int size;
  private final float[] four = new float[4];
  private final int[] fourNodes = new int[4];

  /** The nodes selected. */
  int[] chosen = new int[64];

  int count;
  int[] list = new int[64];
  float[] distances = new float[64];

  Selection(VectorTable table) {
    this.table = table;
    this.scorer = new Scorer(table);
  }

  void begin() {
    size = 0;
    scorer.refresh();
  }

  void add(long key) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, size * 2);
    }
    keys[size++] = key;
  }

  /** Adds nodes with their distances to {@code node}. */
  void addAll(int node, int[] nodes, int n) {
    if (distances.length < n) {
      distances = new float[n * 2];
    }
    scorer.batch(node, nodes, n, distances);
    for (int i = 0; i < n; i++) {
      add(Beam.key(distances[i], nodes[i]));
    }
  }

  void sort() {
    Arrays.sort(keys, 0, size);
  }

  /**
   * Selects at most {@code most} of the sorted candidates.
   *
   * @param graph whose tree links of {@code owner} are kept; null on upper layers
   */
  void select(int owner, int most, @org.jspecify.annotations.Nullable Graph graph) {
    if (chosen.length < most) {
      chosen = new int[most];
    }
    count = 0;
    int reserved = 0;
    if (graph != null) {
      for (int i = 0; i < size; i++) {
        if (graph.isTreeLink(owner, Beam.node(keys[i]))) {
          reserved++;
        }
      }
    }
    int previous = -1;
    for (int i = 0; i < size && count < most; i++) {
      int node = Beam.node(keys[i]);
      if (node == previous || node == owner) {
        continue; // equal keys stand side by side
      }
      previous = node;
      if (reserved > 0 && graph != null && graph.isTreeLink(owner, node)) {
        reserved--;
        chosen[count++] = node;
      } else if (count + reserved < most && diverse(node, Beam.distance(keys[i]))) {
        chosen[count++] = node;
      }
    }
  }

  /** Keeps {@code kept} and adds sorted candidates to them, {@code most} nodes in all. */
  void extend(int[] kept, int n, int most) {
    if (chosen.length < most) {
      chosen = new int[most];
    }
    System.arraycopy(kept, 0, chosen, 0, n);
    count = n;
    for (int i = 0; i < size && count < most; i++) {
      int node = Beam.node(keys[i]);
      if (diverse(node, Beam.distance(keys[i]))) {
        chosen[count++] = node;
      }
    }
  }

  private boolean diverse(int node, float distance) {
    int i = 0;
    for (; i + 3 < count; i += 4) {
      System.arraycopy(chosen, i, fourNodes, 0, 4);
      scorer.batch(node, fourNodes, 4, four);
      if (four[0] < distance || four[1] < distance || four[2] < distance || four[3] < distance) {
        return false;
      }
    }
    for (; i < count; i++) {
      if (table.distance(node, chosen[i]) < distance) {
        return false;
      }
    }
    return true;
  }

  /** Lets go of the index's memory. */
  void clear() {
    scorer.clear();
  }

  int size() {
    return size;
  }

  long key(int i) {
    return keys[i];
  }
}
