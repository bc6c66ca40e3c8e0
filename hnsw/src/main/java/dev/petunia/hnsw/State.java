package dev.petunia.hnsw;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The parts of one index in memory, which belong together. Compaction makes another one and puts it
 * in this one's place; searches that run go on in the one they began in.
 */
final class State {
  /** Sweep when so many are dead, and they are a fifth of the living. */
  private static final int SWEEP_AT_LEAST = 64;

  final Reclaimer reclaimer = new Reclaimer();
  final VectorTable table;
  final Graph graph;
  private final Walk walk;
  private final Inserter inserter;
  final IdWriter writer;
  final BulkWriter bulk;
  final Searcher searcher;
  final AtomicLong insertions = new AtomicLong();

  /**
   * @param owner the index; what was prepared for it works with each of its states
   * @param tracked whether to note which ids change, for commits
   */
  State(HnswConfig config, Object owner, boolean tracked) {
    table =
        new VectorTable(
            VectorForm.of(config.dimension(), config.similarity()),
            2 * config.m(),
            reclaimer,
            owner,
            tracked);
    graph = new Graph(table, config.m());
    walk = new Walk(graph);
    inserter = new Inserter(graph, walk, config.efConstruction(), config.seed());
    writer =
        new IdWriter(
            table,
            new IdWriter.Links() {
              @Override
              public void link(int node) {
                State.this.link(node);
              }

              @Override
              public void died(int node) {} // it still leads on, until the next sweep
            });
    bulk =
        new BulkWriter(
            table, writer, new BatchLinker(graph, walk, inserter, reclaimer), insertions);
    searcher = new Searcher(table, graph, config, reclaimer);
  }

  private void link(int node) {
    int level = inserter.level(insertions.getAndIncrement());
    Scratch s = reclaimer.enter(table);
    try {
      inserter.insert(node, level, s);
    } finally {
      s.clear();
      reclaimer.exit(s);
    }
  }

  boolean tooManyDead() {
    int dead = table.deadNodes();
    return dead >= SWEEP_AT_LEAST && dead > table.liveNodes() / 5;
  }

  /** Takes the dead nodes out of the graph. No writer runs beside. */
  void sweep() {
    if (table.deadNodes() == 0) {
      return;
    }
    Scratch s = reclaimer.enter(table);
    try {
      Sweep.run(graph, walk, s);
    } finally {
      s.clear();
      reclaimer.exit(s);
    }
  }
}
