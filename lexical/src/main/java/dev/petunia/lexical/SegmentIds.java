package dev.petunia.lexical;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/**
 * The ids of one segment in memory: to find documents by id faster than its term dictionary does
 * (0.2 µs instead of 5.5 µs with 100,000 chunks, on a busy machine), and after its reader has been
 * closed.
 *
 * <p>An open-addressing table of document numbers (load at most one half), over the ids' bytes in
 * pages of {@value #PAGE_DOCS} documents; so that the bytes of any number of ids fit in arrays.
 * About 12 to 20 bytes plus the id's length per document.
 *
 * <p>One id may be in a segment more than once: replaced documents stay until a merge.
 */
final class SegmentIds {
  private static final int PAGE_BITS = 16;
  static final int PAGE_DOCS = 1 << PAGE_BITS;

  /** So that the table's length is an int. */
  private static final int MAX_DOCS = (1 << 29) - 1;

  /** Document + 1, or 0 where empty. */
  private final int[] slots;

  private final byte[][] bytes;
  private final int[][] ends;

  private SegmentIds(int docs) {
    int pages = (docs + PAGE_DOCS - 1) >>> PAGE_BITS;
    bytes = new byte[pages][];
    ends = new int[pages][];
    if (docs > MAX_DOCS) {
      throw new IllegalStateException(
          "a segment has " + docs + " documents, allowed for compiled filters: " + MAX_DOCS);
    }
    slots = new int[Integer.highestOneBit(Math.max(docs, 1)) << 2];
  }

  static SegmentIds of(LeafReader reader) throws IOException {
    int docs = reader.maxDoc();
    SegmentIds ids = new SegmentIds(docs);
    BinaryDocValues values = reader.getBinaryDocValues(ChunkFormat.ID);
    for (int page = 0; page < ids.bytes.length; page++) {
      int from = page << PAGE_BITS;
      ids.readPage(page, from, Math.min(docs - from, PAGE_DOCS), values);
    }
    for (int doc = 0; doc < docs; doc++) {
      ids.insert(doc);
    }
    return ids;
  }

  private void readPage(int page, int from, int docs, BinaryDocValues values) throws IOException {
    int[] end = new int[docs + 1]; // of the id before; the first one begins at 0
    byte[] all = new byte[docs * 16];
    for (int i = 0; i < docs; i++) {
      if (!values.advanceExact(from + i)) {
        throw new org.apache.lucene.index.CorruptIndexException(
            "document " + (from + i) + " has no id", ChunkFormat.ID);
      }
      BytesRef id = values.binaryValue();
      end[i + 1] = end[i] + id.length;
      if (end[i + 1] > all.length) {
        all = Arrays.copyOf(all, (int) Math.min(end[i + 1] * 3L / 2, Integer.MAX_VALUE - 8));
      }
      System.arraycopy(id.bytes, id.offset, all, end[i], id.length);
    }
    bytes[page] = Arrays.copyOf(all, end[docs]);
    ends[page] = end;
  }

  private void insert(int doc) {
    byte[] page = bytes[doc >>> PAGE_BITS];
    int[] end = ends[doc >>> PAGE_BITS];
    int i = doc & (PAGE_DOCS - 1);
    int slot = hash(page, end[i], end[i + 1] - end[i]) & (slots.length - 1);
    while (slots[slot] != 0) {
      slot = (slot + 1) & (slots.length - 1);
    }
    slots[slot] = doc + 1;
  }

  static int hash(byte[] bytes, int offset, int length) {
    return StringHelper.murmurhash3_x86_32(bytes, offset, length, 0x9E3779B9);
  }

  /** Whether one of the documents of this id has its bit set. */
  boolean any(byte[] id, int hash, Bits bits) {
    int slot = hash & (slots.length - 1);
    for (; slots[slot] != 0; slot = (slot + 1) & (slots.length - 1)) {
      int doc = slots[slot] - 1;
      if (bits.get(doc) && isId(doc, id)) {
        return true;
      }
    }
    return false;
  }

  private boolean isId(int doc, byte[] id) {
    int[] end = ends[doc >>> PAGE_BITS];
    int i = doc & (PAGE_DOCS - 1);
    return Arrays.equals(bytes[doc >>> PAGE_BITS], end[i], end[i + 1], id, 0, id.length);
  }

  /** One table per segment, made when first needed and dropped with the segment. */
  static final class Cache {
    private final ConcurrentHashMap<IndexReader.CacheKey, SegmentIds> tables =
        new ConcurrentHashMap<>();

    SegmentIds get(LeafReader reader) throws IOException {
      IndexReader.CacheHelper segment = reader.getCoreCacheHelper();
      SegmentIds known = tables.get(segment.getKey());
      if (known == null) {
        known = of(reader); // by two threads at once: equal, one wins
        if (tables.putIfAbsent(segment.getKey(), known) == null) {
          segment.addClosedListener(tables::remove);
        }
      }
      return known;
    }

    int size() {
      return tables.size();
    }
  }
}
