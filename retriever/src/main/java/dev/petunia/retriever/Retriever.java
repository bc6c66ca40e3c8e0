package dev.petunia.retriever;

import dev.petunia.core.CandidateSource;
import dev.petunia.core.Chunk;
import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.Embedder;
import dev.petunia.core.Embedding;
import dev.petunia.core.IndexClosedException;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.Readiness;
import dev.petunia.core.Reranker;
import dev.petunia.core.TextForm;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.internal.Checks;
import dev.petunia.hnsw.HnswConfig;
import dev.petunia.hnsw.HnswIndex;
import dev.petunia.lexical.LexicalIndex;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The assembled engine: a directory with a vector index and a text index of the same chunks.
 *
 * <p>One commit point: the text index's commit names the vector index's commit that belongs to it.
 * {@link #commit} writes the vectors' first (the one before is kept), then the texts'. A crash
 * between the two leaves the text index at its old commit, which names the vectors' old commit;
 * opening goes by that and discards the newer one. So both are always of one moment.
 *
 * <p>Safe for many threads: searches run beside each other and beside one writer; writers wait for
 * each other.
 */
public final class Retriever implements AutoCloseable {
  /** Keys of the text index's commit data. */
  private static final String GENERATION = "petunia.vectors.generation";

  private static final String MODEL = "petunia.model";
  private static final String NO_MODEL = "vectors brought by the caller";

  /** Chunks embedded and put at a time. */
  private static final int BATCH = 256;

  private final Path directory;
  private final RetrieverConfig config;
  private final LexicalIndex texts;
  private final HnswIndex vectors;
  private final EmbeddedSource source;
  private final Pipeline pipeline;
  private final FloorPipeline floors;
  private final @Nullable QueryLog log;
  private final ReentrantLock writing = new ReentrantLock();

  /** A change reached one index and perhaps not the other; only ever true when it failed. */
  private boolean halfWay;

  private volatile boolean closed;

  private Retriever(
      Path directory,
      RetrieverConfig config,
      LexicalIndex texts,
      HnswIndex vectors,
      @Nullable QueryLog log) {
    this.directory = directory;
    this.config = config;
    this.texts = texts;
    this.vectors = vectors;
    this.source = new EmbeddedSource(vectors, texts, config.rareTerms());
    this.pipeline = new Pipeline(config, source, vectors);
    this.floors = new FloorPipeline(config, source, vectors, texts);
    this.log = log;
  }

  /**
   * Opens a directory at its last commit, for reading and writing; makes it when it is not there.
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
    LexicalIndex texts = LexicalIndex.open(directory.resolve("texts"), config.lexical());
    try {
      Map<String, String> data = texts.committedUserData();
      requireModel(directory, config, data);
      long generation = generation(directory, data);
      HnswIndex vectors =
          HnswIndex.open(directory.resolve("vectors"), vectorConfig(config, texts), generation);
      return paired(directory, config, texts, vectors);
    } catch (Throwable t) {
      texts.close();
      throw t;
    }
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
    for (int attempt = 0; ; attempt++) {
      LexicalIndex texts = LexicalIndex.openReadOnly(directory.resolve("texts"), config.lexical());
      try {
        Map<String, String> data = texts.committedUserData();
        requireModel(directory, config, data);
        long generation = generation(directory, data);
        if (generation == 0) {
          throw Checks.bad("directory", directory, "a directory with a committed index");
        }
        HnswIndex vectors =
            HnswIndex.openReadOnly(
                directory.resolve("vectors"), vectorConfig(config, texts), generation);
        return paired(directory, config, texts, vectors);
      } catch (CorruptIndexException e) {
        texts.close();
        // the writer may have committed twice since the text index was read, and the vectors that
        // belong to it are gone: read again
        if (attempt == 10) {
          throw e;
        }
      } catch (Throwable t) {
        texts.close();
        throw t;
      }
    }
  }

  private static Retriever paired(
      Path directory, RetrieverConfig config, LexicalIndex texts, HnswIndex vectors) {
    if (vectors.size() != texts.size()) {
      int count = vectors.size();
      vectors.close();
      throw new CorruptIndexException(
          directory,
          -1,
          count + " vectors and " + texts.size() + " texts, which should be as many");
    }
    try {
      QueryLog log = config.queryLog().map(QueryLog::open).orElse(null);
      return new Retriever(directory, config, texts, vectors, log);
    } catch (Throwable t) {
      vectors.close();
      throw t;
    }
  }

  private static HnswConfig vectorConfig(RetrieverConfig config, LexicalIndex texts) {
    return config.vectors().toBuilder().filterCompiler(texts).build();
  }

  private static String model(RetrieverConfig config) {
    return config.embedder().map(Embedder::modelId).orElse(NO_MODEL);
  }

  private static void requireModel(
      Path directory, RetrieverConfig config, Map<String, String> data) {
    String stored = data.get(MODEL);
    if (stored != null && !stored.equals(model(config))) {
      throw Checks.bad(
          "embedder", model(config), stored + ", as the index in " + directory + " has");
    }
  }

  private static long generation(Path directory, Map<String, String> data) {
    String value = data.get(GENERATION);
    if (value == null) {
      return 0;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new CorruptIndexException(
          directory, -1, "the text index names vector generation \"" + value + "\"", e);
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
    return vectors.size();
  }

  /** The chunk of an id. */
  public Optional<Chunk> get(String id) {
    open();
    return Optional.ofNullable(texts.get(id));
  }

  /** The chunks of an entry, by ordinal. */
  public List<Chunk> entry(String entryId) {
    open();
    return texts.entry(entryId);
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
      replaced += put(put);
      count += batch.size();
      if (!progress.onProgress("chunks", count, total)) {
        throw new CancellationException(
            "cancelled; " + count + " chunks are in the index and not committed");
      }
    }
    return new IngestReport(
        count, replaced, tokens, truncated, Duration.ofNanos(System.nanoTime() - began));
  }

  /**
   * Puts chunks with their vectors into both indexes; a chunk whose id is here replaces that one.
   * All are checked first: a bad one changes nothing.
   *
   * @return how many had an id that was here
   */
  public int put(Collection<VectorChunk> chunks) {
    open();
    List<Chunk> all = new ArrayList<>();
    List<VectorEntry> entries = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (VectorChunk c : Checks.present("chunks", chunks)) {
      if (!ids.add(Checks.present("chunk", c).chunk().id())) {
        throw Checks.bad("id", c.chunk().id(), "each id once in a batch");
      }
      all.add(c.chunk());
      entries.add(new VectorEntry(c.chunk().id(), c.vector()));
    }
    writing.lock();
    try {
      open();
      vectors.requireValid(entries);
      int replaced = 0;
      for (Chunk c : all) {
        replaced += vectors.contains(c.id()) ? 1 : 0;
      }
      halfWay = true;
      // texts first: whoever finds the vector finds the text
      texts.upsert(all);
      vectors.upsertAll(entries, ProgressListener.NONE);
      halfWay = false;
      return replaced;
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
      int deleted = 0;
      halfWay = true;
      for (String id : distinct) {
        deleted += vectors.delete(id) ? 1 : 0;
      }
      texts.delete(distinct);
      halfWay = false;
      return deleted;
    } finally {
      writing.unlock();
    }
  }

  /** Removes all chunks of an entry; how many those were. */
  public int deleteEntry(String entryId) {
    return delete(entry(entryId).stream().map(Chunk::id).toList());
  }

  /** Makes all changes so far durable, in both indexes as one; see the class. */
  public void commit() {
    open();
    writing.lock();
    try {
      open();
      if (halfWay) {
        throw new IllegalStateException(
            "an earlier change failed between the two indexes; close and reopen the last commit");
      }
      long generation = vectors.commit();
      texts.commit(Map.of(GENERATION, Long.toString(generation), MODEL, model(config)));
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

  /** Checks both indexes wholly; see {@link HnswIndex#verify}. */
  public void verify() {
    writing.lock();
    try {
      open();
      vectors.verify();
      texts.verify();
      try (var ids = texts.ids()) {
        ids.forEach(
            id -> {
              if (!vectors.contains(id)) {
                throw new IllegalStateException("chunk \"" + id + "\" has a text and no vector");
              }
            });
      }
    } finally {
      writing.unlock();
    }
  }

  /** Closes both indexes without committing, the embedder, the cross-encoder and the log. */
  @Override
  public void close() {
    writing.lock();
    try {
      if (!closed) {
        closed = true;
        QueryLog open = log;
        closeAll(
            vectors::close,
            texts::close,
            () -> config.embedder().ifPresent(Embedder::close),
            () -> config.reranker().ifPresent(Reranker::close),
            open == null ? () -> {} : open::close);
      }
    } finally {
      writing.unlock();
    }
  }

  /**
   * Closes all though one fails: the others would keep their locks. The first failure is thrown.
   */
  private static void closeAll(Runnable... all) {
    RuntimeException failure = null;
    for (Runnable close : all) {
      try {
        close.run();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
