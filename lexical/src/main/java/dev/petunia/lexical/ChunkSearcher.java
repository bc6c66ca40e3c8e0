package dev.petunia.lexical;

import dev.petunia.core.Filter;
import dev.petunia.core.IdFilter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.jspecify.annotations.Nullable;

/**
 * One generation of the index: a searcher over its snapshot, and the filters that were compiled
 * against it. Documents are numbered per generation, so nothing of it outlives it but ids.
 */
final class ChunkSearcher extends IndexSearcher {
  /** Compiled filters kept; the one unused for longest goes first. */
  static final int CACHED_FILTERS = 64;

  private final Map<Filter, FilterBits> bits = new Lru<>();
  private final Map<Filter, IdFilter> ids = new Lru<>();
  private final SegmentIds.Cache segmentIds;

  ChunkSearcher(IndexReader reader, LexicalConfig config, SegmentIds.Cache segmentIds) {
    super(reader);
    this.segmentIds = segmentIds;
    setSimilarity(new BM25Similarity(config.k1(), config.b()));
    setQueryCache(null); // Lucene's default one is shared by all indexes of the JVM
  }

  int size() {
    return getIndexReader().numDocs();
  }

  FilterBits bits(Filter filter) throws IOException {
    FilterBits known = get(bits, filter);
    if (known == null) {
      known = FilterBits.of(this, filter); // twice when two threads ask at once: equal, harmless
      put(bits, filter, known);
    }
    return known;
  }

  IdFilter compile(Filter filter) throws IOException {
    IdFilter known = get(ids, filter);
    if (known == null) {
      known = CompiledFilter.of(this, filter, bits(filter), segmentIds);
      put(ids, filter, known);
    }
    return known;
  }

  private static <V> @Nullable V get(Map<Filter, V> map, Filter filter) {
    synchronized (map) {
      return map.get(filter);
    }
  }

  private static <V> void put(Map<Filter, V> map, Filter filter, V value) {
    synchronized (map) {
      map.put(filter, value);
    }
  }

  private static final class Lru<V> extends LinkedHashMap<Filter, V> {
    private static final long serialVersionUID = 1L;

    Lru() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Filter, V> eldest) {
      return size() > CACHED_FILTERS;
    }
  }
}
