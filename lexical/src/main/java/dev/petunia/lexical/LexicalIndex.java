package dev.petunia.lexical;

import dev.petunia.core.CandidateSource.TermStats;
import dev.petunia.core.Chunk;
import dev.petunia.core.Filter;
import dev.petunia.core.FilterCompiler;
import dev.petunia.core.IdFilter;
import dev.petunia.core.SignalStore;
import dev.petunia.core.internal.Checks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Chunks with their text and attributes, searched by words and by filters. On Lucene.
 *
 * <pre>{@code
 * try (LexicalIndex index = LexicalIndex.open(directory, LexicalConfig.defaults())) {
 *   index.upsert(List.of(new Chunk("a#0", "a", 0, "The quick brown fox", Map.of("lang", "en"))));
 *   index.search(LexicalQuery.builder("foxes").filter(Filter.eq("lang", "en")).build());
 *   index.commit(Map.of("generation", "1"));
 * }
 * }</pre>
 *
 * <p>A change is seen by every call that begins after it returned, and is durable with the next
 * {@link #commit}. Closing does not commit. Safe for many threads. A call sees one snapshot; it
 * never sees a part of a change (of an {@code upsert} of more than {@value #ATOMIC_CHUNKS} chunks:
 * never a part of {@value #ATOMIC_CHUNKS} of them).
 *
 * <p>Errors: bad input is an {@link IllegalArgumentException} and changes nothing; a closed index
 * throws {@link dev.petunia.core.IndexClosedException}; a damaged file {@link
 * dev.petunia.core.CorruptIndexException}, at the latest from {@link #verify}; reads and writes
 * that fail {@link java.io.UncheckedIOException}; changes of an index opened for reading only
 * {@link UnsupportedOperationException}. Don't interrupt a thread that writes: Lucene then stops
 * the writer, and the index must be closed and opened again at its last commit.
 *
 * <p>Limits: ids up to 32,766 bytes of UTF-8; 2,147,483,519 chunks, replaced and deleted ones
 * counted until they are merged away.
 */
public final class LexicalIndex implements FilterCompiler, SignalStore, AutoCloseable {
  /** So many chunks of one upsert become visible at the same moment. */
  public static final int ATOMIC_CHUNKS = 5_000;

  private final Store store;
  private final TextAnalysis analysis;

  LexicalIndex(Store store) {
    this.store = store;
    this.analysis = store.config().analysis();
  }

  /**
   * Opens an index at its last commit for reading and writing, or makes an empty one.
   *
   * @throws dev.petunia.core.IndexLockedException when it is open for writing elsewhere
   * @throws IllegalArgumentException when the path is a file, or the index was written with another
   *     analysis
   */
  public static LexicalIndex open(Path directory, LexicalConfig config) {
    Checks.present("config", config);
    return new LexicalIndex(Store.openForWriting(Place.forWriting(directory), config));
  }

  /**
   * Opens the last commit of an index for reading, beside a writer or alone; later commits are seen
   * after {@link #refresh}. A directory without a commit reads as an empty index. The analysis is
   * the one that is stored (without a commit, English is expected), with default scoring.
   *
   * @throws IllegalArgumentException when there is no such directory, or the stored analysis is not
   *     a built-in one
   */
  public static LexicalIndex openReadOnly(Path directory) {
    Place place = Place.forReading(directory);
    return new LexicalIndex(
        Store.openReadOnly(
            place, LexicalConfig.builder().analysis(Store.storedAnalysis(place)).build()));
  }

  /** As {@link #openReadOnly(Path)}, with an analysis and scoring of the caller's. */
  public static LexicalIndex openReadOnly(Path directory, LexicalConfig config) {
    Checks.present("config", config);
    return new LexicalIndex(Store.openReadOnly(Place.forReading(directory), config));
  }

  /** An empty index in memory, gone when closed. */
  public static LexicalIndex inMemory(LexicalConfig config) {
    Checks.present("config", config);
    return new LexicalIndex(Store.openForWriting(Place.memory(), config));
  }

  /** The options it was opened with. */
  public LexicalConfig config() {
    return store.config();
  }

  /** Adds a chunk or replaces the one of the same id. */
  public void upsert(Chunk chunk) {
    upsert(List.of(Checks.present("chunk", chunk)));
  }

  /**
   * Adds chunks or replaces those of the same ids. All are checked first.
   *
   * @throws IllegalArgumentException when an id is given twice or is longer than 32,766 bytes of
   *     UTF-8; nothing is changed
   */
  public void upsert(Collection<Chunk> chunks) {
    upsert(chunks, "none", Map.of());
  }

  /**
   * As {@link #upsert(Collection)}, with a signal of the chunks, which becomes visible with them.
   *
   * @param signal its name
   * @param byId its bytes by id of the chunks that have it
   * @throws IllegalArgumentException also when it has an id that no chunk has
   */
  public void upsert(Collection<Chunk> chunks, String signal, Map<String, byte[]> byId) {
    String field = ChunkFormat.signalField(Checks.id("signal", signal));
    Map<String, byte[]> signals = Checks.map("byId", byId);
    Set<String> ids = new HashSet<>();
    for (Chunk chunk : Checks.present("chunks", chunks)) {
      ChunkFormat.idTerm(Checks.present("chunks", chunk));
      if (!ids.add(chunk.id())) {
        throw Checks.bad("id", chunk.id(), "each id once in a batch");
      }
    }
    for (String id : signals.keySet()) {
      if (!ids.contains(id)) {
        throw Checks.bad("byId", id, "ids of the chunks given");
      }
    }
    List<Chunk> all = new ArrayList<>(chunks);
    AttributeTerms terms = new AttributeTerms();
    Function<Chunk, Document> document =
        chunk -> {
          byte[] bytes = signals.get(chunk.id());
          return ChunkFormat.document(
              chunk, terms, bytes == null ? Map.of() : Map.of(field, bytes));
        };
    store.write(
        "writing",
        writer -> {
          for (int i = 0; i < all.size(); i += ATOMIC_CHUNKS) {
            write(writer, all.subList(i, Math.min(i + ATOMIC_CHUNKS, all.size())), document);
          }
        });
  }

  private static void write(
      IndexWriter writer, List<Chunk> chunks, Function<Chunk, Document> format) throws IOException {
    if (chunks.size() == 1) { // deleting by a term is cheaper than by a query
      Document document = format.apply(chunks.getFirst());
      writer.updateDocument(
          new Term(ChunkFormat.ID, ChunkFormat.idTerm(chunks.getFirst())), document);
      return;
    }
    List<BytesRef> ids = chunks.stream().map(ChunkFormat::idTerm).toList();
    Iterable<Document> documents = () -> chunks.stream().map(format).iterator();
    writer.updateDocuments(new TermInSetQuery(ChunkFormat.ID, ids), documents);
  }

  @Override
  public Map<String, byte[]> signals(String name, Collection<String> ids) {
    String field = ChunkFormat.signalField(Checks.id("name", name));
    Checks.present("ids", ids);
    return store.read("reading", s -> new ChunkReads(s).signals(field, ids));
  }

  @Override
  public void putSignals(String name, Map<String, byte[]> byId) {
    String field = ChunkFormat.signalField(Checks.id("name", name));
    Map<String, byte[]> signals = Checks.map("byId", byId);
    store.rewrite(
        "writing",
        (searcher, writer) -> {
          ChunkReads reads = new ChunkReads(searcher);
          Set<String> here = reads.contained(signals.keySet());
          for (String id : signals.keySet()) {
            if (!here.contains(id)) {
              throw Checks.bad("byId", id, "ids of chunks that are here");
            }
          }
          if (!signals.isEmpty() && !writer.getFieldNames().contains(field)) {
            // Lucene sets doc values only of a field that it knows: the first comes as a document
            String first = signals.keySet().iterator().next();
            Map<String, byte[]> all = reads.allSignals(first);
            all.put(field, signals.getOrDefault(first, new byte[0]));
            Chunk chunk = reads.get(List.of(first)).getFirst();
            write(writer, List.of(chunk), c -> ChunkFormat.document(c, new AttributeTerms(), all));
          }
          for (Map.Entry<String, byte[]> e : signals.entrySet()) {
            writer.updateBinaryDocValue(
                new Term(ChunkFormat.ID, new BytesRef(e.getKey())),
                field,
                new BytesRef(e.getValue()));
          }
        });
  }

  /** Removes chunks by id; unknown ids are no error. */
  public void delete(Collection<String> ids) {
    List<BytesRef> terms = new ArrayList<>();
    for (String id : Checks.present("ids", ids)) {
      terms.add(new BytesRef(Checks.id("ids", id)));
    }
    if (!terms.isEmpty()) {
      store.write(
          "deleting", writer -> writer.deleteDocuments(new TermInSetQuery(ChunkFormat.ID, terms)));
    }
  }

  /** Removes all chunks of an entry; an unknown entry is no error. */
  public void deleteEntry(String entryId) {
    List<BytesRef> terms = ChunkFormat.entryTerms(Checks.id("entryId", entryId));
    store.write(
        "deleting",
        writer -> writer.deleteDocuments(new TermInSetQuery(ChunkFormat.ATTRIBUTES, terms)));
  }

  /**
   * Makes all changes so far durable together with some data of the caller's, in one step: after a
   * crash at any moment the index opens either with all of it or with all of the commit before.
   */
  public void commit(Map<String, String> userData) {
    store.commit(userData);
  }

  /** The data of the last commit; empty when there is none. */
  public Map<String, String> committedUserData() {
    return store.committedUserData();
  }

  /** Whether there are changes since the last commit. */
  public boolean hasUncommittedChanges() {
    return store.hasUncommittedChanges();
  }

  /** Drops all changes since the last commit; waits for running calls. */
  public void rollback() {
    store.rollback();
  }

  /**
   * Of an index opened for reading: goes to the last commit; true when it is another than before. A
   * writer sees its own changes without, and gets false.
   */
  public boolean refresh() {
    return store.refresh();
  }

  /** Reads every file in full, and compares checksums. */
  public void verify() {
    store.verify();
  }

  /** Number of chunks. */
  public int size() {
    return store.read("counting", ChunkSearcher::size);
  }

  /** Whether a chunk of this id is here. */
  public boolean contains(String id) {
    return store.read("reading", s -> new ChunkReads(s).contains(id));
  }

  /** A chunk, equal to the one that was stored; null when it is not here. */
  public @Nullable Chunk get(String id) {
    List<Chunk> found = get(List.of(Checks.id("id", id)));
    return found.isEmpty() ? null : found.getFirst();
  }

  /** Chunks in the order of the ids; ids that are not here are left out. */
  public List<Chunk> get(Collection<String> ids) {
    Checks.present("ids", ids);
    return store.read("reading", s -> new ChunkReads(s).get(ids));
  }

  /** The chunks of an entry by ordinal, those of one ordinal by id; empty when there are none. */
  public List<Chunk> entry(String entryId) {
    Checks.id("entryId", entryId);
    return store.read("reading", s -> new ChunkReads(s).entry(entryId));
  }

  /**
   * The chunks that stand around one in its entry, without itself, in the order of {@link #entry}.
   * Gaps between ordinals don't count.
   *
   * @param before most chunks before it, 0 or more
   * @param after most chunks after it, 0 or more
   * @return empty when the id is not here
   */
  public List<Chunk> neighbours(String id, int before, int after) {
    Checks.id("id", id);
    Checks.range("before", before, 0, Integer.MAX_VALUE);
    Checks.range("after", after, 0, Integer.MAX_VALUE);
    return store.read("reading", s -> new ChunkReads(s).neighbours(id, before, after));
  }

  /**
   * All chunks of one snapshot, in no particular order, one in memory at a time. Close the stream:
   * until then it keeps the snapshot's files.
   */
  public Stream<Chunk> chunks() {
    return store.stream(ChunkIteration::chunks);
  }

  /** All ids of one snapshot by their UTF-8 bytes, ascending. Close the stream, as above. */
  public Stream<String> ids() {
    return store.stream(ChunkIteration::ids);
  }

  /**
   * The chunks that fit a query's words best, by falling score, equal scores by ascending id.
   *
   * <p>The score of a chunk is the same whatever the filter is. It depends on all chunks' number
   * and lengths; replaced and deleted ones count until they are merged away.
   */
  public List<LexicalHit> search(LexicalQuery query) {
    Checks.present("query", query);
    return store.read("searching", s -> Bm25.search(s, analysis, query));
  }

  /**
   * The ids that match, as of now; later changes don't change it. Agrees with {@link
   * Filter#matches}. Up to 10,000 ids are listed by {@link IdFilter#ids}; above that it only
   * answers {@link IdFilter#accepts}. The same filter on an unchanged index is answered from a
   * cache of 64.
   */
  @Override
  public IdFilter compile(Filter filter) {
    Checks.present("filter", filter);
    return store.read("filtering", s -> s.compile(filter));
  }

  /** How many chunks match. */
  public int count(Filter filter) {
    Checks.present("filter", filter);
    return store.read("filtering", s -> Math.toIntExact(s.bits(filter).cardinality()));
  }

  /** The distinct terms of a query text, as they are searched, in the order of the text. */
  public List<String> analyze(String text) {
    return List.copyOf(analysis.queryTerms(Checks.wellFormed("text", text)).keySet());
  }

  /**
   * The number of chunks, and how many hold each term; exact.
   *
   * @param terms as they are indexed: see {@link #analyze}
   */
  public TermStats termStats(Collection<String> terms) {
    Checks.present("terms", terms);
    return store.read("searching", s -> new RareTermSearch(s).stats(terms));
  }

  /**
   * The terms of a text that at least one chunk and few chunks hold, rarest first, equally rare
   * ones by their UTF-8 bytes.
   *
   * @param maxDocumentFrequencyRatio greatest share of the chunks, above 0, at most 1
   * @param maxTerms most terms
   */
  public List<RareTerm> rareTerms(String text, double maxDocumentFrequencyRatio, int maxTerms) {
    RareTermOptions options = new RareTermOptions(maxDocumentFrequencyRatio, maxTerms);
    List<String> terms = analyze(text);
    return store.read(
        "searching",
        s -> {
          List<RareTerm> rare =
              new RareTermSearch(s).rare(terms, options.maxDocumentFrequencyRatio());
          return List.copyOf(rare.subList(0, Math.min(rare.size(), options.maxTerms())));
        });
  }

  /**
   * Chunks that hold rare terms of the query's text, by the summed idf of those they hold, then
   * BM25 of the whole text, then id. The query's filter, exclusion, limit and minimum score act as
   * in {@link #search}; a usual limit is {@link RareTermCandidates#DEFAULT_LIMIT}.
   */
  public RareTermCandidates rareTermCandidates(LexicalQuery query, RareTermOptions options) {
    Checks.present("query", query);
    Checks.present("options", options);
    return store.read("searching", s -> new RareTermSearch(s).candidates(analysis, query, options));
  }

  /** Drops what is not committed, and frees files and lock. A second call does nothing. */
  @Override
  public void close() {
    store.close();
  }
}
