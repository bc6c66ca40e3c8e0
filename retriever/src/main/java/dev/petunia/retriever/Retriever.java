package dev.petunia.retriever;

import dev.petunia.core.CandidateSource;
import dev.petunia.core.Chunk;
import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.Embedder;
import dev.petunia.core.Embedding;
import dev.petunia.core.IndexClosedException;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.Readiness;
import dev.petunia.core.TextForm;
import dev.petunia.core.internal.Checks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The assembled engine: a directory with a vector index and a text index of the same chunks, and
 * what is known of near-duplicates among them.
 *
 * <p>{@link #commit} makes all of it durable in one moment: after a crash the directory opens at
 * the last commit, or at the one that was being made.
 *
 * <p>Safe for many threads: searches run beside each other and beside one writer; writers wait for
 * each other.
 */
public final class Retriever implements AutoCloseable {
  /** Chunks embedded and put at a time. */
  private static final int BATCH = 256;

  private final Path directory;
  private final RetrieverConfig config;
  private final Indexes indexes;
  private final EmbeddedSource source;
  private final Pipeline pipeline;
  private final FloorPipeline floors;
  private final @Nullable QueryLog log;
  private final ReentrantLock writing = new ReentrantLock();
  private volatile boolean closed;

  private Retriever(
      Path directory, RetrieverConfig config, Indexes indexes, @Nullable QueryLog log) {
    this.directory = directory;
    this.config = config;
    this.indexes = indexes;
    this.source = new EmbeddedSource(indexes.vectors, indexes.texts, config.rareTerms());
    this.pipeline = new Pipeline(config, source, indexes);
    this.floors = new FloorPipeline(config, source, indexes);
    this.log = log;
  }

  /**
   * Opens a directory at its last commit, for reading and writing; makes it when it is not there.
   *
   * <p>After a crash between two commits, and when chunks were put by a retriever without
   * near-duplicates, all chunks are checked for near-duplicates first: some 30,000 a second.
   *
   * @throws dev.petunia.core.IndexLockedException when another writer has it open
   * @throws CorruptIndexException when a file is damaged or the indexes don't belong together
   * @throws IllegalArgumentException when the index was made with another model, dimension or
   *     similarity
   * @throws java.io.UncheckedIOException when the directory can't be read or written
   */
  public static Retriever open(Path directory, RetrieverConfig config) {
    Checks.present("directory", directory);
    Checks.present("config", config);
    return over(directory, config, Indexes.open(directory, config));
  }

  /**
   * Opens the last commit of a directory for searches only; a writer may have it open. Changes
   * committed later are not seen.
   *
   * @throws IllegalArgumentException when there is no committed index, or it was made with another
   *     model
   */
  public static Retriever openReadOnly(Path directory, RetrieverConfig config) {
    Checks.present("directory", directory);
    Checks.present("config", config);
    return over(directory, config, Indexes.openReadOnly(directory, config));
  }

  private static Retriever over(Path directory, RetrieverConfig config, Indexes indexes) {
    try {
      QueryLog log = config.queryLog().map(QueryLog::open).orElse(null);
      return new Retriever(directory, config, indexes, log);
    } catch (Throwable t) {
      Indexes.closeAll(t, indexes);
      throw t;
    }
  }

  private void open() {
    if (closed) {
      throw new IndexClosedException("the retriever of " + directory);
    }
  }

  /** Number of chunks. */
  public int size() {
    open();
    return indexes.vectors.size();
  }

  /** The chunk of an id. */
  public Optional<Chunk> get(String id) {
    open();
    return Optional.ofNullable(indexes.texts.get(id));
  }

  /** The chunks of an entry, by ordinal. */
  public List<Chunk> entry(String entryId) {
    open();
    return indexes.texts.entry(entryId);
  }

  /** What is known of near-duplicates; empty when the retriever was opened without. */
  public Optional<NearDuplicates> nearDuplicates() {
    open();
    return indexes
        .duplicates
        .index()
        .map(i -> new NearDuplicates(i, indexes.duplicates, config.promotionPolicy()));
  }

  /**
   * How many chunks a question found without shingles, or with shingles of another version. They
   * counted as not similar; {@link #put}, {@link #ingest} and {@link #commit} make them anew.
   */
  public int staleShingles() {
    open();
    return indexes.shingles.due();
  }

  /** The indexes as a source of candidates, for pipelines of the caller's own. */
  public CandidateSource source() {
    open();
    return source;
  }

  /**
   * Embeds chunks and puts them into both indexes; a chunk whose id is here replaces that one.
   * Visible to searches as it goes, durable at the next {@link #commit}.
   *
   * @param chunks taken once, in batches, so they need not fit into memory
   * @param progress hears the chunks done; when it cancels, {@link CancellationException} is thrown
   *     and the batches put so far stay, uncommitted
   * @param total how many there will be, for the progress; −1 when not known
   * @throws IllegalArgumentException when a chunk is bad or an id comes twice within 256 chunks in
   *     a row; the batches before it stay, uncommitted
   */
  public IngestReport ingest(Iterator<Chunk> chunks, ProgressListener progress, long total) {
    open();
    Checks.present("chunks", chunks);
    Checks.present("progress", progress);
    Embedder embedder =
        config
            .embedder()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "the retriever has no embedder; put chunks with their vectors instead"));
    long began = System.nanoTime();
    long tokens = 0;
    int count = 0;
    int replaced = 0;
    IngestReport.Duplicates found = IngestReport.Duplicates.NONE;
    List<String> truncated = new ArrayList<>();
    while (chunks.hasNext()) {
      List<Chunk> batch = new ArrayList<>(BATCH);
      while (batch.size() < BATCH && chunks.hasNext()) {
        batch.add(Checks.present("chunk", chunks.next()));
      }
      List<Embedding> embeddings =
          embedder.embed(batch.stream().map(Chunk::text).toList(), TextForm.DOCUMENT);
      List<VectorChunk> put = new ArrayList<>(batch.size());
      for (int i = 0; i < batch.size(); i++) {
        Embedding e = embeddings.get(i);
        tokens += e.tokens();
        if (e.truncated()) {
          truncated.add(batch.get(i).id());
        }
        put.add(new VectorChunk(batch.get(i), e.vector()));
      }
      Indexes.Put done = indexed(put);
      replaced += done.replaced();
      found = found.plus(done.runs());
      count += batch.size();
      if (!progress.onProgress("chunks", count, total)) {
        throw new CancellationException(
            "cancelled; " + count + " chunks are in the index and not committed");
      }
    }
    return new IngestReport(
        count, replaced, tokens, truncated, found, Duration.ofNanos(System.nanoTime() - began));
  }

  /**
   * Puts chunks with their vectors into both indexes; a chunk whose id is here replaces that one.
   * All are checked first: a bad one changes nothing.
   *
   * @return how many had an id that was here
   */
  public int put(Collection<VectorChunk> chunks) {
    open();
    return indexed(Checks.present("chunks", chunks)).replaced();
  }

  private Indexes.Put indexed(Collection<VectorChunk> chunks) {
    writing.lock();
    try {
      open();
      return indexes.put(chunks);
    } finally {
      writing.unlock();
    }
  }

  /** Removes chunks; how many of the ids were here. */
  public int delete(Collection<String> ids) {
    open();
    Set<String> distinct = new HashSet<>();
    for (String id : Checks.present("ids", ids)) {
      distinct.add(Checks.id("id", id));
    }
    writing.lock();
    try {
      open();
      return indexes.delete(distinct);
    } finally {
      writing.unlock();
    }
  }

  /** Removes all chunks of an entry; how many those were. */
  public int deleteEntry(String entryId) {
    return delete(entry(entryId).stream().map(Chunk::id).toList());
  }

  /** Makes all changes so far durable, in one moment; see the class. */
  public void commit() {
    open();
    writing.lock();
    try {
      open();
      indexes.commit();
    } finally {
      writing.unlock();
    }
  }

  /**
   * Answers a question.
   *
   * @throws IllegalArgumentException when the request does not fit the index
   * @throws IllegalStateException when the request needs a vector and the retriever has no embedder
   */
  public RetrievalResult search(RetrievalRequest request) {
    open();
    return pipeline.search(Checks.present("request", request));
  }

  /**
   * Answers a question with a floor: candidates of all channels, fused, scored by the cross-encoder
   * until the deadline. What could not be done is said in {@link Floor#shortfalls}; see
   * docs/floor.md.
   *
   * @throws IllegalArgumentException when the request does not fit the index
   * @throws StageUnavailableException when a stage that the request requires did nothing
   */
  public Floor ask(FloorRequest request) {
    open();
    Floor floor = floors.ask(Checks.present("request", request));
    return log == null ? floor : log.append(request, config, floor);
  }

  /** Which models can be used now: the embedder, which is ready, and the cross-encoder. */
  public Readiness readiness() {
    List<Readiness.Model> models = new ArrayList<>();
    config
        .embedder()
        .ifPresent(
            e ->
                models.add(
                    new Readiness.Model(
                        e.modelId(), Readiness.State.READY, Optional.empty(), Optional.empty())));
    config.reranker().ifPresent(r -> models.addAll(r.readiness().models()));
    List<Readiness.Model> copy = List.copyOf(models);
    return () -> copy;
  }

  /** Checks all indexes wholly, and that they have the same chunks. */
  public void verify() {
    writing.lock();
    try {
      open();
      indexes.verify();
    } finally {
      writing.unlock();
    }
  }

  /** Closes the indexes without committing, the embedder, the cross-encoder and the log. */
  @Override
  public void close() {
    writing.lock();
    try {
      if (!closed) {
        closed = true;
        Indexes.closeAll(
            null, indexes, config.embedder().orElse(null), config.reranker().orElse(null), log);
      }
    } finally {
      writing.unlock();
    }
  }
}
