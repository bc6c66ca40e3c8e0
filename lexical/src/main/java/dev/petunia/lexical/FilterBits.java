package dev.petunia.lexical;

import dev.petunia.core.Filter;
import dev.petunia.core.Filter.Compare;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.apache.lucene.document.BinaryPoint;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/**
 * A filter as one bit per document of a snapshot, segment by segment.
 *
 * <p>The tree is evaluated from its leaves: equality and existence read postings, number ranges
 * read points, String ranges and {@code contains} walk the attribute's distinct terms; what the
 * terms don't hold in full (Strings above {@link AttributeTerms#MAX_SHORT} bytes) is read from the
 * stored chunk and asked of {@link Filter#matches}. Nothing becomes a boolean query of Lucene, so
 * no tree has too many clauses.
 */
final class FilterBits {
  private final FixedBitSet[] bySegment;
  private final long cardinality;

  private FilterBits(FixedBitSet[] bySegment) {
    this.bySegment = bySegment;
    this.cardinality = Arrays.stream(bySegment).mapToLong(FixedBitSet::cardinality).sum();
  }

  static FilterBits of(IndexSearcher searcher, Filter filter) throws IOException {
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    FixedBitSet[] bits = new FixedBitSet[leaves.size()];
    for (LeafReaderContext leaf : leaves) {
      bits[leaf.ord] = new Segment(searcher, leaf).live(filter);
    }
    return new FilterBits(bits);
  }

  /** The matching live documents of one segment, by {@link LeafReaderContext#ord}. */
  FixedBitSet segment(int ord) {
    return bySegment[ord];
  }

  FixedBitSet[] segments() {
    return bySegment;
  }

  /** Matching documents in all. */
  long cardinality() {
    return cardinality;
  }

  /** Evaluates in one segment. */
  private static final class Segment {
    private final IndexSearcher searcher;
    private final LeafReaderContext context;
    private final LeafReader reader;
    private final @Nullable Terms terms;
    private @Nullable PostingsEnum postings;
    private @Nullable StoredFields stored;

    Segment(IndexSearcher searcher, LeafReaderContext context) throws IOException {
      this.searcher = searcher;
      this.context = context;
      this.reader = context.reader();
      this.terms = reader.terms(ChunkFormat.ATTRIBUTES);
    }

    FixedBitSet live(Filter filter) throws IOException {
      FixedBitSet bits = evaluate(filter);
      Bits live = reader.getLiveDocs();
      if (live != null) {
        live.applyMask(bits, 0);
      }
      return bits;
    }

    private FixedBitSet evaluate(Filter filter) throws IOException {
      FixedBitSet bits = new FixedBitSet(reader.maxDoc());
      or(filter, bits);
      return bits;
    }

    /** Sets the bits of what matches, deleted documents or not, and leaves the others. */
    private void or(Filter filter, FixedBitSet bits) throws IOException {
      switch (filter) {
        case Filter.Eq(String f, Object v) -> orTerms(AttributeTerms.equal(f, v), bits);
        case Filter.In(String f, List<Object> vs) -> {
          TreeSet<BytesRef> any = new TreeSet<>(); // each once, in the order of the dictionary
          vs.forEach(v -> any.addAll(AttributeTerms.equal(f, v)));
          orTerms(any, bits);
        }
        case Filter.Exists(String f) ->
            orTerms(
                List.of(AttributeTerms.term(AttributeTerms.key(f), AttributeTerms.EXISTS)), bits);
        case Compare(String f, Compare.Op op, String v) -> {
          orStringRange(f, op, v, bits);
          orVerified(f, filter, bits);
        }
        case Compare(String f, Compare.Op op, Object v) -> orNumberRange(f, op, v, bits);
        case Filter.Contains(String f, String v) -> {
          orTerms(AttributeTerms.equal(f, v), bits); // elements of lists
          orSubstring(f, v, bits);
          orVerified(f, filter, bits);
        }
        case Filter.And(List<Filter> of) -> {
          FixedBitSet all = new FixedBitSet(reader.maxDoc());
          all.set(0, reader.maxDoc());
          for (Filter f : of) {
            all.and(evaluate(f));
            if (all.scanIsEmpty()) {
              return;
            }
          }
          bits.or(all);
        }
        case Filter.Or(List<Filter> of) -> {
          for (Filter f : of) {
            or(f, bits);
          }
        }
        case Filter.Not(Filter f) -> {
          FixedBitSet others = evaluate(f);
          others.flip(0, reader.maxDoc());
          bits.or(others);
        }
      }
    }

    private void orTerms(Iterable<BytesRef> any, FixedBitSet bits) throws IOException {
      if (terms == null) {
        return;
      }
      TermsEnum dictionary = terms.iterator();
      for (BytesRef term : any) {
        if (dictionary.seekExact(term)) {
          orPostings(dictionary, bits);
        }
      }
    }

    private void orPostings(TermsEnum at, FixedBitSet bits) throws IOException {
      postings = at.postings(postings, PostingsEnum.NONE);
      bits.or(postings);
    }

    private void orStringRange(String field, Compare.Op op, String bound, FixedBitSet bits)
        throws IOException {
      if (terms == null) {
        return;
      }
      byte[] key = AttributeTerms.key(field);
      BytesRef prefix = AttributeTerms.term(key, AttributeTerms.STRING);
      BytesRef limit = AttributeTerms.term(key, AttributeTerms.STRING, AttributeTerms.utf8(bound));
      boolean upwards = op == Compare.Op.GT || op == Compare.Op.GTE;
      TermsEnum at = terms.iterator();
      BytesRef term = seek(at, upwards ? limit : prefix);
      for (; term != null && StringHelper.startsWith(term, prefix); term = at.next()) {
        int c = term.compareTo(limit);
        boolean match =
            switch (op) {
              case LT -> c < 0;
              case LTE -> c <= 0;
              case GT -> c > 0;
              case GTE -> c >= 0;
            };
        if (match) {
          orPostings(at, bits);
        } else if (!upwards) {
          return;
        }
      }
    }

    private void orSubstring(String field, String part, FixedBitSet bits) throws IOException {
      byte[] wanted = AttributeTerms.utf8(part);
      if (terms == null || wanted.length > AttributeTerms.MAX_SHORT) {
        return;
      }
      BytesRef prefix = AttributeTerms.term(AttributeTerms.key(field), AttributeTerms.STRING);
      TermsEnum at = terms.iterator();
      BytesRef term = seek(at, prefix);
      for (; term != null && StringHelper.startsWith(term, prefix); term = at.next()) {
        if (contains(term, prefix.length, wanted)) {
          orPostings(at, bits);
        }
      }
    }

    private static @Nullable BytesRef seek(TermsEnum at, BytesRef to) throws IOException {
      return at.seekCeil(to) == TermsEnum.SeekStatus.END ? null : at.term();
    }

    /** Bytes serve as well as characters: no character's UTF-8 begins inside another's. */
    private static boolean contains(BytesRef term, int from, byte[] wanted) {
      int last = term.offset + term.length - wanted.length;
      for (int i = term.offset + from; i <= last; i++) {
        if (Arrays.equals(term.bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
          return true;
        }
      }
      return false;
    }

    private void orNumberRange(String field, Compare.Op op, Object bound, FixedBitSet bits)
        throws IOException {
      if (reader.getPointValues(ChunkFormat.NUMBERS) == null) {
        return;
      }
      byte[] key = AttributeTerms.key(field);
      byte[] low = new byte[NumberCode.POINT_LENGTH];
      byte[] high = new byte[NumberCode.POINT_LENGTH];
      Arrays.fill(high, (byte) 0xFF);
      switch (op) {
        case LT -> high = NumberCode.justBelow(bound);
        case LTE -> high = NumberCode.encodePoint(bound);
        case GT -> low = NumberCode.justAbove(bound);
        case GTE -> low = NumberCode.encodePoint(bound);
      }
      Query range =
          BinaryPoint.newRangeQuery(
              ChunkFormat.NUMBERS, new byte[][] {key, low}, new byte[][] {key, high});
      Scorer scorer = range.createWeight(searcher, ScoreMode.COMPLETE_NO_SCORES, 1).scorer(context);
      if (scorer != null) {
        bits.or(scorer.iterator());
      }
    }

    /** Asks the stored chunks that have a long String under this name. */
    private void orVerified(String field, Filter filter, FixedBitSet bits) throws IOException {
      if (terms == null) {
        return;
      }
      TermsEnum at = terms.iterator();
      BytesRef marker = AttributeTerms.term(AttributeTerms.key(field), AttributeTerms.LONG_STRING);
      if (!at.seekExact(marker)) {
        return;
      }
      if (stored == null) {
        stored = reader.storedFields();
      }
      PostingsEnum docs = at.postings(null, PostingsEnum.NONE);
      for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
        ChunkCodec.Facts facts = ChunkFormat.readFacts(stored, doc);
        if (filter.matches(facts.entryId(), facts.attributes())) {
          bits.set(doc);
        }
      }
    }
  }
}
