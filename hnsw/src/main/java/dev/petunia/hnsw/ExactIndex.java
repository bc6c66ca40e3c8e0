package dev.petunia.hnsw;

import dev.petunia.core.IndexClosedException;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.SearchResult;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.VectorIndex;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.internal.Checks;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Compares every vector: always exact, in memory, without a graph. For small sets (up to some ten
 * thousand vectors it answers in a few milliseconds), and as the oracle of tests and benchmarks.
 *
 * <p>All options of a query work and mean the same as in {@link HnswIndex}; {@code ef} and seeds
 * change nothing but are checked as there.
 */
public final class ExactIndex implements VectorIndex {
  private final HnswConfig config;
  private final Reclaimer reclaimer = new Reclaimer();
  private final VectorTable table;
  private final IdWriter writer;
  private final Searcher searcher;
  private final ReentrantReadWriteLock writing = new ReentrantReadWriteLock();
  private volatile boolean closed;

  /** An empty index; of the options, those of the graph don't matter. */
  public ExactIndex(HnswConfig config) {
    this.config = Checks.present("config", config);
    table = new VectorTable(VectorForm.of(config.dimension(), config.similarity()), 0, reclaimer);
    writer =
        new IdWriter(
            table,
            new IdWriter.Links() {
              @Override
              public void link(int node) {}

              @Override
              public void died(int node) {
                table.free(node);
              }
            });
    searcher = new Searcher(table, null, config, reclaimer);
  }

  /** An empty index with default options. */
  public ExactIndex(int dimension, Similarity similarity) {
    this(HnswConfig.builder(dimension, similarity).build());
  }

  private void open() {
    if (closed) {
      throw new IndexClosedException("the index");
    }
  }

  @Override
  public int dimension() {
    return config.dimension();
  }

  @Override
  public Similarity similarity() {
    return config.similarity();
  }

  @Override
  public int size() {
    open();
    return table.ids.size();
  }

  @Override
  public boolean contains(String id) {
    open();
    return table.ids.containsKey(Checks.id("id", id));
  }

  @Override
  public float @Nullable [] vector(String id) {
    open();
    Scratch s = reclaimer.enter(table); // so that the node is not reused under the copy
    try {
      return table.copyOf(id);
    } finally {
      reclaimer.exit(s);
    }
  }

  @Override
  public void add(String id, float[] vector) {
    write(() -> writer.put(id, vector, true));
  }

  @Override
  public boolean upsert(String id, float[] vector) {
    return write(() -> writer.put(id, vector, false));
  }

  @Override
  public void upsertAll(Collection<VectorEntry> entries, ProgressListener progress) {
    open();
    Checks.present("progress", progress);
    List<VectorEntry> list = writer.checked(entries);
    write(
        () -> {
          writer.putAll(list, progress);
          return true;
        });
  }

  @Override
  public boolean delete(String id) {
    return write(() -> writer.delete(id));
  }

  private boolean write(java.util.function.BooleanSupplier change) {
    writing.writeLock().lock();
    try {
      open();
      return change.getAsBoolean();
    } finally {
      writing.writeLock().unlock();
    }
  }

  @Override
  public SearchResult search(VectorQuery query) {
    open();
    return searcher.search(query);
  }

  @Override
  public void close() {
    closed = true;
  }
}
