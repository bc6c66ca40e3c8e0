package dev.petunia.hnsw;

import java.lang.invoke.VarHandle;

/**
 * The beam search of HNSW (Malkov and Yashunin 2018, algorithm 2) in three forms.
 *
 * <ul>
 *   <li>{@link #plain}: every node may be a result. Used by inserts and by searches without filter.
 *   <li>{@link #admitting}: all nodes lead on, only admitted ones enter the beam. The search stops
 *       when the beam is full of admitted nodes and nothing nearer is left to look at.
 *   <li>{@link #twoHop}: only admitted nodes are scored; a neighbour that is not admitted is looked
 *       through at its own neighbours (ACORN-1: Patel et al. 2024, §5).
 * </ul>
 *
 * <p>Each collects the unvisited neighbours of a node first and scores them as one batch.
 */
final class Walk {
  private final Graph graph;

  Walk(Graph graph) {
    this.graph = graph;
  }

  /** Greedy descent through the upper layers, from the entry point down to above {@code level}. */
  int descend(Scratch s, long entry, int level) {
    int node = Graph.entryNode(entry);
    float best = s.scorer.one(node);
    s.batchRoom(graph.m0);
    for (int l = Graph.entryLevel(entry); l > level; l--) {
      boolean moved = true;
      while (moved) {
        moved = false;
        int n = graph.neighbours(node, l, s.batch);
        s.scorer.batch(s.batch, n, s.distances);
        for (int i = 0; i < n; i++) {
          if (s.distances[i] < best) {
            best = s.distances[i];
            node = s.batch[i];
            moved = true;
          }
        }
      }
    }
    return node;
  }

  /** Puts a start node into the beam; false when it was there. */
  boolean start(Scratch s, int node, int origin) {
    if (!s.visit(node)) {
      return false;
    }
    if (s.trackOrigin) {
      s.origin(node, origin);
    }
    s.beam.offer(s.scorer.one(node), node);
    return true;
  }

  /** Walks a layer from what is in the beam. */
  void plain(Scratch s, int level) {
    Beam beam = s.beam;
    int places = graph.places(level);
    s.batchRoom(places);
    while (true) {
      long next = beam.expandNext();
      if (next == -1) {
        return;
      }
      int n = unvisited(s, Beam.node(next), level, places);
      long after = beam.peekUnexpanded();
      if (after != -1 && level == 0) {
        s.touched = graph.touch(Beam.node(after));
      }
      s.scorer.batch(s.batch, n, s.distances);
      float[] distances = s.distances;
      int[] batch = s.batch;
      float bound = beam.bound();
      for (int i = 0; i < n; i++) {
        if (distances[i] < bound || !beam.full()) {
          beam.offer(distances[i], batch[i]);
          bound = beam.bound();
        }
      }
    }
  }

  /**
   * Gives what a walk by estimates found its exact distances, and goes on by exact ones if it must;
   * the next walk estimates again.
   *
   * @param without a node to leave out
   * @param wanted how many of the nearest matter
   * @param ef width of the beam
   */
  void exact(Scratch s, int level, int without, int wanted, int ef) {
    if (!s.scorer.isEstimating()) {
      return;
    }
    Beam beam = s.beam;
    int n = beam.size();
    long last = beam.full() ? beam.key(n - 1) : -1;
    s.batchRoom(n);
    for (int i = 0; i < n; i++) {
      s.batch[i] = Beam.node(beam.key(i));
    }
    s.scorer.exact();
    s.scorer.batch(s.batch, n, s.distances);
    for (int i = 0; i < n; i++) {
      beam.replace(i, s.distances[i]);
    }
    beam.sort();
    if (last != -1
        && !Quantizer.sufficient(
            Beam.distance(last),
            s.scorer.deviation(Beam.node(last)),
            Beam.distance(beam.key(Quantizer.decisive(Math.min(wanted, n), ef) - 1)))) {
      s.again(ef, graph.table.nodeLimit());
      s.visit(without);
      plain(s, level);
    }
    s.scorer.again();
  }

  private int unvisited(Scratch s, int node, int level, int places) {
    int[] list = graph.list(node, level);
    if (list == null) {
      return 0;
    }
    int from = graph.from(node, level);
    int[] batch = s.batch;
    int n = 0;
    if (!s.trackOrigin) { // without branches that would be guessed wrong every second time
      byte[] visited = s.visited(0);
      byte mark = s.mark();
      for (int i = 0; i < places; i++) {
        int id = Page.link(list, from + i);
        if (id < 0) {
          break;
        }
        if (id >= visited.length) {
          visited = s.visited(id); // added while this search runs
        }
        batch[n] = id;
        n += visited[id] != mark ? 1 : 0;
        visited[id] = mark;
      }
      VarHandle.acquireFence();
      return n;
    }
    for (int i = 0; i < places; i++) {
      int id = Page.link(list, from + i);
      if (id < 0) {
        break;
      }
      if (s.visit(id)) {
        s.origin(id, s.origin(node));
        batch[n++] = id;
      }
    }
    VarHandle.acquireFence();
    return n;
  }

  /** Puts a start node into the beam if it is admitted, else among the nodes that only lead on. */
  boolean startAdmitting(Scratch s, int node, int origin) {
    if (!s.visit(node)) {
      return false;
    }
    if (s.trackOrigin) {
      s.origin(node, origin);
    }
    float d = s.scorer.one(node);
    if (s.admission.admits(node)) {
      s.beam.offer(d, node);
    } else {
      s.leads.push(Beam.key(d, node));
    }
    return true;
  }

  /**
   * Walks layer 0 from the beam and the leads; admitted nodes enter the beam.
   *
   * @return false when it stopped because it had scored {@code budget} nodes
   */
  boolean admitting(Scratch s, long budget) {
    s.batchRoom(graph.m0);
    while (true) {
      long next = nextOf(s);
      if (next == -1) {
        return true;
      }
      if (s.scorer.computed > budget) {
        return false;
      }
      int n = unvisited(s, Beam.node(next), 0, graph.m0);
      s.scorer.batch(s.batch, n, s.distances);
      for (int i = 0; i < n; i++) {
        if (s.beam.accepts(s.distances[i])) {
          int id = s.batch[i];
          if (s.admission.admits(id)) {
            s.beam.offer(s.distances[i], id);
          } else {
            s.leads.push(Beam.key(s.distances[i], id));
          }
        }
      }
    }
  }

  /** The nearest node whose neighbours are still to be looked at; −1 when the search is done. */
  private static long nextOf(Scratch s) {
    long inBeam = s.beam.peekUnexpanded();
    if (!s.leads.isEmpty()) {
      long lead = s.leads.peek();
      if (inBeam == -1 || lead < inBeam) {
        if (!s.beam.accepts(Beam.distance(lead))) {
          s.leads.clear(); // all others are farther
          return inBeam == -1 ? -1 : s.beam.expandNext();
        }
        return s.leads.pop();
      }
    }
    return inBeam == -1 ? -1 : s.beam.expandNext();
  }

  /**
   * Walks layer 0 over admitted nodes and through those that are not.
   *
   * @return false when it stopped because it had scored {@code budget} nodes
   */
  boolean twoHop(Scratch s, long budget) {
    s.batchRoom(graph.m0 * (graph.m0 + 1));
    while (true) {
      long next = nextOf(s);
      if (next == -1) {
        return true;
      }
      if (s.scorer.computed > budget) {
        return false;
      }
      int node = Beam.node(next);
      int[] list = graph.list(node, 0);
      int from = graph.from(node, 0);
      int n = 0;
      for (int i = 0; list != null && i < graph.m0; i++) {
        int id = Page.link(list, from + i);
        if (id < 0) {
          break;
        }
        if (!s.visit(id)) {
          continue;
        }
        VarHandle.acquireFence();
        if (s.trackOrigin) {
          s.origin(id, s.origin(node));
        }
        if (s.admission.admits(id)) {
          s.batch[n++] = id;
        } else {
          n = through(s, id, n);
        }
      }
      VarHandle.acquireFence();
      s.scorer.batch(s.batch, n, s.distances);
      for (int i = 0; i < n; i++) {
        if (s.beam.accepts(s.distances[i])) {
          s.beam.offer(s.distances[i], s.batch[i]);
        }
      }
    }
  }

  private int through(Scratch s, int node, int n) {
    int[] list = graph.list(node, 0);
    int from = graph.from(node, 0);
    for (int i = 0; list != null && i < graph.m0; i++) {
      int id = Page.link(list, from + i);
      if (id < 0) {
        break;
      }
      if (s.visit(id)) {
        VarHandle.acquireFence();
        if (s.trackOrigin) {
          s.origin(id, s.origin(node));
        }
        if (s.admission.admits(id)) {
          s.batch[n++] = id;
        }
      }
    }
    return n;
  }
}
