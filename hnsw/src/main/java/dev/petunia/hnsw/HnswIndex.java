package dev.petunia.hnsw;

import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.IdFilter;
import dev.petunia.core.IndexClosedException;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.SearchResult;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.VectorIndex;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.internal.Checks;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hierarchical navigable small world graph (Malkov and Yashunin 2018) with the primitives of a
 * conversation: ef per query, seeds, several targets, diversity against what was served.
 *
 * <p>In memory; with a directory, {@link #commit} writes it down durably and opening brings back
 * the last commit without building anything. Searches take no lock and see changes of other threads
 * as they happen. Adds and upserts run side by side; a batch of {@link #upsertAll}, a sweep of
 * deleted vectors and a commit run alone among writers, beside searches.
 *
 * <p>Limits: 2,147,483,646 vectors, {@value HnswConfig#MAX_DIMENSION} components; all vectors on
 * the heap; a commit writes the whole index.
 */
public final class HnswIndex implements VectorIndex {
  /** Sweep when so many are dead, and they are a fifth of the living. */
  private static final int SWEEP_AT_LEAST = 64;

  private final HnswConfig config;
  private final Reclaimer reclaimer = new Reclaimer();
  final VectorTable table;
  final Graph graph;
  private final Walk walk;
  private final Inserter inserter;
  private final IdWriter writer;
  private final BulkWriter bulk;
  private final Searcher searcher;
  private final @Nullable CommitDirectory directory;
  private final AtomicLong insertions = new AtomicLong();

  // shared: adds, upserts, deletes of ids; exclusive: sweep, commit, verify, close
  private final ReentrantReadWriteLock writing = new ReentrantReadWriteLock();

  // within that, shared: changes of single ids; exclusive: each batch of upsertAll. Fair, or a
  // thread that takes it for one batch after another would let nobody else have it
  private final ReentrantReadWriteLock batches = new ReentrantReadWriteLock(true);
  private volatile boolean closed;

  private HnswIndex(HnswConfig config, @Nullable CommitDirectory directory) {
    this.config = config;
    this.directory = directory;
    table =
        new VectorTable(
            VectorForm.of(config.dimension(), config.similarity()), 2 * config.m(), reclaimer);
    graph = new Graph(table, config.m());
    walk = new Walk(graph);
    inserter = new Inserter(graph, walk, config.efConstruction(), config.seed());
    writer =
        new IdWriter(
            table,
            new IdWriter.Links() {
              @Override
              public void link(int node) {
                HnswIndex.this.link(node);
              }

              @Override
              public void died(int node) {} // it still leads on, until the next sweep
            });
    bulk =
        new BulkWriter(
            table, writer, new BatchLinker(graph, walk, inserter, reclaimer), insertions);
    searcher = new Searcher(table, graph, config, reclaimer);
  }

  /** An empty index without a directory. */
  public static HnswIndex inMemory(HnswConfig config) {
    return new HnswIndex(Checks.present("config", config), null);
  }

  /**
   * Opens a directory for writing, at its last commit; makes it when it is not there.
   *
   * @throws dev.petunia.core.IndexLockedException when another writer has it open
   * @throws CorruptIndexException when a file is damaged
   * @throws IllegalArgumentException when the index there has another dimension, similarity or M
   * @throws java.io.UncheckedIOException when the directory can't be read or written
   */
  public static HnswIndex open(Path directory, HnswConfig config) {
    return load(CommitDirectory.forWriting(directory), config, d -> {});
  }

  /**
   * Opens a directory for writing at a given commit: the last one or the one before, which are
   * kept. Newer ones are discarded, once this one is read. For callers whose own commit decides
   * which of the two holds.
   *
   * @param generation as {@link #commit} returned it; 0 for an empty index
   * @throws CorruptIndexException when that commit is not there
   */
  public static HnswIndex open(Path directory, HnswConfig config, long generation) {
    return load(CommitDirectory.forWriting(directory), config, d -> d.choose(generation));
  }

  /**
   * Opens the last commit for reading; a writer may be open beside it. Changes are refused.
   *
   * @throws IllegalArgumentException when there is no index
   */
  public static HnswIndex openReadOnly(Path directory, HnswConfig config) {
    return load(CommitDirectory.forReading(directory), config, d -> {});
  }

  /** Opens a given commit for reading: the last one or the one before, which are kept. */
  public static HnswIndex openReadOnly(Path directory, HnswConfig config, long generation) {
    return load(CommitDirectory.forReading(directory), config, d -> d.pin(generation));
  }

  private static HnswIndex load(
      CommitDirectory directory, HnswConfig config, Consumer<CommitDirectory> choose) {
    try {
      HnswIndex index = new HnswIndex(Checks.present("config", config), directory);
      choose.accept(directory);
      directory.load(file -> index.insertions.set(Snapshot.read(file, index.config, index.graph)));
      index.trainBefore(List.of());
      directory.settle(); // after reading: an opening that fails must not discard anything
      return index;
    } catch (Throwable t) {
      directory.close(); // a failed open must not keep the lock
      throw t;
    }
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

  private void open() {
    if (closed) {
      throw new IndexClosedException(
          directory == null ? "the index" : "the index in " + directory.path());
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
    changeOne(() -> writer.put(id, vector, true));
  }

  @Override
  public boolean upsert(String id, float[] vector) {
    return changeOne(() -> writer.put(id, vector, false));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Uses {@link HnswConfig#threads} threads. The same entries in the same order make the same
   * index, to the byte, with any number of threads: as long as nobody else writes meanwhile, on
   * processors with the same vector width, and, in an index that vectors were deleted from, as long
   * as nobody searches either (a search delays the reuse of their places). Other writers get their
   * turn between batches of 512 entries at most. When cancelled, the entries put so far stay.
   */
  @Override
  public void upsertAll(Collection<VectorEntry> entries, ProgressListener progress) {
    open();
    Checks.present("progress", progress);
    List<VectorEntry> list = writer.checked(entries);
    trainBefore(list);
    change(
        () -> {
          bulk.putAll(list, config.threads(), progress, batches.writeLock());
          return true;
        });
  }

  /** Codes need a centre: the mean of a sample, of what is here or else of what comes. */
  private void trainBefore(List<VectorEntry> list) {
    if (isUncoded() && table.liveNodes() + (long) list.size() >= config.codesFrom()) {
      exclusively(
          () -> {
            if (isUncoded()) {
              table.codes(
                  new Quantizer(
                      config.quantization(), config.similarity(), Training.centre(table, list)));
            }
          });
    }
  }

  private boolean isUncoded() {
    return config.quantization() != Quantization.NONE && table.codes() == null;
  }

  /**
   * Checks entries as {@link #upsertAll} does, and changes nothing: for callers that write
   * elsewhere first.
   *
   * @throws IllegalArgumentException as {@link #upsertAll}
   */
  public void requireValid(Collection<VectorEntry> entries) {
    open();
    writer.checked(entries);
  }

  @Override
  public boolean delete(String id) {
    return changeOne(() -> writer.delete(id));
  }

  private boolean changeOne(BooleanSupplier change) {
    return change(
        () -> {
          batches.readLock().lock();
          try {
            return change.getAsBoolean();
          } finally {
            batches.readLock().unlock();
          }
        });
  }

  private boolean change(BooleanSupplier change) {
    open();
    if (directory != null) {
      directory.requireWritable();
    }
    if (isUncoded() && table.liveNodes() >= config.codesFrom() && writing.getReadHoldCount() == 0) {
      trainBefore(List.of());
    }
    boolean result;
    writing.readLock().lock();
    try {
      open();
      result = change.getAsBoolean();
    } finally {
      writing.readLock().unlock();
    }
    if (tooManyDead() && writing.getReadHoldCount() == 0) { // else a batch is under way, around us
      writing.writeLock().lock();
      try {
        if (tooManyDead() && !closed) {
          sweep();
        }
      } finally {
        writing.writeLock().unlock();
      }
    }
    return result;
  }

  private boolean tooManyDead() {
    int dead = table.deadNodes();
    return dead >= SWEEP_AT_LEAST && dead > table.liveNodes() / 5;
  }

  private void sweep() {
    Scratch s = reclaimer.enter(table);
    try {
      Sweep.run(graph, walk, s);
    } finally {
      s.clear();
      reclaimer.exit(s);
    }
  }

  private void exclusively(Runnable work) {
    lockExclusively();
    try {
      open();
      work.run();
    } finally {
      writing.writeLock().unlock();
    }
  }

  private void lockExclusively() {
    if (writing.getReadHoldCount() > 0) { // would wait for itself
      throw new IllegalStateException(
          "commit, verify and close can't be called by the progress listener of a running batch");
    }
    writing.writeLock().lock();
  }

  @Override
  public SearchResult search(VectorQuery query) {
    open();
    return searcher.search(query);
  }

  /**
   * Judges all ids by a filter, once, for many searches of this index: the returned filter accepts
   * the same ids and costs a bit's look-up where the given one is asked about each id that a search
   * meets. When ids were added or removed since, the next search with it judges all anew. In
   * another index it works as the given filter does.
   *
   * @param filter must always judge an id alike
   */
  public IdFilter prepare(IdFilter filter) {
    open();
    return new PreparedFilter(table, Checks.present("filter", filter));
  }

  /**
   * Makes all changes so far durable, atomically: after a crash at any moment the directory opens
   * at this commit or at the one before. Writers wait, searches go on.
   *
   * @return the commit's generation, 1 more than the last one's
   * @throws IllegalStateException when the index has no directory or is read-only
   * @throws java.io.UncheckedIOException when writing fails; the index stays usable and the commit
   *     can be tried again. The directory opens at the last commit; or, when only the last step
   *     failed (forcing the directory to disk), at this one
   */
  public long commit() {
    if (directory == null) {
      throw new IllegalStateException("the index was made in memory and has no directory");
    }
    directory.requireWritable();
    long[] generation = new long[1];
    exclusively(
        () -> {
          writer.requireIntact();
          if (table.deadNodes() > 0) {
            sweep();
          }
          generation[0] =
              directory.commit(file -> Snapshot.write(file, config, graph, insertions.get()));
        });
    return generation[0];
  }

  /** The generation of the last commit, or of the one opened; 0 when there is none. */
  public long generation() {
    return directory == null ? 0 : directory.generation();
  }

  /**
   * Checks the whole structure, and the checksums of the commit's file. (A reader's file may be
   * gone, when the writer has committed twice since; then there is nothing to check.)
   *
   * @throws IllegalStateException that says what is wrong with the structure
   * @throws CorruptIndexException when the file is damaged
   */
  public void verify() {
    exclusively(
        () -> {
          GraphCheck.check(graph);
          if (directory != null) {
            directory.check(Snapshot::verify);
          }
        });
  }

  /**
   * Closes without committing. Running searches finish; later calls get {@link
   * IndexClosedException}.
   */
  @Override
  public void close() {
    lockExclusively();
    try {
      if (!closed) {
        closed = true;
        if (directory != null) {
          directory.close();
        }
      }
    } finally {
      writing.writeLock().unlock();
    }
  }
}
