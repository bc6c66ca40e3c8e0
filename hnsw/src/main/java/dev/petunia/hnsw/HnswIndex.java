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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
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
 * <p>Limits: 2,147,483,646 vectors, {@value HnswConfig#MAX_DIMENSION} components; links and ids are
 * on the heap. Vectors and codes are not: committed ones are mapped from files, others allocated,
 * as direct buffers are (a JVM allows as much of that as the heap may have, unless {@code
 * -XX:MaxDirectMemorySize} says otherwise).
 */
public final class HnswIndex implements VectorIndex {
  /** Compact at a commit when so many slots, and more than are used, are empty. */
  private static final int WASTE_AT_LEAST = 1024;

  private final HnswConfig config;
  private final @Nullable CommitDirectory directory;
  private final @Nullable Store store;
  private volatile State state;

  // shared: adds, upserts, deletes of ids; exclusive: sweep, commit, compaction, verify, close
  private final ReentrantReadWriteLock writing = new ReentrantReadWriteLock();

  // within that, shared: changes of single ids; exclusive: each batch of upsertAll. Fair, or a
  // thread that takes it for one batch after another would let nobody else have it
  private final ReentrantReadWriteLock batches = new ReentrantReadWriteLock(true);
  private volatile boolean closed;

  private HnswIndex(HnswConfig config, @Nullable CommitDirectory directory) {
    this.config = config;
    this.directory = directory;
    store = directory == null ? null : new Store(directory, config);
    state = new State(config, writing, directory != null);
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
      Store store = index.store;
      if (store == null) {
        throw new AssertionError();
      }
      choose.accept(directory);
      index.state = store.load(() -> new State(config, index.writing, true));
      directory.settle(); // after reading: an opening that fails must not discard anything
      index.trainBefore(List.of());
      return index;
    } catch (Throwable t) {
      directory.close(); // a failed open must not keep the lock
      throw t;
    }
  }

  /** For tests. */
  State state() {
    return state;
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
    return state.table.ids.size();
  }

  @Override
  public boolean contains(String id) {
    open();
    return state.table.ids.containsKey(Checks.id("id", id));
  }

  @Override
  public float @Nullable [] vector(String id) {
    open();
    State now = state;
    Scratch s = now.reclaimer.enter(now.table); // so that the node is not reused under the copy
    try {
      return now.table.copyOf(id);
    } finally {
      now.reclaimer.exit(s);
    }
  }

  @Override
  public void add(String id, float[] vector) {
    changeOne(() -> state.writer.put(id, vector, true));
  }

  @Override
  public boolean upsert(String id, float[] vector) {
    return changeOne(() -> state.writer.put(id, vector, false));
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
    List<VectorEntry> list = state.writer.checked(entries);
    trainBefore(list);
    change(
        () -> {
          state.bulk.putAll(list, config.threads(), progress, batches.writeLock());
          return true;
        });
  }

  /** Codes need a centre: the mean of a sample, of what is here or else of what comes. */
  private void trainBefore(List<VectorEntry> list) {
    if (isUncoded() && state.table.liveNodes() + (long) list.size() >= config.codesFrom()) {
      exclusively(
          () -> {
            if (isUncoded()) {
              VectorTable table = state.table;
              table.codes(
                  new Quantizer(
                      config.quantization(), config.similarity(), Training.centre(table, list)));
            }
          });
    }
  }

  private boolean isUncoded() {
    return config.quantization() != Quantization.NONE && state.table.codes() == null;
  }

  /**
   * Checks entries as {@link #upsertAll} does, and changes nothing: for callers that write
   * elsewhere first.
   *
   * @throws IllegalArgumentException as {@link #upsertAll}
   */
  public void requireValid(Collection<VectorEntry> entries) {
    open();
    state.writer.checked(entries);
  }

  @Override
  public boolean delete(String id) {
    return changeOne(() -> state.writer.delete(id));
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
    if (isUncoded()
        && state.table.liveNodes() >= config.codesFrom()
        && writing.getReadHoldCount() == 0) {
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
    if (state.tooManyDead()
        && writing.getReadHoldCount() == 0) { // else a batch is under way, around us
      writing.writeLock().lock();
      try {
        if (state.tooManyDead() && !closed) {
          state.sweep();
        }
      } finally {
        writing.writeLock().unlock();
      }
    }
    return result;
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
    return state.searcher.search(query);
  }

  /**
   * Why a search returns an id, or does not: whether it is there and matches, where it stands by
   * exact distances, and if the walk missed it, with what ef it is found. Compares every vector, so
   * it takes as long as an exact search of the whole index, and a few more.
   *
   * @throws IllegalArgumentException as {@link #search}
   */
  public Explanation explain(VectorQuery query, String id) {
    open();
    State now = state;
    Explanation e = now.searcher.explain(Checks.present("query", query), id);
    if (e.outcome() != Explanation.Outcome.MISSED) {
      return e;
    }
    for (long ef = 2L * e.trace().effectiveEf(); ; ef *= 2) {
      int wide = (int) Math.min(ef, config.maxEf());
      VectorQuery wider = query.toBuilder().ef(wide).build();
      if (now.searcher.search(wider).hits().stream().anyMatch(hit -> hit.id().equals(id))) {
        return new Explanation(id, e.outcome(), e.rank(), e.distance(), e.score(), wide, e.trace());
      }
      if (wide == config.maxEf()) {
        return e;
      }
    }
  }

  /** What the index takes in memory and on disk, computed from its parts. */
  public MemoryUse memory() {
    open();
    State now = state;
    Store to = store;
    long vectors = now.table.vectorBytes();
    Codes codes = now.table.codes();
    long coded = codes == null ? 0 : codes.bytes();
    long mapped = to == null ? 0 : to.mappedBytes();
    return new MemoryUse(
        now.table.heapBytes(),
        vectors + coded - mapped,
        mapped,
        to == null ? 0 : to.unmappedBytes());
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
    return new PreparedFilter(writing, Checks.present("filter", filter));
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
    Store to = writableStore();
    long[] generation = new long[1];
    exclusively(
        () -> {
          state.writer.requireIntact();
          generation[0] = isWasteful() ? compactLocked() : to.commit(state);
        });
    return generation[0];
  }

  private Store writableStore() {
    Store to = store;
    if (directory == null || to == null) {
      throw new IllegalStateException("the index was made in memory and has no directory");
    }
    directory.requireWritable();
    return to;
  }

  /** More slots without a living vector than with one. */
  private boolean isWasteful() {
    long live = state.table.liveNodes();
    return state.table.nodeLimit() - live > live + WASTE_AT_LEAST;
  }

  /**
   * Writes the index anew without the gaps that deleted and replaced vectors have left, in an order
   * that keeps neighbours together, and commits that; without a directory, the same in memory.
   * {@link #commit} does so by itself when more slots are empty than used. Writers wait; searches
   * go on and don't notice. Takes the memory of the graph, not of the vectors, a second time.
   *
   * @throws java.io.UncheckedIOException when writing fails; the index stays as it was
   */
  public void compact() {
    open();
    if (directory != null) {
      directory.requireWritable();
    }
    exclusively(
        () -> {
          state.writer.requireIntact();
          compactLocked();
        });
  }

  /** The generation committed; 0 without a directory. */
  private long compactLocked() {
    Store to = store;
    Compaction.Result compacted;
    boolean done = false;
    try {
      compacted = Compaction.of(config, state, writing, to);
      done = true;
    } catch (IOException e) {
      throw new UncheckedIOException("the compaction failed: " + e, e);
    } finally {
      if (!done && to != null) {
        to.giveUp();
      }
    }
    long generation = to == null ? 0 : to.commit(compacted);
    state = compacted.state();
    return generation;
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
    verify(ProgressListener.NONE);
  }

  /**
   * The same, with progress: the stages are files, vectors, codes, structure.
   *
   * @throws java.util.concurrent.CancellationException when the listener wants no more
   */
  public void verify(ProgressListener progress) {
    Checks.present("progress", progress);
    exclusively(
        () -> {
          if (store != null) { // first: damage to a file is told as what it is
            store.verify(state, progress);
          }
          Progress structure = new Progress(progress, "structure");
          structure.at(0, 1);
          GraphCheck.check(state.graph);
          structure.at(1, 1);
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
