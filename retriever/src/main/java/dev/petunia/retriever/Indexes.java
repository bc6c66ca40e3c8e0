package dev.petunia.retriever;

import dev.petunia.core.Chunk;
import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.Embedder;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.internal.Checks;
import dev.petunia.dedup.RunReport;
import dev.petunia.hnsw.HnswConfig;
import dev.petunia.hnsw.HnswIndex;
import dev.petunia.lexical.LexicalIndex;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The three indexes of a directory, with one commit point: that of the texts.
 *
 * <pre>
 *   texts/       the last commit names the commits of the others that belong to it
 *   vectors/     by their generation; the one before is kept, so a newer one is discarded
 *   duplicates/  by a mark; at another mark, it is brought up to the texts
 * </pre>
 *
 * <p>A commit writes the vectors, the near-duplicates, then the texts. A crash between them leaves
 * the texts at their old commit, and opening goes by that. Readers need no care; writers come one
 * at a time.
 */
final class Indexes implements AutoCloseable {
  /** Keys of the text index's commit data. */
  private static final String GENERATION = "petunia.vectors.generation";

  private static final String MODEL = "petunia.model";
  private static final String MARK = "petunia.duplicates.mark";

  /** So often a reader that met a writer between its commits tries again, and so long it waits. */
  private static final int ATTEMPTS = 10;

  private static final Duration PAUSE = Duration.ofMillis(20);

  private static final String NO_MODEL = "vectors brought by the caller";

  final LexicalIndex texts;
  final HnswIndex vectors;
  final Duplicates duplicates;
  final Shingles shingles;
  private final RetrieverConfig config;
  private final boolean isReadOnly;

  /** A change reached one index and perhaps not the others; only ever true when it failed. */
  private boolean halfWay;

  private Indexes(
      RetrieverConfig config,
      LexicalIndex texts,
      HnswIndex vectors,
      Duplicates duplicates,
      boolean isReadOnly) {
    this.config = config;
    this.isReadOnly = isReadOnly;
    this.texts = texts;
    this.vectors = vectors;
    this.duplicates = duplicates;
    this.shingles = new Shingles(texts, texts::get);
  }

  /** What a change did. */
  record Put(int replaced, List<RunReport> runs) {}

  static Indexes open(Path directory, RetrieverConfig config) {
    LexicalIndex texts = LexicalIndex.open(directory.resolve("texts"), config.lexical());
    HnswIndex vectors = null;
    Duplicates duplicates = null;
    try {
      Map<String, String> data = texts.committedUserData();
      requireModel(directory, config, data);
      long generation = number(directory, data, GENERATION).orElse(0L);
      vectors =
          HnswIndex.open(directory.resolve("vectors"), vectorConfig(config, texts), generation);
      requireAsMany(directory, vectors, texts);
      duplicates = Duplicates.open(directory.resolve("duplicates"), config, texts);
      Indexes indexes = new Indexes(config, texts, vectors, duplicates, false);
      Optional<Long> mark = duplicates.mark();
      Optional<Long> expected =
          generation == 0 ? Optional.of(0L) : number(directory, data, MARK); // 0: of a new one
      if (mark.isPresent() && !mark.equals(expected)) {
        System.getLogger("dev.petunia.retriever")
            .log(
                System.Logger.Level.INFO,
                "checking the {0} chunks of {1} for near-duplicates",
                texts.size(),
                directory);
        duplicates.catchUp(indexes.shingles, ProgressListener.NONE);
        if (generation > 0) {
          indexes.commit();
        }
      }
      return indexes;
    } catch (Throwable t) {
      closeAll(t, duplicates, vectors, texts);
      throw t;
    }
  }

  static Indexes openReadOnly(Path directory, RetrieverConfig config) {
    for (int attempt = 0; ; attempt++) {
      LexicalIndex texts = LexicalIndex.openReadOnly(directory.resolve("texts"), config.lexical());
      HnswIndex vectors = null;
      Duplicates duplicates = null;
      try {
        Map<String, String> data = texts.committedUserData();
        requireModel(directory, config, data);
        long generation = number(directory, data, GENERATION).orElse(0L);
        if (generation == 0) {
          throw Checks.bad("directory", directory, "a directory with a committed index");
        }
        vectors =
            HnswIndex.openReadOnly(
                directory.resolve("vectors"), vectorConfig(config, texts), generation);
        requireAsMany(directory, vectors, texts);
        duplicates = Duplicates.openReadOnly(directory.resolve("duplicates"), config, texts);
        Optional<Long> mark = duplicates.mark();
        Optional<Long> expected = number(directory, data, MARK);
        if (config.nearDuplicates().isPresent() && (mark.isEmpty() || !mark.equals(expected))) {
          if (attempt < ATTEMPTS && mark.isPresent() && expected.isPresent()) {
            // a writer is between its commits, or was killed there
            closeAll(null, duplicates, vectors, texts);
            Thread.sleep(PAUSE);
            continue;
          }
          duplicates.close();
          duplicates = Duplicates.none(config, texts);
          System.getLogger("dev.petunia.retriever")
              .log(System.Logger.Level.WARNING, "{0}: {1}", directory, Duplicates.NOT_OF_THIS);
        }
        return new Indexes(config, texts, vectors, duplicates, true);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while opening " + directory, e);
      } catch (CorruptIndexException e) {
        closeAll(e, duplicates, vectors, texts);
        // the writer may have committed twice since the text index was read, and the vectors that
        // belong to it are gone: read again
        if (attempt == ATTEMPTS) {
          throw e;
        }
      } catch (Throwable t) {
        closeAll(t, duplicates, vectors, texts);
        throw t;
      }
    }
  }

  private static void requireAsMany(Path directory, HnswIndex vectors, LexicalIndex texts) {
    if (vectors.size() != texts.size()) {
      throw new CorruptIndexException(
          directory,
          -1,
          vectors.size() + " vectors and " + texts.size() + " texts, which should be as many");
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

  private static Optional<Long> number(Path directory, Map<String, String> data, String key) {
    String value = data.get(key);
    if (value == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.parseLong(value));
    } catch (NumberFormatException e) {
      throw new CorruptIndexException(
          directory, -1, "the text index's " + key + " is \"" + value + "\"", e);
    }
  }

  private void requireWritable() {
    if (isReadOnly) {
      throw new IllegalStateException("the retriever was opened for reading only");
    }
  }

  /** Puts chunks; all are checked first. */
  Put put(Collection<VectorChunk> chunks) {
    requireWritable();
    List<Chunk> all = new ArrayList<>();
    List<VectorEntry> entries = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (VectorChunk c : chunks) {
      if (!ids.add(Checks.present("chunk", c).chunk().id())) {
        throw Checks.bad("id", c.chunk().id(), "each id once in a batch");
      }
      all.add(c.chunk());
      entries.add(new VectorEntry(c.chunk().id(), c.vector()));
    }
    vectors.requireValid(entries);
    int replaced = 0;
    for (String id : ids) {
      replaced += vectors.contains(id) ? 1 : 0;
    }
    halfWay = true;
    List<RunReport> runs = duplicates.check(all);
    // texts before vectors: whoever finds the vector finds the text
    texts.upsert(all, Shingles.SIGNAL, shingles.signals(all));
    vectors.upsertAll(entries, ProgressListener.NONE);
    shingles.renew();
    halfWay = false;
    return new Put(replaced, runs);
  }

  /** Removes chunks; how many were here. */
  int delete(Set<String> ids) {
    requireWritable();
    int deleted = 0;
    halfWay = true;
    // near-duplicates before texts: what is known as one has a text, which a policy may look at;
    // and what is found but known no more is left out of answers
    duplicates.remove(ids);
    for (String id : ids) {
      deleted += vectors.delete(id) ? 1 : 0;
    }
    texts.delete(ids);
    halfWay = false;
    return deleted;
  }

  void commit() {
    requireWritable();
    if (halfWay) {
      throw new IllegalStateException(
          "an earlier change or commit failed between the indexes; close and reopen the last"
              + " commit");
    }
    shingles.renew();
    Map<String, String> data = new HashMap<>();
    data.put(MODEL, model(config));
    data.put(GENERATION, Long.toString(vectors.commit()));
    // the vectors keep two commits: another try would drop the one that the texts still name
    halfWay = true;
    if (duplicates.index().isPresent()) {
      // another number each time: a commit whose texts never came must not be taken for this one
      long mark = UUID.randomUUID().getMostSignificantBits();
      duplicates.commit(mark);
      data.put(MARK, Long.toString(mark));
    }
    texts.commit(data);
    halfWay = false;
  }

  /** Checks all of them wholly, and that they have the same chunks. */
  void verify() {
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
    duplicates.verify();
  }

  @Override
  public void close() {
    closeAll(null, duplicates, vectors, texts);
  }

  /**
   * Closes all though one fails: the others would keep their locks.
   *
   * @param failure that this is about, to which others are added; null: the first one is thrown
   */
  static void closeAll(@Nullable Throwable failure, @Nullable AutoCloseable... all) {
    Throwable first = failure;
    for (AutoCloseable one : all) {
      try {
        if (one != null) {
          one.close();
        }
      } catch (Exception e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (failure == null && first != null) {
      throw first instanceof RuntimeException r ? r : new IllegalStateException(first);
    }
  }
}
