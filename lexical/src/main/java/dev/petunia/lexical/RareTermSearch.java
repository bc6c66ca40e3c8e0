package dev.petunia.lexical;

import dev.petunia.core.CandidateSource.TermStats;
import dev.petunia.core.internal.Checks;
import dev.petunia.core.internal.Utf8Order;
import dev.petunia.lexical.RareTermCandidates.RareTermHit;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The rare-term channel: chunks that hold the terms of a query that hardly any chunk holds, however
 * many common terms of it others hold. Document frequencies are exact: deleted documents, which
 * Lucene counts until a merge, are not counted.
 */
final class RareTermSearch {
  /** Best first: idf sum, then BM25, then id. */
  private static final Comparator<RareTermHit> BEST_FIRST =
      Comparator.comparingDouble(RareTermHit::idfSum)
          .thenComparingDouble(RareTermHit::score)
          .reversed()
          .thenComparing(RareTermHit::id, Utf8Order.COMPARATOR);

  private final ChunkSearcher searcher;
  private final List<LeafReaderContext> leaves;

  RareTermSearch(ChunkSearcher searcher) {
    this.searcher = searcher;
    this.leaves = searcher.getIndexReader().leaves();
  }

  TermStats stats(Collection<String> terms) throws IOException {
    Map<String, Long> frequency = new LinkedHashMap<>();
    for (String term : terms) {
      Checks.wellFormed("terms", term);
      frequency.put(term, (long) documentFrequency(new BytesRef(term), Integer.MAX_VALUE));
    }
    return new TermStats(searcher.size(), frequency);
  }

  /** All rare terms among these, rarest first, equally rare ones by their UTF-8 bytes. */
  List<RareTerm> rare(Collection<String> terms, double maxRatio) throws IOException {
    int chunks = searcher.size();
    // in decimal, so that 0.29 of 100 is 29 and not a bit less
    int most = BigDecimal.valueOf(maxRatio).multiply(BigDecimal.valueOf(chunks)).intValue();
    List<RareTerm> rare = new ArrayList<>();
    for (String term : terms) {
      int df = documentFrequency(new BytesRef(term), most);
      if (df > 0 && df <= most) {
        rare.add(new RareTerm(term, df, Math.log(1 + (chunks - df + 0.5) / (df + 0.5))));
      }
    }
    rare.sort(
        Comparator.comparingInt(RareTerm::documentFrequency)
            .thenComparing(RareTerm::term, Utf8Order.COMPARATOR));
    return rare;
  }

  RareTermCandidates candidates(TextAnalysis analysis, LexicalQuery query, RareTermOptions options)
      throws IOException {
    Map<String, Integer> terms = analysis.queryTerms(query.text());
    List<RareTerm> all = rare(terms.keySet(), options.maxDocumentFrequencyRatio());
    List<RareTerm> used = all.subList(0, Math.min(all.size(), options.maxTerms()));
    if (used.isEmpty()) {
      return new RareTermCandidates(List.of(), 0, List.of());
    }
    FilterBits filter = query.filter().isPresent() ? searcher.bits(query.filter().get()) : null;
    Weight weight =
        searcher.createWeight(searcher.rewrite(Bm25.words(terms)), ScoreMode.COMPLETE, 1);
    Best best = new Best(query);
    for (LeafReaderContext leaf : leaves) {
      Bits accepted = filter == null ? leaf.reader().getLiveDocs() : filter.segment(leaf.ord);
      long[] pairs = pairs(leaf.reader(), used, accepted);
      if (pairs.length > 0) {
        best.addAll(leaf, pairs, used, weight.scorer(leaf));
      }
    }
    return new RareTermCandidates(used, all.size() - used.size(), best.ranked());
  }

  /**
   * Live documents that hold a term. The count may stop above {@code enough}, at any number above.
   */
  private int documentFrequency(BytesRef term, int enough) throws IOException {
    int certain = 0;
    List<TermsEnum> toCount = new ArrayList<>();
    List<Bits> live = new ArrayList<>();
    for (LeafReaderContext leaf : leaves) {
      TermsEnum at = find(leaf.reader(), term);
      Bits liveDocs = leaf.reader().getLiveDocs();
      if (at != null && liveDocs == null) {
        certain += at.docFreq();
      } else if (at != null && at.docFreq() - leaf.reader().numDeletedDocs() > enough) {
        return Integer.MAX_VALUE;
      } else if (at != null) {
        toCount.add(at);
        live.add(liveDocs);
      }
    }
    for (int i = 0; i < toCount.size() && certain <= enough; i++) {
      PostingsEnum docs = toCount.get(i).postings(null, PostingsEnum.NONE);
      for (int d = docs.nextDoc(); d != DocIdSetIterator.NO_MORE_DOCS; d = docs.nextDoc()) {
        if (live.get(i).get(d) && ++certain > enough) {
          break;
        }
      }
    }
    return certain;
  }

  private static @Nullable TermsEnum find(LeafReader reader, BytesRef term) throws IOException {
    Terms terms = reader.terms(ChunkFormat.TEXT);
    if (terms == null) {
      return null;
    }
    TermsEnum at = terms.iterator();
    return at.seekExact(term) ? at : null;
  }

  /** {@code document << 32 | index of the term}, sorted, of all accepted documents. */
  private static long[] pairs(LeafReader reader, List<RareTerm> terms, @Nullable Bits accepted)
      throws IOException {
    long[] pairs = new long[64];
    int n = 0;
    for (int t = 0; t < terms.size(); t++) {
      TermsEnum at = find(reader, new BytesRef(terms.get(t).term()));
      if (at == null) {
        continue;
      }
      PostingsEnum docs = at.postings(null, PostingsEnum.NONE);
      for (int d = docs.nextDoc(); d != DocIdSetIterator.NO_MORE_DOCS; d = docs.nextDoc()) {
        if (accepted == null || accepted.get(d)) {
          pairs = n == pairs.length ? Arrays.copyOf(pairs, 2 * n) : pairs;
          pairs[n++] = (long) d << 32 | t;
        }
      }
    }
    pairs = Arrays.copyOf(pairs, n);
    Arrays.sort(pairs);
    return pairs;
  }

  /** The best candidates so far. */
  private static final class Best {
    private final int limit;
    private final Set<String> exclude;
    private final float minScore;
    private final PriorityQueue<RareTermHit> worstFirst =
        new PriorityQueue<>(BEST_FIRST.reversed());

    Best(LexicalQuery query) {
      limit = query.limit();
      exclude = query.exclude();
      minScore = query.minScore();
    }

    void addAll(LeafReaderContext leaf, long[] pairs, List<RareTerm> terms, Scorer scorer)
        throws IOException {
      BinaryDocValues ids = leaf.reader().getBinaryDocValues(ChunkFormat.ID);
      for (int i = 0; i < pairs.length; ) {
        int doc = (int) (pairs[i] >>> 32);
        double idfSum = 0; // always in the order of the terms: equal sets get equal sums
        for (; i < pairs.length && (int) (pairs[i] >>> 32) == doc; i++) {
          idfSum += terms.get((int) pairs[i]).idf();
        }
        scorer.iterator().advance(doc);
        float score = scorer.score();
        if (score >= minScore && !isHopeless(idfSum, score) && ids.advanceExact(doc)) {
          add(new RareTermHit(ids.binaryValue().utf8ToString(), idfSum, score, 1));
        }
      }
    }

    private boolean isHopeless(double idfSum, float score) {
      if (worstFirst.size() < limit) {
        return false;
      }
      RareTermHit worst = worstFirst.element();
      return idfSum < worst.idfSum() || (idfSum == worst.idfSum() && score < worst.score());
    }

    private void add(RareTermHit hit) {
      if (!exclude.contains(hit.id())) {
        worstFirst.add(hit);
        if (worstFirst.size() > limit) {
          worstFirst.remove();
        }
      }
    }

    List<RareTermHit> ranked() {
      List<RareTermHit> hits = new ArrayList<>(worstFirst);
      hits.sort(BEST_FIRST);
      for (int i = 0; i < hits.size(); i++) {
        RareTermHit h = hits.get(i);
        hits.set(i, new RareTermHit(h.id(), h.idfSum(), h.score(), i + 1));
      }
      return hits;
    }
  }
}
