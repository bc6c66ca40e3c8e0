package dev.petunia.lexical;

import dev.petunia.core.Filter;
import dev.petunia.core.IdFilter;
import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.FixedBitSet;

/**
 * The ids that a filter accepts, as of one snapshot, when they are too many to list: bits per
 * document, and tables from id to document. All of it is in memory and stays valid whatever happens
 * to the index.
 */
final class CompiledFilter implements IdFilter {
  /** Up to so many ids are listed as a set. */
  static final int MAX_LISTED = 10_000;

  private final Filter filter;
  private final FilterBits bits;
  private final SegmentIds[] segments;

  private CompiledFilter(Filter filter, FilterBits bits, SegmentIds[] segments) {
    this.filter = filter;
    this.bits = bits;
    this.segments = segments;
  }

  static IdFilter of(IndexSearcher searcher, Filter filter, FilterBits bits, SegmentIds.Cache cache)
      throws IOException {
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    if (bits.cardinality() <= MAX_LISTED) {
      return IdFilter.of(list(leaves, bits));
    }
    SegmentIds[] segments = new SegmentIds[leaves.size()];
    for (LeafReaderContext leaf : leaves) {
      segments[leaf.ord] = cache.get(leaf.reader());
    }
    return new CompiledFilter(filter, bits, segments);
  }

  private static Set<String> list(List<LeafReaderContext> leaves, FilterBits bits)
      throws IOException {
    Set<String> ids = new HashSet<>();
    for (LeafReaderContext leaf : leaves) {
      FixedBitSet matching = bits.segment(leaf.ord);
      DocIdSetIterator docs = new BitSetIterator(matching, 0);
      BinaryDocValues values = leaf.reader().getBinaryDocValues(ChunkFormat.ID);
      for (int d = docs.nextDoc(); d != DocIdSetIterator.NO_MORE_DOCS; d = docs.nextDoc()) {
        if (values.advanceExact(d)) {
          ids.add(values.binaryValue().utf8ToString());
        }
      }
    }
    return Collections.unmodifiableSet(ids);
  }

  @Override
  public boolean accepts(String id) {
    byte[] utf8 = AttributeTerms.utf8(id);
    int hash = SegmentIds.hash(utf8, 0, utf8.length);
    for (int i = 0; i < segments.length; i++) {
      if (segments[i].any(utf8, hash, bits.segment(i))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return "IdFilter of " + bits.cardinality() + " ids by " + filter;
  }
}
