package dev.petunia.benchmarks.ann;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopKnnCollector;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.Version;
import org.jspecify.annotations.Nullable;

/**
 * Lucene's HNSW over float vectors or their codes, one segment, memory-mapped.
 *
 * <p>With one thread all documents go into one flush. With more, each thread writes one segment and
 * these are merged into one with as many merge workers: that is how Lucene builds in parallel, and
 * the merge is part of the build time. The search asks the segment's reader for ef documents and
 * keeps k of them, without the query classes in between, which would only add time. Of a walk over
 * codes it rescores some or all, see {@link LuceneCodes}.
 */
final class LuceneSystem implements AnnSystem {
  private static final String VECTOR = "v";
  private static final String ROW = "row";

  private final LuceneCodes codes;
  private final Path folder;
  private @Nullable DirectoryReader reader;
  private @Nullable LeafReader leaf;
  private @Nullable LuceneFilters filters;
  private int[] rowOfDoc = {};

  LuceneSystem(LuceneCodes codes, Path folder) {
    this.codes = codes;
    this.folder = folder;
  }

  @Override
  public String describe() {
    // Lucene says in its log which kernels it took; its classes are not public, but the name is
    return "Lucene " + Version.LATEST + " " + codes.describe() + ", DOT_PRODUCT, MMap";
  }

  @Override
  public void build(float[][] base, Parameters parameters) throws Exception {
    close();
    int threads = parameters.threads();
    Folders.empty(folder);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      KnnVectorsFormat format =
          codes.format(parameters.m(), parameters.efConstruction(), threads, pool);
      Codec codec =
          new Lucene104Codec() {
            @Override
            public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
              return format;
            }
          };
      try (FSDirectory directory = new MMapDirectory(folder)) {
        IndexWriterConfig config =
            new IndexWriterConfig()
                .setCodec(codec)
                .setUseCompoundFile(false)
                .setRAMBufferSizeMB(16_000) // no flush before all is in
                .setRAMPerThreadHardLimitMB(2047)
                .setMergePolicy(NoMergePolicy.INSTANCE);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
          addAll(writer, base, threads, pool);
          writer.commit();
        }
        if (threads > 1) {
          IndexWriterConfig merging =
              new IndexWriterConfig()
                  .setCodec(codec)
                  .setUseCompoundFile(false)
                  .setMergePolicy(new TieredMergePolicy());
          try (IndexWriter writer = new IndexWriter(directory, merging)) {
            writer.forceMerge(1);
            writer.commit();
          }
        }
      }
    } finally {
      pool.shutdown();
    }
    open(base.length);
  }

  private static void addAll(IndexWriter writer, float[][] base, int threads, ExecutorService pool)
      throws Exception {
    Future<?>[] parts = new Future<?>[threads];
    for (int t = 0; t < threads; t++) {
      int from = (int) ((long) base.length * t / threads);
      int to = (int) ((long) base.length * (t + 1) / threads);
      parts[t] =
          pool.submit(
              () -> {
                for (int row = from; row < to; row++) {
                  Document doc = new Document();
                  doc.add(
                      new KnnFloatVectorField(
                          VECTOR, base[row], VectorSimilarityFunction.DOT_PRODUCT));
                  doc.add(new NumericDocValuesField(ROW, row));
                  writer.addDocument(doc);
                }
                return null;
              });
    }
    for (Future<?> part : parts) {
      part.get();
    }
  }

  private void open(int size) throws IOException {
    DirectoryReader opened = DirectoryReader.open(new MMapDirectory(folder));
    reader = opened;
    if (opened.leaves().size() != 1 || opened.numDocs() != size) {
      throw new IllegalStateException(
          opened.leaves().size() + " segments, " + opened.numDocs() + " documents: expected one");
    }
    LeafReader only = opened.leaves().getFirst().reader();
    leaf = only;
    rowOfDoc = new int[size];
    NumericDocValues values = only.getNumericDocValues(ROW);
    for (int doc = 0; doc < size; doc++) {
      values.advanceExact(doc);
      rowOfDoc[doc] = (int) values.longValue();
    }
  }

  @Override
  public int search(float[] query, int ef, int k, int[] rows, float[] distances)
      throws IOException {
    LeafReader segment = segment();
    TopKnnCollector collector = new TopKnnCollector(Math.max(ef, k), Integer.MAX_VALUE);
    segment.searchNearestVectors(
        VECTOR, query, collector, AcceptDocs.fromLiveDocs(null, segment.maxDoc()));
    return nearest(segment, query, collector.topDocs().scoreDocs, k, rows, distances);
  }

  @Override
  public void filters(List<BitSet> passing) {
    filters = new LuceneFilters(segment(), VECTOR, rowOfDoc, passing);
  }

  /** Has one form of filter only, a bit set whose cardinality is known. */
  @Override
  public int search(
      float[] query, int filter, Form form, int ef, int k, int[] rows, float[] distances)
      throws IOException {
    LuceneFilters made = filters;
    if (made == null) {
      throw new IllegalStateException("filtered search before filters");
    }
    ScoreDoc[] hits = made.search(query, filter, Math.max(ef, k));
    return nearest(segment(), query, hits, k, rows, distances);
  }

  private int nearest(
      LeafReader segment, float[] query, ScoreDoc[] found, int k, int[] rows, float[] distances)
      throws IOException {
    ScoreDoc[] hits = codes.rescored(segment, VECTOR, query, found, k);
    int count = Math.min(k, hits.length);
    for (int i = 0; i < count; i++) {
      ScoreDoc hit = hits[i];
      rows[i] = rowOfDoc[hit.doc];
      distances[i] = 2 - 2 * hit.score; // score is (1 + dot) / 2
    }
    return count;
  }

  private LeafReader segment() {
    LeafReader segment = leaf;
    if (segment == null) {
      throw new IllegalStateException("search before build");
    }
    return segment;
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      reader.close();
      reader.directory().close();
      reader = null;
      leaf = null;
      filters = null;
    }
  }
}
