package dev.petunia.lexical;

import dev.petunia.core.Chunk;
import java.io.IOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiBits;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Walks over all of one snapshot, one item in memory at a time. */
final class ChunkIteration {
  private ChunkIteration() {}

  /** Gives items until it gives null. */
  @FunctionalInterface
  interface Source<T> {
    @Nullable T next() throws IOException;
  }

  /** Turns a source into a stream. */
  static <T> Stream<T> stream(Source<T> source, Place place) {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            new SourceIterator<>(source, place), Spliterator.ORDERED | Spliterator.NONNULL),
        false);
  }

  private static final class SourceIterator<T> implements Iterator<T> {
    private final Source<T> source;
    private final Place place;
    private @Nullable T next;
    private boolean done;

    SourceIterator(Source<T> source, Place place) {
      this.source = source;
      this.place = place;
    }

    @Override
    public boolean hasNext() {
      if (next == null && !done) {
        place.run("reading", () -> next = source.next());
        done = next == null;
      }
      return next != null;
    }

    @Override
    public T next() {
      T item = hasNext() ? next : null;
      if (item == null) {
        throw new NoSuchElementException();
      }
      next = null;
      return item;
    }
  }

  /** Live documents' chunks, segment by segment: the order in which the files are read fastest. */
  static Source<Chunk> chunks(ChunkSearcher searcher) {
    Iterator<LeafReaderContext> leaves = searcher.getIndexReader().leaves().iterator();
    return new Source<>() {
      private @Nullable StoredFields stored;
      private @Nullable Bits live;
      private int max;
      private int doc;

      @Override
      public @Nullable Chunk next() throws IOException {
        while (true) {
          for (; stored != null && doc < max; doc++) {
            if (live == null || live.get(doc)) {
              return ChunkFormat.read(stored, doc++);
            }
          }
          if (!leaves.hasNext()) {
            return null;
          }
          LeafReaderContext leaf = leaves.next();
          stored = leaf.reader().storedFields();
          live = leaf.reader().getLiveDocs();
          max = leaf.reader().maxDoc();
          doc = 0;
        }
      }
    };
  }

  /** Live ids by their UTF-8 bytes: the order of the term dictionaries. */
  static Source<String> ids(ChunkSearcher searcher) throws IOException {
    IndexReader reader = searcher.getIndexReader();
    Terms terms = MultiTerms.getTerms(reader, ChunkFormat.ID);
    if (terms == null) {
      return () -> null;
    }
    Bits live = MultiBits.getLiveDocs(reader);
    TermsEnum at = terms.iterator();
    return () -> {
      for (BytesRef id = at.next(); id != null; id = at.next()) {
        PostingsEnum docs = at.postings(null, PostingsEnum.NONE);
        for (int d = docs.nextDoc(); d != DocIdSetIterator.NO_MORE_DOCS; d = docs.nextDoc()) {
          if (live == null || live.get(d)) {
            return id.utf8ToString();
          }
        }
      }
      return null;
    };
  }
}
