package dev.petunia.hnsw;

import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds candidates by comparing every vector that may match. With codes, distances are estimated
 * first, and then computed for every node that could be among those wanted even if its estimate is
 * off by {@value #DEVIATIONS} standard deviations: a scan reads a tenth of the memory then.
 */
final class Scan {
  private static final int BATCH = 256;

  /** Six: an error as large has a chance of 1 in a billion. */
  private static final int DEVIATIONS = 6;

  /** The deviations of the nearest are taken for all, with this much to spare. */
  private static final float SPREAD = 1.25f;

  private final VectorTable table;
  private final Scratch s;
  private int wanted;
  private int n;
  private float[] estimates = new float[0];

  /** Nodes compared by the last scan. */
  int visited;

  /** Of them, those compared exactly after an estimate. */
  int reranked;

  Scan(VectorTable table, Scratch s) {
    this.table = table;
    this.s = s;
  }

  /** Fills the beam with the nearest nodes that match, and all that are as far as the last one. */
  void nodes(int newWanted) {
    wanted = newWanted;
    n = 0;
    reranked = 0;
    s.scorer.exact();
    long before = s.scorer.computed;
    s.beam.reset(wanted);
    s.newVisit(table.nodeLimit());
    collectNodes();
    visited = n;
    if (n > 4 * wanted + BATCH && !isMin() && s.scorer.estimate() != null) {
      shortlist();
      reranked = (int) (s.scorer.computed - before - visited);
    } else {
      exactly();
    }
  }

  private boolean isMin() {
    return s.query.min && s.query.targetCount > 1;
  }

  private void collectNodes() {
    IdRef @Nullable [] resolved = s.admission.resolved;
    Set<String> listed = s.admission.listed;
    if (resolved != null) {
      s.unionRoom(resolved.length);
      for (IdRef ref : resolved) {
        add(ref);
      }
    } else if (listed != null) {
      for (String id : listed) {
        add(table.ids.get(id));
      }
    } else {
      int limit = table.nodeLimit();
      s.unionRoom(limit);
      for (int node = 0; node < limit; node++) {
        if (s.admission.admits(node)) {
          s.union[n++] = node;
        }
      }
    }
  }

  private void add(@Nullable IdRef ref) {
    int node = ref == null ? -1 : ref.node;
    if (node >= 0 && s.visit(node) && s.admission.admits(node)) {
      s.unionRoom(n + 1);
      s.union[n++] = node;
    }
  }

  private void exactly() {
    s.batchRoom(BATCH);
    for (int from = 0; from < n; from += BATCH) {
      int k = Math.min(BATCH, n - from);
      System.arraycopy(s.union, from, s.batch, 0, k);
      offer(k);
    }
  }

  private void shortlist() {
    if (estimates.length < n) {
      estimates = new float[Math.max(n, 2 * estimates.length)];
    }
    Beam nearest = s.ranked();
    nearest.reset(Math.max(2 * wanted, wanted + 32));
    s.batchRoom(BATCH);
    for (int from = 0; from < n; from += BATCH) {
      int k = Math.min(BATCH, n - from);
      System.arraycopy(s.union, from, s.batch, 0, k);
      s.scorer.batch(s.batch, k, s.distances);
      System.arraycopy(s.distances, 0, estimates, from, k);
      for (int i = 0; i < k; i++) {
        if (nearest.accepts(s.distances[i])) {
          nearest.offer(s.distances[i], s.batch[i]);
        }
      }
    }
    float bound = bound(nearest);
    int k = 0;
    for (int i = 0; i < n; i++) {
      if (estimates[i] <= bound) {
        s.batch[k++] = s.union[i];
        if (k == BATCH) {
          offer(k);
          k = 0;
        }
      }
    }
    offer(k);
  }

  /** No node of a greater estimate can be among those wanted. */
  private float bound(Beam nearest) {
    int size = nearest.size();
    s.batchRoom(size);
    float deviation = 0;
    for (int i = 0; i < size; i++) {
      s.batch[i] = Beam.node(nearest.key(i));
      deviation = Math.max(deviation, s.scorer.deviation(s.batch[i]));
    }
    s.scorer.exact();
    s.scorer.batch(s.batch, size, s.distances);
    Arrays.sort(s.distances, 0, size);
    return s.distances[wanted - 1] + DEVIATIONS * SPREAD * deviation;
  }

  private void offer(int k) {
    if (s.query.targetCount > 1 && !s.query.min) {
      for (int i = 0; i < k; i++) {
        s.distances[i] = distance(s.batch[i]);
      }
    } else {
      s.scorer.batch(s.batch, k, s.distances);
    }
    for (int i = 0; i < k; i++) {
      s.beam.offerWithTies(s.distances[i], s.batch[i], wanted);
    }
  }

  /**
   * Compares the vector of each id: for a scan of the nodes beside which ids moved or left, which
   * may have lost some. An id that is there throughout is met exactly once, wherever it is then.
   * One that is deleted and added again meanwhile may be met twice, as it takes another place in
   * the map; its repeats may have taken the places of others, so the caller scans again when they
   * left too few, a few times at most.
   */
  void ids(int newWanted) {
    s.scorer.exact();
    long before = s.scorer.computed;
    Candidates c = s.candidates;
    c.size = 0;
    c.beginGroup();
    for (IdRef ref : table.ids.values()) {
      int node = ref.node;
      if (node >= 0 && s.admission.accepts(ref)) {
        c.add(ref, node, distance(node), newWanted);
      }
    }
    c.endGroup();
    visited = (int) ((s.scorer.computed - before) / s.query.targetCount);
  }

  private float distance(int node) {
    return s.query.targetCount > 1 && !s.query.min
        ? s.query.combined(s.scorer, node)
        : s.scorer.one(node);
  }
}
