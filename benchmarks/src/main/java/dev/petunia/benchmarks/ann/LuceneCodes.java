package dev.petunia.benchmarks.ann;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104HnswScalarQuantizedVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.VectorScorer;
import org.apache.lucene.util.quantization.QuantizedByteVectorValues.ScalarEncoding;

/**
 * What Lucene's walk compares, and how many of the found it then compares in full precision.
 *
 * <p>Lucene's own way to full precision is a rescoring query around the search for a multiple of
 * the results wanted (oversampling); it reads the stored float vectors in order of their documents,
 * as here.
 *
 * @param encoding of the codes; empty: the float vectors themselves
 * @param oversampling how many times k are rescored; {@link #ALL}: everything found
 */
record LuceneCodes(Optional<ScalarEncoding> encoding, int oversampling) {
  /** Everything found is rescored: what one bit needs. */
  static final int ALL = Integer.MAX_VALUE;

  /** Float vectors; there is nothing to rescore. */
  static final LuceneCodes FLOAT = new LuceneCodes(Optional.empty(), 0);

  String describe() {
    return encoding
        .map(
            e ->
                "Lucene104HnswScalarQuantizedVectorsFormat "
                    + e
                    + ", rescored "
                    + (oversampling == ALL ? "all ef" : oversampling + " k"))
        .orElse("Lucene99HnswVectorsFormat, float32");
  }

  KnnVectorsFormat format(int m, int efConstruction, int threads, ExecutorService pool) {
    int workers = threads == 1 ? 1 : threads; // one worker needs no pool, and refuses one
    ExecutorService merging = threads == 1 ? null : pool;
    return encoding.isPresent()
        ? new Lucene104HnswScalarQuantizedVectorsFormat(
            encoding.get(), m, efConstruction, workers, merging)
        : new Lucene99HnswVectorsFormat(m, efConstruction, workers, merging);
  }

  /**
   * The first hits with their exact scores, best first.
   *
   * @param hits by falling approximate score
   * @param k how many are wanted in the end
   */
  ScoreDoc[] rescored(LeafReader segment, String field, float[] query, ScoreDoc[] hits, int k)
      throws IOException {
    if (encoding.isEmpty()) {
      return hits;
    }
    int count = (int) Math.min(hits.length, (long) oversampling * k);
    ScoreDoc[] some = Arrays.copyOf(hits, count);
    Arrays.sort(some, Comparator.comparingInt(hit -> hit.doc));
    VectorScorer exact = segment.getFloatVectorValues(field).rescorer(query);
    for (ScoreDoc hit : some) {
      exact.iterator().advance(hit.doc);
      hit.score = exact.score();
    }
    Arrays.sort(some, Comparator.comparingDouble(hit -> -hit.score));
    return some;
  }
}
