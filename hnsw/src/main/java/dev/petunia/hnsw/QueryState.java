package dev.petunia.hnsw;

import dev.petunia.core.Combine;
import dev.petunia.core.VectorQuery;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The prepared targets of one search. */
final class QueryState {
  /** What messages call each target; made once, as every query passes them. */
  private static final String[] NAMES = new String[VectorQuery.MAX_TARGETS];

  static {
    for (int t = 0; t < NAMES.length; t++) {
      NAMES[t] = "targets[" + t + "]";
    }
  }

  private final VectorForm form;
  private final Arena arena = Arena.ofAuto();

  /** The prepared targets, outside the heap as stored vectors are: kernels know one kind only. */
  final MemorySegment[] targets = new MemorySegment[VectorQuery.MAX_TARGETS];

  final float[] weights = new float[VectorQuery.MAX_TARGETS];
  private final float[] raw;
  private final float[] prepared;
  private final MemorySegment collapsed;
  int targetCount;
  boolean min;

  QueryState(VectorForm form) {
    this.form = form;
    this.raw = new float[form.dimension()];
    this.prepared = new float[form.stride()];
    this.collapsed = arena.allocate(form.bytes(), VectorTable.ALIGNMENT);
  }

  /** Checks and prepares the targets, and points the scorer at them. */
  void begin(VectorQuery query, Scorer scorer) {
    targetCount = query.targetCount();
    min = query.combine() == Combine.MIN;
    if (query.dimension() != form.dimension()) {
      throw dev.petunia.core.internal.Checks.bad(
          targetCount == 1 ? "target" : "targets",
          query.dimension() + " components",
          form.dimension() + " components, the index's dimension");
    }
    for (int t = 0; t < targetCount; t++) {
      MemorySegment target = targets[t];
      if (target == null) {
        target = arena.allocate(form.bytes(), VectorTable.ALIGNMENT);
        targets[t] = target;
      }
      query.copyTarget(t, raw);
      form.prepare(NAMES[t], raw, query.dimension(), prepared);
      MemorySegment.copy(prepared, 0, target, Kernels.FLOAT, 0, form.stride());
      weights[t] = query.weight(t);
    }
    if (targetCount == 1) {
      scorer.single(targets[0], 0);
    } else if (min) {
      scorer.nearestOf(targets, targetCount);
    } else {
      collapse();
      scorer.single(collapsed, 0);
    }
  }

  /**
   * Σ wᵢ·d(qᵢ, x) is the distance to one vector, Σ wᵢqᵢ, up to a constant: exactly for the dot
   * product and the cosine, and for the squared Euclidean distance too, as the weights sum to 1. So
   * the walk costs one distance a node whatever the number of targets.
   */
  private void collapse() {
    for (int i = 0; i < form.stride(); i++) {
      double sum = 0;
      for (int t = 0; t < targetCount; t++) {
        sum += (double) weights[t] * targets[t].get(Kernels.FLOAT, 4L * i);
      }
      collapsed.set(Kernels.FLOAT, 4L * i, (float) sum);
    }
  }

  /**
   * The weighted sum of a node's distances, computed directly from each target. Under COSINE the
   * sum is taken over the dot products, which have not lost digits to 1 − s yet: so opposite
   * targets of equal weight tie exactly, and not up to rounding.
   */
  float combined(Scorer scorer, int node) {
    double sum = 0;
    double base = 0;
    for (int t = 0; t < targetCount; t++) {
      if (weights[t] != 0) { // 0 times an infinite distance would be NaN
        sum += (double) weights[t] * scorer.kernel(targets[t], 0, node);
        base += weights[t];
      }
    }
    return switch (form.similarity()) {
      case COSINE -> (float) (base - sum);
      case DOT_PRODUCT -> (float) (0 - sum); // never -0.0
      case EUCLIDEAN -> (float) sum;
    };
  }
}
