package dev.petunia.dedup;

import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.internal.Checks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds near-duplicates among chunks as they are ingested, and keeps what it found as data.
 *
 * <p>Each new text is compared with all that are there: equal raw texts by SHA-256, equal shingle
 * sets by content, and similar ones by MinHash bands and exact Jaccard. A pair with J ≥ 0.9 is an
 * edge; pairs from 0.8 on are counted in the run's report. Connected chunks are a cluster, the
 * first ingested is its canonical member. No finding deletes anything: {@link #view} only says what
 * a policy would leave out.
 *
 * <p>Results depend on the texts and the order of ingest only, not on threads, batches or commits.
 * A pair that shares no band is missed: expected recall is 0.99999 at J = 0.9 with 18 × 7.
 *
 * <p>Safe for use by many threads: readers run together, a writer alone. What was not committed is
 * lost when the index is closed.
 *
 * <p>Ids, sequence numbers, hashes and counts of tokens are on the heap: 265 to 321 bytes a chunk
 * with an id of 12 letters when they come in batches, 346 when they come one by one, 195 when each
 * text comes four times, and 34 a distinct token. Shingles and band keys are mapped once committed.
 */
public final class DedupIndex implements AutoCloseable {
  private final Guard guard;
  private final State state = new State();
  private final Sets sets = new Sets(state);
  private final Lsh lsh;
  private final Records records;
  private final DedupConfig config;
  private final Crew crew;
  private final Edges edges;
  private final @Nullable Store store;

  private DedupIndex(@Nullable Path directory, DedupConfig config, boolean isReadOnly)
      throws IOException {
    this.config = Checks.present("config", config);
    guard = new Guard(isReadOnly);
    edges = new Edges(state, guard);
    lsh = new Lsh(state, sets, config.lsh(), config.hotBucket());
    records = new Records(directory != null && !isReadOnly);
    if (directory == null) {
      store = null;
    } else {
      store =
          isReadOnly
              ? Store.openReadOnly(directory, config.lsh(), state, sets, lsh)
              : Store.open(directory, config.lsh(), state, sets, lsh);
      state.relabelAll();
    }
    crew = new Crew(config.threads());
  }

  /** An index that lives as long as the object. */
  public static DedupIndex inMemory(DedupConfig config) {
    try {
      return new DedupIndex(null, config, false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Opens the index in a directory, which is made if need be, at its last commit.
   *
   * @throws dev.petunia.core.IndexLockedException when it is open elsewhere
   * @throws CorruptIndexException when a file is damaged
   * @throws IllegalArgumentException when it was made with other bands, rows or versions
   */
  public static DedupIndex open(Path directory, DedupConfig config) {
    try {
      return new DedupIndex(Checks.present("directory", directory), config, false);
    } catch (IOException e) {
      throw new UncheckedIOException(directory + " can't be opened: " + e, e);
    }
  }

  /** Whether a directory has a commit, which {@link #openReadOnly} could open. */
  public static boolean hasCommit(Path directory) {
    return CommitFile.exists(Checks.present("directory", directory));
  }

  /**
   * Opens the last commit of a directory for reading, beside a writer or alone. Later commits are
   * not seen; changes throw {@link UnsupportedOperationException}; {@link #verify} leaves the band
   * keys out.
   *
   * @throws CorruptIndexException when a file is damaged
   * @throws IllegalArgumentException when there is no commit, or it was made with other bands, rows
   *     or versions
   */
  public static DedupIndex openReadOnly(Path directory, DedupConfig config) {
    try {
      return new DedupIndex(Checks.present("directory", directory), config, true);
    } catch (IOException e) {
      throw new UncheckedIOException(directory + " can't be opened: " + e, e);
    }
  }

  /** As {@link #ingest(List, ProgressListener)}, without a listener. */
  public RunReport ingest(List<Document> documents) {
    return ingest(documents, ProgressListener.NONE);
  }

  /**
   * Adds texts and finds what they are near-duplicates of. An id that is there with the same raw
   * text stays as it is; with another text it is replaced, and comes later in the order of ingest.
   * A run in which nothing is new is not recorded.
   *
   * <p>When a listener throws, that goes on to the caller and what was done until then stays, as
   * when it cancels. After any other failure in the middle the index takes no more changes and no
   * commit: close it and open it again at its last commit.
   *
   * @param documents each id once; all or none with a sequence number, and these not below the next
   *     one of the index
   * @param progress told after each 4,096 new texts; when it cancels, those that are done stay
   * @throws CancellationException when cancelled
   */
  public RunReport ingest(List<Document> documents, ProgressListener progress) {
    List<Document> given = Checks.list("documents", documents);
    Checks.present("progress", progress);
    return guard.writing("ingest", () -> change().run(given, progress));
  }

  private Ingest change() {
    return new Ingest(state, sets, lsh, records, edges, config, crew, guard);
  }

  /** As {@link #remove(Collection)}, of one chunk. */
  public List<CanonicalChange> remove(String id) {
    return remove(List.of(Checks.present("id", id)));
  }

  /**
   * Takes chunks out of the index; their edges go with them, and what was found about a shingle set
   * holds for chunks that have the same. Their space is not freed. Many at once cost little more
   * than one: each cluster is looked at again once.
   *
   * @param ids unknown ones are left out
   * @return clusters that have another canonical member now
   */
  public List<CanonicalChange> remove(Collection<String> ids) {
    List<String> given = Checks.list("ids", new ArrayList<>(Checks.present("ids", ids)));
    return guard.writing("remove", () -> change().remove(given));
  }

  /** Whether the chunk is in the index. */
  public boolean contains(String id) {
    Checks.present("id", id);
    return guard.reading(() -> state.live.containsKey(id));
  }

  /** The chunk's shingles, for {@link Rescorer}; empty when the id is unknown. */
  public Optional<ShingleSet> shingles(String id) {
    Checks.present("id", id);
    return guard.reading(
        () -> {
          Integer d = state.live.get(id);
          if (d == null) {
            return Optional.empty();
          }
          return Optional.of(sets.shingles(state.groupOf.get(d)));
        });
  }

  /** The edges. */
  public EdgeStore edges() {
    return edges;
  }

  /** All clusters of two or more, by the place of their canonical member in the order of ingest. */
  public List<Cluster> clusters() {
    return guard.reading(() -> new Clusters(state, sets).all());
  }

  /** The cluster of a chunk; empty when it is alone or unknown. */
  public Optional<Cluster> clusterOf(String id) {
    Checks.present("id", id);
    return guard.reading(
        () -> {
          Integer d = state.live.get(id);
          return d == null || state.clusterSize(d) < 2
              ? Optional.empty()
              : Optional.of(new Clusters(state, sets).describe(state.canonical(d)));
        });
  }

  /** Which chunk stands for which. */
  public CanonicalMap canonicalMap() {
    return guard.reading(() -> new Clusters(state, sets).map());
  }

  /**
   * What a policy leaves out, of all chunks.
   *
   * @param texts for the differing tokens
   */
  public SuppressionView view(PromotionPolicy policy, TextSource texts) {
    Checks.present("policy", policy);
    Checks.present("texts", texts);
    return guard.reading(() -> new Views(state, sets, policy, texts).all());
  }

  /**
   * The places of some chunks, and what a policy leaves out of them; for callers that keep
   * decisions while a cluster does not change.
   *
   * @param texts for the differing tokens
   * @param isUndecided the decision about a chunk in this place is wanted
   */
  public Places places(
      Collection<String> ids,
      PromotionPolicy policy,
      TextSource texts,
      BiPredicate<String, Places.Membership> isUndecided) {
    Checks.present("ids", ids);
    Checks.present("policy", policy);
    Checks.present("texts", texts);
    Checks.present("isUndecided", isUndecided);
    return guard.reading(() -> new Views(state, sets, policy, texts).places(ids, isUndecided));
  }

  /**
   * Why two chunks are, or are not, near-duplicates.
   *
   * @throws IllegalArgumentException when one is not in the index, or its text is not known
   */
  public Explanation explain(String chunkA, String chunkB, TextSource texts) {
    Checks.present("texts", texts);
    return guard.reading(
        () -> Views.explain(state, sets, lsh, doc("chunkA", chunkA), doc("chunkB", chunkB), texts));
  }

  private int doc(String field, String id) {
    Integer d = state.live.get(Checks.id(field, id));
    if (d == null) {
      throw Checks.bad(field, id, "an id that is in the index");
    }
    return d;
  }

  /**
   * Keeps what a person said about two chunks. It holds for their present raw texts, also when
   * these are removed and come again, and the default policy follows it. A directory of another
   * normalizer version can't be opened, so it is not carried over to the next one.
   *
   * @param isSame whether one can stand for the other
   * @param note anything, such as who said it
   */
  public void judge(String chunkA, String chunkB, boolean isSame, String note) {
    Checks.wellFormed("note", note);
    guard.writing(
        "judge",
        () -> {
          int a = doc("chunkA", chunkA);
          int b = doc("chunkB", chunkB);
          if (a == b) {
            throw Checks.bad("chunkB", chunkB, "another id than chunkA");
          }
          return guard.changing(
              () -> {
                Verdict v = Verdict.of(state, a, b, isSame, note);
                state.addVerdict(v);
                records.verdict(v);
                state.touch(a, b);
                return v;
              });
        });
  }

  /** The last 100 runs, oldest first. */
  public List<RunReport> runs() {
    return guard.reading(state.runs::reports);
  }

  /** What the index holds. */
  public DedupStats stats() {
    return guard.reading(
        () ->
            new DedupStats(
                state.live.size(),
                state.removed.cardinality(),
                state.groups(),
                sets.length(),
                lsh.runs.size(),
                lsh.runs.stream().mapToLong(BandRun::bytes).sum(),
                lsh.table.size(),
                state.pairA.size(),
                state.runs.size()));
  }

  /**
   * Makes everything so far durable, all or nothing; does nothing for an index in memory. Others
   * read meanwhile. An interrupt waits until it is done. When it fails, such as for want of space,
   * it can be tried again, unless it failed in its last step, where only the directory knows
   * whether it is done: then the index must be closed and opened again.
   *
   * @throws UncheckedIOException when a file can't be written
   * @throws IllegalStateException when an earlier change or the last step of a commit failed
   */
  public void commit() {
    guard.amongReaders("commit", () -> commitNow(mark()));
  }

  /**
   * As {@link #commit()}, with a number of the caller's, which is durable in the same moment: such
   * as one that names the commit of another store that belongs to this one.
   */
  public void commit(long mark) {
    guard.amongReaders("commit", () -> commitNow(mark));
  }

  private void commitNow(long mark) {
    if (store == null) {
      guard.alone(() -> state.mark = mark);
    } else {
      store.commit(guard, state, sets, lsh, records, mark);
    }
  }

  /** The number of the last commit; 0 when none was given. */
  public long mark() {
    return guard.reading(() -> state.mark);
  }

  /** The ids of all chunks, in no order. */
  public Set<String> ids() {
    return guard.reading(() -> Set.copyOf(state.live.keySet()));
  }

  /**
   * Checks what opening does not: the checksums of all shingles and band keys, and that each set is
   * found by its own keys.
   *
   * @throws CorruptIndexException for the first damage
   */
  public void verify(ProgressListener progress) {
    Checks.present("progress", progress);
    guard.reading(
        () -> {
          lsh.runs.forEach(BandRun::verify);
          int n = state.groups();
          Path file = store == null ? Path.of("memory") : store.setsFile();
          boolean hasKeys = store == null || !store.isReadOnly();
          for (int g = 0; g < n; g++) {
            sets.verify(g, file);
            if (hasKeys && !lsh.finds(g)) {
              throw new CorruptIndexException(
                  file, -1, "set " + g + " is not found by its band keys");
            }
            if ((g & 0xFFFF) == 0xFFFF && !progress.onProgress("verify", g + 1L, n)) {
              throw new CancellationException("verify was cancelled");
            }
          }
          progress.onProgress("verify", n, n);
          return state;
        });
  }

  /** Closes; what was not committed is lost. Waits for calls that run. */
  @Override
  public void close() {
    guard.close(
        () -> {
          crew.close();
          if (store != null) {
            try {
              store.close();
            } catch (IOException e) {
              throw new UncheckedIOException("closing failed: " + e, e);
            }
          }
        });
  }

  /** For tests: the chunks whose labels differ from what a walk over all edges gives. */
  List<String> wrongLabels() {
    return guard.reading(() -> new Clusters(state, sets).wrongLabels());
  }
}
