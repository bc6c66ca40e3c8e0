package dev.petunia.hnsw;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one search or insert needs while it runs, pooled by {@link Reclaimer}, so that the steady
 * state allocates nothing. Sets of nodes are stamped: starting anew is one increment, not a clear.
 */
final class Scratch {
  final Scorer scorer;
  Beam beam = new Beam();

  /** The nearest by exact distance, of those that a walk by estimates found. */
  private Beam ranked = new Beam();

  final Heap leads = new Heap();
  final Admission admission;
  final QueryState query;
  final Selection selection;
  final Candidates candidates = new Candidates();
  final Mmr mmr;
  Searcher.@Nullable Run run;

  /** What the walks to several targets found. */
  int[] union = new int[0];

  /** Node batch, and its distances. */
  int[] batch = new int[256];

  float[] distances = new float[256];

  /** The epoch this entered in; 0 when idle. See {@link Reclaimer}. */
  volatile long enteredEpoch;

  private final int dimension;
  private Quantizer.@Nullable Work work;

  /** Keeps loads ahead of use from being left out. */
  int touched;

  private byte[] visited = new byte[0];
  private byte visit;

  /** Which seed led to a node: 1 + its number, 0 for the entry point. Only kept with seeds. */
  private int[] origin = new int[0];

  boolean trackOrigin;

  Scratch(VectorTable table) {
    scorer = new Scorer(table);
    admission = new Admission(table);
    query = new QueryState(table.form);
    selection = new Selection(table);
    mmr = new Mmr(table, this);
    dimension = table.form.dimension();
  }

  /** Forgets which nodes were visited. */
  void newVisit(int nodeLimit) {
    if (visited.length < nodeLimit) {
      visited = new byte[grown(nodeLimit)];
      visit = 0;
    }
    if (++visit == 0) { // wrapped: old stamps would look like new ones
      Arrays.fill(visited, (byte) 0);
      visit = 1;
    }
    if (trackOrigin && origin.length < visited.length) {
      origin = new int[visited.length];
    }
  }

  /** Prepares a further walk from what the beam holds, with a beam of that width. */
  void again(int width, int nodeLimit) {
    beam.restart(width);
    newVisit(nodeLimit);
    for (int i = 0; i < beam.size(); i++) {
      visit(Beam.node(beam.key(i)));
    }
  }

  /** Marks a node; false when it was marked. */
  boolean visit(int node) {
    if (node >= visited.length) {
      visited = Arrays.copyOf(visited, grown(node + 1)); // added while this search runs
      if (trackOrigin) {
        origin = Arrays.copyOf(origin, visited.length);
      }
    }
    if (visited[node] == visit) {
      return false;
    }
    visited[node] = visit;
    return true;
  }

  private static int grown(int need) {
    return Math.max(1024, need + (need >> 2));
  }

  int origin(int node) {
    return origin[node];
  }

  void origin(int node, int seed) {
    origin[node] = seed;
  }

  /** The marks of visited nodes and the mark in use, for loops that inline {@link #visit}. */
  byte[] visited(int node) {
    if (node >= visited.length) {
      visited = Arrays.copyOf(visited, grown(node + 1));
    }
    return visited;
  }

  byte mark() {
    return visit;
  }

  Beam ranked() {
    return ranked;
  }

  /** {@link #ranked} becomes the beam. */
  void swapBeams() {
    Beam b = beam;
    beam = ranked;
    ranked = b;
  }

  /** Room to encode vectors in. */
  Quantizer.Work work() {
    Quantizer.Work w = work;
    if (w == null) {
      w = new Quantizer.Work(dimension);
      work = w;
    }
    return w;
  }

  /** Makes room for n nodes in {@link #union}. */
  void unionRoom(int n) {
    if (union.length < n) {
      union = Arrays.copyOf(union, Math.max(n, 2 * union.length));
    }
  }

  /** Makes room for n nodes in {@link #batch}. */
  void batchRoom(int n) {
    if (batch.length < n) {
      batch = Arrays.copyOf(batch, Math.max(n, 2 * batch.length));
      distances = Arrays.copyOf(distances, batch.length);
    }
  }

  /** Lets go of what belongs to the caller. */
  void clear() {
    admission.clear();
    candidates.clear();
    scorer.clear();
    selection.clear();
    trackOrigin = false;
  }
}
