package dev.petunia.hnsw;

/**
 * Distances from one query to nodes, in batches. The query is one vector (a target, the collapsed
 * weighted sum of several, or a stored vector), or several of which the nearest counts.
 */
final class Scorer {
  private final VectorTable table;
  private final VectorForm form;
  private final boolean euclidean;
  private final float base;

  private float[] query = new float[0];
  private int queryAt;
  private float[][] targets = new float[0][];
  private int targetCount;
  private float[] more = new float[64];
  private Page[] pages = new Page[0];

  /** Vector comparisons since {@link #single} or {@link #nearestOf}. */
  long computed;

  Scorer(VectorTable table) {
    this.table = table;
    this.form = table.form;
    this.euclidean = form.similarity() == dev.petunia.core.Similarity.EUCLIDEAN;
    // distance = base − dot
    this.base = form.similarity() == dev.petunia.core.Similarity.COSINE ? 1f : 0f;
  }

  /** From now on the distance is that to one vector. */
  void single(float[] array, int at) {
    query = array;
    queryAt = at;
    targetCount = 1;
    computed = 0;
    pages = table.pages();
  }

  /** From now on the distance is that to the nearest of the first {@code count} vectors. */
  void nearestOf(float[][] vectors, int count) {
    single(vectors[0], 0);
    targets = vectors;
    targetCount = count;
  }

  private Page page(int node) {
    int p = node >> table.shift;
    if (p >= pages.length) {
      pages = table.pages(); // the index has grown since
    }
    return pages[p];
  }

  /** The distance of one node. */
  float one(int node) {
    float best = one(query, queryAt, node);
    for (int t = 1; t < targetCount; t++) {
      best = Math.min(best, one(targets[t], 0, node));
    }
    return best;
  }

  /** The distance between a given vector and a node. */
  float one(float[] q, int qo, int node) {
    computed++;
    return form.distance(q, qo, page(node).vectors, table.at(node));
  }

  /** The dot product, or under EUCLIDEAN the squared distance, of a given vector and a node. */
  float kernel(float[] q, int qo, int node) {
    computed++;
    float[] v = page(node).vectors;
    return euclidean
        ? Kernels.BEST.squared(q, qo, v, table.at(node), form.stride())
        : Kernels.BEST.dot(q, qo, v, table.at(node), form.stride());
  }

  /** The distances of nodes {@code nodes[0..n-1]} to {@code out}. */
  void batch(int[] nodes, int n, float[] out) {
    batch(query, queryAt, nodes, n, out);
    if (targetCount > 1) {
      if (more.length < n) {
        more = new float[Math.max(n, more.length * 2)];
      }
      for (int t = 1; t < targetCount; t++) {
        batch(targets[t], 0, nodes, n, more);
        for (int i = 0; i < n; i++) {
          out[i] = Math.min(out[i], more[i]);
        }
      }
    }
  }

  /** The distances between a given vector and nodes. */
  void batch(float[] q, int qo, int[] nodes, int n, float[] out) {
    computed += n;
    if (euclidean) {
      squared(q, qo, nodes, n, out);
    } else {
      dot(q, qo, nodes, n, out);
      for (int i = 0; i < n; i++) {
        out[i] = base - out[i];
      }
    }
  }

  private void dot(float[] q, int qo, int[] nodes, int n, float[] out) {
    int stride = form.stride();
    int i = 0;
    for (; i + 3 < n; i += 4) {
      int a = nodes[i];
      int b = nodes[i + 1];
      int c = nodes[i + 2];
      int d = nodes[i + 3];
      Kernels.BEST.dot4(
          q,
          qo,
          stride,
          page(a).vectors,
          table.at(a),
          page(b).vectors,
          table.at(b),
          page(c).vectors,
          table.at(c),
          page(d).vectors,
          table.at(d),
          out,
          i);
    }
    for (; i < n; i++) {
      out[i] = Kernels.BEST.dot(q, qo, page(nodes[i]).vectors, table.at(nodes[i]), stride);
    }
  }

  private void squared(float[] q, int qo, int[] nodes, int n, float[] out) {
    int stride = form.stride();
    int i = 0;
    for (; i + 3 < n; i += 4) {
      int a = nodes[i];
      int b = nodes[i + 1];
      int c = nodes[i + 2];
      int d = nodes[i + 3];
      Kernels.BEST.squared4(
          q,
          qo,
          stride,
          page(a).vectors,
          table.at(a),
          page(b).vectors,
          table.at(b),
          page(c).vectors,
          table.at(c),
          page(d).vectors,
          table.at(d),
          out,
          i);
    }
    for (; i < n; i++) {
      out[i] = Kernels.BEST.squared(q, qo, page(nodes[i]).vectors, table.at(nodes[i]), stride);
    }
  }
}
