package dev.petunia.benchmarks.ann;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.DocAndFloatFeatureBuffer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopKnnCollector;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.search.VectorScorer;
import org.apache.lucene.search.knn.KnnSearchStrategy;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.FixedBitSet;

/**
 * Filtered search of one segment, by the steps of Lucene's own vector query: an exact scan when no
 * more documents match than are asked for; else the graph with its default strategy for filters,
 * and an exact scan after all when that visits more nodes than match. Each filter is a bit set of
 * documents that was made beforehand, as Lucene's query cache would hold it.
 */
final class LuceneFilters {
  private record Filter(FixedBitSet docs, int count) {
    DocIdSetIterator iterator() {
      return new BitSetIterator(docs, count);
    }
  }

  private final LeafReader segment;
  private final String field;
  private final List<Filter> filters = new ArrayList<>();

  /**
   * @param rowOfDoc the row that each document stands for
   * @param rows of each filter, those that pass
   */
  LuceneFilters(LeafReader segment, String field, int[] rowOfDoc, List<BitSet> rows) {
    this.segment = segment;
    this.field = field;
    for (BitSet passing : rows) {
      FixedBitSet docs = new FixedBitSet(rowOfDoc.length);
      for (int doc = 0; doc < rowOfDoc.length; doc++) {
        if (passing.get(rowOfDoc[doc])) {
          docs.set(doc);
        }
      }
      filters.add(new Filter(docs, docs.cardinality()));
    }
  }

  /** The best {@code width} that pass, best first, by what the walk compares. */
  ScoreDoc[] search(float[] query, int filter, int width) throws IOException {
    Filter f = filters.get(filter);
    if (f.count == 0) {
      return new ScoreDoc[0]; // a query would find out before it searches
    }
    if (f.count <= width) {
      return exact(query, f, width);
    }
    TopKnnCollector collector =
        new TopKnnCollector(width, f.count + 1, KnnSearchStrategy.Hnsw.DEFAULT);
    AcceptDocs accept = AcceptDocs.fromIteratorSupplier(f::iterator, null, segment.maxDoc());
    segment.searchNearestVectors(field, query, collector, accept);
    TopDocs top = collector.topDocs();
    return top.totalHits.relation() == TotalHits.Relation.EQUAL_TO && top.scoreDocs.length >= width
        ? top.scoreDocs
        : exact(query, f, width);
  }

  private ScoreDoc[] exact(float[] query, Filter filter, int width) throws IOException {
    TopKnnCollector best = new TopKnnCollector(Math.min(width, filter.count), Integer.MAX_VALUE);
    VectorScorer scorer = segment.getFloatVectorValues(field).scorer(query);
    VectorScorer.Bulk bulk = scorer.bulk(filter.iterator());
    DocAndFloatFeatureBuffer some = new DocAndFloatFeatureBuffer();
    do {
      bulk.nextDocsAndScores(DocIdSetIterator.NO_MORE_DOCS, null, some);
      for (int i = 0; i < some.size; i++) {
        best.collect(some.docs[i], some.features[i]);
      }
    } while (some.size > 0);
    return best.topDocs().scoreDocs;
  }
}
