package dev.petunia.lexical;

import dev.petunia.core.IndexClosedException;
import dev.petunia.core.internal.Checks;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Lucene's writer and searchers, their life and their failures.
 *
 * <p>Concurrency:
 *
 * <ol>
 *   <li>Every operation holds {@code life} for reading; {@link #rollback} and {@link #close} hold
 *       it for writing, so they wait for running operations, and no operation sees them half done.
 *   <li>A change is handed to the writer, and then {@code changes} is counted up. A search that
 *       finds {@code changes} above {@code seen} refreshes first. So a change is visible to every
 *       search that begins after it has returned, and changes without a search cost no refresh.
 *   <li>A searcher is counted up while it is used, so that a refresh beside it closes nothing it
 *       reads.
 * </ol>
 */
final class Store implements AutoCloseable {
  /**
   * Held from opening to closing. Lucene's own lock is let go for a moment when a rollback opens
   * the writer anew; this one is not.
   */
  private static final String LOCK = "petunia-lexical.lock";

  /** A change to the index. */
  @FunctionalInterface
  interface Write {
    void to(IndexWriter writer) throws IOException;
  }

  /** A change that follows from a snapshot. */
  @FunctionalInterface
  interface Rewrite {
    void to(ChunkSearcher searcher, IndexWriter writer) throws IOException;
  }

  /** A read of one snapshot. */
  @FunctionalInterface
  interface Read<T> {
    T from(ChunkSearcher searcher) throws IOException;
  }

  private final Place place;
  private final LexicalConfig config;
  private final org.apache.lucene.store.@Nullable Lock lock;
  private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();
  private final Object commitLock = new Object();
  private final Object refreshLock = new Object();
  private final AtomicLong changes = new AtomicLong();
  private volatile long seen;
  private final SegmentIds.Cache segmentIds = new SegmentIds.Cache();
  private @Nullable IndexWriter writer;
  private volatile @Nullable SearcherManager searchers;
  private volatile Map<String, String> userData = Map.of();
  private boolean closed;

  private Store(Place place, LexicalConfig config, org.apache.lucene.store.@Nullable Lock lock) {
    this.place = place;
    this.config = config;
    this.lock = lock;
  }

  static Store openForWriting(Place place, LexicalConfig config) {
    return place.guard(
        "opening",
        () -> {
          Store store = new Store(place, config, place.directory().obtainLock(LOCK));
          try {
            store.start();
          } catch (IOException | RuntimeException | Error e) {
            store.abandon(e);
            throw e;
          }
          return store;
        });
  }

  static Store openReadOnly(Place place, LexicalConfig config) {
    return place.guard(
        "opening",
        () -> {
          Store store = new Store(place, config, null);
          try {
            store.openSearchers();
          } catch (IOException | RuntimeException | Error e) {
            store.abandon(e);
            throw e;
          }
          return store;
        });
  }

  /** The analysis that an index was written with; the default where there is no commit. */
  static TextAnalysis storedAnalysis(Place place) {
    return place.guard(
        "opening",
        () -> {
          if (!DirectoryReader.indexExists(place.directory())) {
            return TextAnalysis.english();
          }
          String name = readCommit(place).analysis();
          return TextAnalysis.builtIn(name)
              .orElseThrow(
                  () ->
                      Checks.bad(
                          "analysis of the index in " + place.path(),
                          name,
                          "a built-in one; open it with a config that has this analysis"));
        });
  }

  private void start() throws IOException {
    boolean committed = DirectoryReader.indexExists(place.directory());
    userData = committed ? readCommit(place).require(config.analysis(), place).user() : Map.of();
    IndexWriterConfig c =
        new IndexWriterConfig(config.analysis().indexAnalyzer())
            .setOpenMode(IndexWriterConfig.OpenMode.CREATE_OR_APPEND)
            .setCommitOnClose(false)
            .setRAMBufferSizeMB(config.ramBufferMegabytes());
    writer = new IndexWriter(place.directory(), c);
    searchers = new SearcherManager(writer, new Factory());
  }

  private static CommitData readCommit(Place place) throws IOException {
    return CommitData.fromLucene(
        place, SegmentInfos.readLatestCommit(place.directory()).getUserData());
  }

  /** For reading only; leaves {@code searchers} null where there is no commit yet. */
  private void openSearchers() throws IOException {
    if (!DirectoryReader.indexExists(place.directory())) {
      return;
    }
    SearcherManager opened = new SearcherManager(place.directory(), new Factory());
    try {
      readUserData(opened);
    } catch (IOException | RuntimeException | Error e) {
      opened.close();
      throw e;
    }
    searchers = opened;
  }

  private void readUserData(SearcherManager manager) throws IOException {
    IndexSearcher searcher = manager.acquire();
    try {
      DirectoryReader reader = (DirectoryReader) searcher.getIndexReader();
      userData =
          CommitData.fromLucene(place, reader.getIndexCommit().getUserData())
              .require(config.analysis(), place)
              .user();
    } finally {
      manager.release(searcher);
    }
  }

  private final class Factory extends SearcherFactory {
    @Override
    public IndexSearcher newSearcher(IndexReader reader, @Nullable IndexReader previous) {
      return new ChunkSearcher(reader, config, segmentIds);
    }
  }

  boolean isReadOnly() {
    return lock == null;
  }

  LexicalConfig config() {
    return config;
  }

  private void checkOpen() {
    if (closed) {
      throw new IndexClosedException("the lexical index in " + place.path());
    }
  }

  private IndexWriter writer() {
    if (writer == null) {
      throw new UnsupportedOperationException(
          "the lexical index in " + place.path() + " is open for reading only");
    }
    return writer;
  }

  private <T> T whileOpen(String doing, Failures.IoCall<T> call) {
    Lock alive = life.readLock();
    alive.lock();
    try {
      checkOpen();
      return place.guard(doing, call);
    } finally {
      alive.unlock();
    }
  }

  void write(String doing, Write change) {
    whileOpen(
        doing,
        () -> {
          try {
            change.to(writer());
          } finally {
            changes.incrementAndGet(); // part of a failed batch may have been applied
          }
          return true;
        });
  }

  <T> T read(String doing, Read<T> read) {
    return whileOpen(
        doing,
        () -> {
          ChunkSearcher searcher = acquire();
          try {
            return read.from(searcher);
          } finally {
            release(searcher);
          }
        });
  }

  /** A change that depends on what it reads: alone, so that no other comes between. */
  void rewrite(String doing, Rewrite change) {
    Lock alone = life.writeLock();
    alone.lock();
    try {
      read(
          doing,
          searcher -> {
            write(doing, writer -> change.to(searcher, writer));
            return true;
          });
    } finally {
      alone.unlock();
    }
  }

  /** A stream over one snapshot, which it keeps until it is closed. */
  <T> Stream<T> stream(Read<ChunkIteration.Source<T>> source) {
    return whileOpen(
        "reading",
        () -> {
          ChunkSearcher searcher = acquire();
          try {
            return ChunkIteration.stream(source.from(searcher), place)
                .onClose(() -> place.run("closing a stream", () -> release(searcher)));
          } catch (IOException | RuntimeException | Error e) {
            release(searcher);
            throw e;
          }
        });
  }

  private ChunkSearcher acquire() throws IOException {
    SearcherManager manager = searchers;
    if (manager == null) {
      return new ChunkSearcher(new MultiReader(), config, segmentIds);
    }
    if (seen < changes.get()) {
      synchronized (refreshLock) {
        long now = changes.get(); // before the refresh: a later change is a later refresh's
        if (seen < now) {
          manager.maybeRefreshBlocking();
          seen = now;
        }
      }
    }
    return (ChunkSearcher) manager.acquire();
  }

  private static void release(ChunkSearcher searcher) throws IOException {
    searcher.getIndexReader().decRef();
  }

  /** Makes all changes so far durable, and the data with them, in one step. */
  void commit(Map<String, String> data) {
    CommitData commit = CommitData.of(config.analysis(), data);
    whileOpen(
        "committing",
        () -> {
          IndexWriter w = writer();
          synchronized (commitLock) {
            w.setLiveCommitData(commit.toLucene().entrySet());
            w.commit();
            userData = commit.user();
          }
          return true;
        });
  }

  Map<String, String> committedUserData() {
    return whileOpen("reading", () -> userData);
  }

  boolean hasUncommittedChanges() {
    return whileOpen("reading", () -> !isReadOnly() && writer().hasUncommittedChanges());
  }

  /** Goes to the newest commit of the writer elsewhere; true when there was a newer one. */
  boolean refresh() {
    // a writer's own changes are seen anyway
    return whileOpen("refreshing", () -> isReadOnly() && refreshReadOnly());
  }

  private boolean refreshReadOnly() throws IOException {
    synchronized (refreshLock) {
      SearcherManager manager = searchers;
      if (manager == null) {
        openSearchers();
        return searchers != null;
      }
      boolean newer = isOutdated(manager);
      if (newer) {
        manager.maybeRefreshBlocking();
        readUserData(manager);
      }
      return newer;
    }
  }

  private static boolean isOutdated(SearcherManager manager) throws IOException {
    IndexSearcher searcher = manager.acquire();
    try {
      return !((DirectoryReader) searcher.getIndexReader()).isCurrent();
    } finally {
      manager.release(searcher);
    }
  }

  /** Drops all changes since the last commit. */
  void rollback() {
    life.writeLock().lock();
    try {
      checkOpen();
      IndexWriter w = writer();
      place.run(
          "rolling back",
          () -> {
            try {
              closeSearchers();
              w.rollback();
              writer = null;
              start();
              changes.incrementAndGet();
            } catch (IOException | RuntimeException | Error e) {
              abandon(e);
              throw e;
            }
          });
    } finally {
      life.writeLock().unlock();
    }
  }

  /** Reads all files and compares their checksums. */
  void verify() {
    read(
        "verifying",
        searcher -> {
          for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
            ((CodecReader) leaf.reader()).checkIntegrity();
          }
          return true;
        });
  }

  private void closeSearchers() throws IOException {
    SearcherManager manager = searchers;
    searchers = null;
    if (manager != null) {
      manager.close();
    }
  }

  /** Drops uncommitted changes. A second call does nothing. */
  @Override
  public void close() {
    life.writeLock().lock();
    try {
      if (!closed) {
        place.run("closing", this::closeAll);
      }
    } finally {
      life.writeLock().unlock();
    }
  }

  /** Closes after a failure, which it does not hide. */
  private void abandon(Throwable failure) {
    try {
      closeAll();
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private void closeAll() throws IOException {
    closed = true;
    IndexWriter w = writer;
    SearcherManager s = searchers;
    writer = null;
    searchers = null;
    IOUtils.close(s, w == null ? null : w::rollback, lock, place.directory());
  }
}
