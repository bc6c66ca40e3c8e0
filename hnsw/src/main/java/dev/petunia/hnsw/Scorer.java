package dev.petunia.hnsw;

import dev.petunia.core.Similarity;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Distances from one query to nodes, in batches. The query is one vector (a target, the collapsed
 * weighted sum of several, or a stored vector), or several of which the nearest counts. Distances
 * to one vector may be estimated from codes: see {@link #estimate}.
 */
final class Scorer {
  private static final MemorySegment[] NO_SEGMENTS = new MemorySegment[0];

  private final VectorTable table;
  private final VectorForm form;
  private final boolean euclidean;
  private final float base;

  private MemorySegment query = MemorySegment.NULL;
  private long queryAt;
  private MemorySegment[] targets = NO_SEGMENTS;
  private int targetCount;
  private float[] more = new float[64];
  private MemorySegment[] vectors = NO_SEGMENTS;

  private @Nullable Codes codes;
  private MemorySegment[] codePages = NO_SEGMENTS;
  private Quantizer.@Nullable Query coded;
  private @Nullable Quantizer codedBy;
  private boolean estimating;
  private final int[] oneNode = new int[1];
  private final float[] oneDistance = new float[1];

  /** Vector comparisons since {@link #single} or {@link #nearestOf}, estimates among them. */
  long computed;

  Scorer(VectorTable table) {
    this.table = table;
    this.form = table.form;
    this.euclidean = form.similarity() == Similarity.EUCLIDEAN;
    // distance = base − dot
    this.base = form.similarity() == Similarity.COSINE ? 1f : 0f;
  }

  /** From now on the distance is that to one vector, exactly. Offset in bytes. */
  void single(MemorySegment vector, long at) {
    query = vector;
    queryAt = at;
    targetCount = 1;
    computed = 0;
    estimating = false;
    vectors = table.vectors();
  }

  /** Looks at the index's memory as it is now, for distances between stored vectors. */
  void refresh() {
    vectors = table.vectors();
  }

  /** Lets go of the index's memory, some of which may have been given up by the index. */
  void clear() {
    query = MemorySegment.NULL;
    vectors = NO_SEGMENTS;
    codePages = NO_SEGMENTS;
    codes = null;
  }

  /** From now on the distance is that to a stored vector, exactly. */
  void node(int node) {
    single(table.vectors(node), table.at(node));
  }

  /** From now on the distance is that to the nearest of the first {@code count} vectors. */
  void nearestOf(MemorySegment[] segments, int count) {
    single(segments[0], 0);
    targets = segments;
    targetCount = count;
  }

  /**
   * From now on distances to the one vector of {@link #single} are estimated, when there are codes;
   * until {@link #exact}.
   *
   * @return the quantizer, null when there are no codes
   */
  @Nullable Quantizer estimate() {
    Codes c = table.codes();
    if (c == null) {
      return null;
    }
    Quantizer.Query q = coded;
    if (q == null || codedBy != c.quantizer) {
      q = c.quantizer.new Query();
      coded = q;
      codedBy = c.quantizer;
    }
    codes = c;
    codePages = c.pages();
    q.prepare(query, queryAt);
    estimating = true;
    return c.quantizer;
  }

  /** A node whose vector is exactly the query; −1 for none. */
  int equalNode() {
    return table.equal.to(query, queryAt);
  }

  boolean isEstimating() {
    return estimating;
  }

  /** From now on distances are exact. */
  void exact() {
    estimating = false;
  }

  /** From now on distances are estimated again, as before {@link #exact}. */
  void again() {
    estimating = true;
  }

  /** How far a node's estimate is likely to be off, after {@link #estimate}. */
  float deviation(int node) {
    Quantizer.Query q = coded;
    return q == null ? 0 : q.deviation(codePages(node), table.shift, table.mask, node);
  }

  private MemorySegment[] codePages(int node) {
    Codes c = codes;
    if (node >> table.shift >= codePages.length && c != null) {
      codePages = c.pages(); // the index has grown since
    }
    return codePages;
  }

  private MemorySegment vectors(int node) {
    int p = node >> table.shift;
    if (p >= vectors.length) {
      vectors = table.vectors(); // the index has grown since
    }
    return vectors[p];
  }

  /** The distance of one node. */
  float one(int node) {
    if (estimating) {
      oneNode[0] = node;
      batch(oneNode, 1, oneDistance);
      return oneDistance[0];
    }
    float best = one(query, queryAt, node);
    for (int t = 1; t < targetCount; t++) {
      best = Math.min(best, one(targets[t], 0, node));
    }
    return best;
  }

  /** The exact distance between a given vector and a node. */
  float one(MemorySegment q, long qo, int node) {
    computed++;
    return form.distance(q, qo, vectors(node), table.at(node));
  }

  /** The dot product, or under EUCLIDEAN the squared distance, of a given vector and a node. */
  float kernel(MemorySegment q, long qo, int node) {
    computed++;
    MemorySegment v = vectors(node);
    return euclidean
        ? Kernels.BEST.squared(q, qo, v, table.at(node), form.stride())
        : Kernels.BEST.dot(q, qo, v, table.at(node), form.stride());
  }

  /** The distances of nodes {@code nodes[0..n-1]} to {@code out}. */
  void batch(int[] nodes, int n, float[] out) {
    Quantizer.Query q = coded;
    if (estimating && q != null) {
      computed += n;
      for (int i = 0; i < n; i++) {
        codePages(nodes[i]);
      }
      q.estimate(codePages, table.shift, table.mask, nodes, n, out);
      return;
    }
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

  /** The exact distances between a stored vector and nodes. */
  void batch(int from, int[] nodes, int n, float[] out) {
    batch(vectors(from), table.at(from), nodes, n, out);
  }

  /** The exact distances between a given vector and nodes. */
  private void batch(MemorySegment q, long qo, int[] nodes, int n, float[] out) {
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

  private void dot(MemorySegment q, long qo, int[] nodes, int n, float[] out) {
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
          vectors(a),
          table.at(a),
          vectors(b),
          table.at(b),
          vectors(c),
          table.at(c),
          vectors(d),
          table.at(d),
          out,
          i);
    }
    for (; i < n; i++) {
      out[i] = Kernels.BEST.dot(q, qo, vectors(nodes[i]), table.at(nodes[i]), stride);
    }
  }

  private void squared(MemorySegment q, long qo, int[] nodes, int n, float[] out) {
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
          vectors(a),
          table.at(a),
          vectors(b),
          table.at(b),
          vectors(c),
          table.at(c),
          vectors(d),
          table.at(d),
          out,
          i);
    }
    for (; i < n; i++) {
      out[i] = Kernels.BEST.squared(q, qo, vectors(nodes[i]), table.at(nodes[i]), stride);
    }
  }
}
