package dev.petunia.lexical;

import dev.petunia.core.Chunk;
import dev.petunia.core.internal.Checks;
import dev.petunia.core.internal.Utf8Order;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;

/** Chunks of one snapshot by id and by entry. */
final class ChunkReads {
  /** The order of an entry. */
  private static final Comparator<Place> BY_ORDINAL =
      Comparator.comparingInt(Place::ordinal).thenComparing(Place::id, Utf8Order.COMPARATOR);

  private final ChunkSearcher searcher;
  private final List<LeafReaderContext> leaves;

  ChunkReads(ChunkSearcher searcher) {
    this.searcher = searcher;
    this.leaves = searcher.getIndexReader().leaves();
  }

  private record Place(int doc, int ordinal, String id) {}

  boolean contains(String id) throws IOException {
    return !documents(List.of(id)).isEmpty();
  }

  /** Those of the ids that are here. */
  Set<String> contained(Collection<String> ids) throws IOException {
    return documents(ids).keySet();
  }

  /** All signals of a chunk that is here: bytes by field. */
  Map<String, byte[]> allSignals(String id) throws IOException {
    Map<String, byte[]> all = new HashMap<>();
    for (LeafReaderContext leaf : leaves) {
      for (FieldInfo field : leaf.reader().getFieldInfos()) {
        if (field.name.startsWith(ChunkFormat.SIGNAL) && !all.containsKey(field.name)) {
          byte[] bytes = signals(field.name, List.of(id)).get(id);
          if (bytes != null) {
            all.put(field.name, bytes);
          }
        }
      }
    }
    return all;
  }

  /** The bytes of a signal by id, of those that have it. */
  Map<String, byte[]> signals(String field, Collection<String> ids) throws IOException {
    List<Map.Entry<String, Integer>> documents = new ArrayList<>(documents(ids).entrySet());
    documents.sort(Map.Entry.comparingByValue()); // doc values are read forward
    Map<String, byte[]> found = HashMap.newHashMap(documents.size());
    int leaf = -1;
    BinaryDocValues values = null;
    for (Map.Entry<String, Integer> e : documents) {
      int at = ReaderUtil.subIndex(e.getValue(), leaves);
      if (at != leaf) {
        leaf = at;
        values = leaves.get(at).reader().getBinaryDocValues(field);
      }
      if (values != null && values.advanceExact(e.getValue() - leaves.get(leaf).docBase)) {
        BytesRef bytes = values.binaryValue();
        found.put(
            e.getKey(), Arrays.copyOfRange(bytes.bytes, bytes.offset, bytes.offset + bytes.length));
      }
    }
    return found;
  }

  /** In the order asked for, absent ones left out. */
  List<Chunk> get(Collection<String> ids) throws IOException {
    Map<String, Integer> documents = documents(ids);
    int[] wanted = ids.stream().mapToInt(id -> documents.getOrDefault(id, -1)).toArray();
    return read(Arrays.stream(wanted).filter(doc -> doc >= 0).toArray());
  }

  List<Chunk> entry(String entryId) throws IOException {
    return read(places(entryId).stream().mapToInt(Place::doc).toArray());
  }

  List<Chunk> neighbours(String id, int before, int after) throws IOException {
    List<Chunk> self = get(List.of(id));
    if (self.isEmpty()) {
      return List.of();
    }
    List<Place> places = places(self.getFirst().entryId());
    int at = 0;
    while (!places.get(at).id().equals(id)) {
      at++;
    }
    int from = Math.max(0, at - before);
    int to = (int) Math.min(places.size(), at + 1L + after);
    List<Place> near = new ArrayList<>(places.subList(from, at));
    near.addAll(places.subList(at + 1, to));
    return read(near.stream().mapToInt(Place::doc).toArray());
  }

  /** Documents by id, of those that are there. */
  private Map<String, Integer> documents(Collection<String> ids) throws IOException {
    TreeSet<BytesRef> sorted = new TreeSet<>(); // seeks go forward through each dictionary
    ids.forEach(id -> sorted.add(new BytesRef(Checks.id("id", id))));
    Map<String, Integer> documents = new HashMap<>();
    for (LeafReaderContext leaf : leaves) {
      Terms terms = leaf.reader().terms(ChunkFormat.ID);
      if (terms == null || documents.size() == sorted.size()) {
        continue;
      }
      Bits live = leaf.reader().getLiveDocs();
      TermsEnum at = terms.iterator();
      PostingsEnum docs = null;
      for (BytesRef id : sorted) {
        if (at.seekExact(id)) {
          docs = at.postings(docs, PostingsEnum.NONE);
          int doc = docs.nextDoc();
          while (doc != DocIdSetIterator.NO_MORE_DOCS && live != null && !live.get(doc)) {
            doc = docs.nextDoc();
          }
          if (doc != DocIdSetIterator.NO_MORE_DOCS) {
            documents.put(id.utf8ToString(), leaf.docBase + doc);
          }
        }
      }
    }
    return documents;
  }

  /** The chunks of an entry in its order. */
  private List<Place> places(String entryId) throws IOException {
    List<Place> places = new ArrayList<>();
    for (LeafReaderContext leaf : leaves) {
      Terms terms = leaf.reader().terms(ChunkFormat.ATTRIBUTES);
      if (terms == null) {
        continue;
      }
      TermsEnum at = terms.iterator();
      for (BytesRef term : ChunkFormat.entryTerms(entryId)) {
        if (at.seekExact(term)) {
          addPlaces(leaf, at.postings(null, PostingsEnum.NONE), places);
        }
      }
    }
    places.sort(BY_ORDINAL);
    return places;
  }

  private static void addPlaces(LeafReaderContext leaf, PostingsEnum docs, List<Place> places)
      throws IOException {
    Bits live = leaf.reader().getLiveDocs();
    NumericDocValues ordinals = leaf.reader().getNumericDocValues(ChunkFormat.ORDINAL);
    BinaryDocValues ids = leaf.reader().getBinaryDocValues(ChunkFormat.ID);
    for (int d = docs.nextDoc(); d != DocIdSetIterator.NO_MORE_DOCS; d = docs.nextDoc()) {
      if ((live == null || live.get(d)) && ordinals.advanceExact(d) && ids.advanceExact(d)) {
        places.add(
            new Place(
                leaf.docBase + d, (int) ordinals.longValue(), ids.binaryValue().utf8ToString()));
      }
    }
  }

  /** Reads in the order of the files, and returns in the order given. */
  private List<Chunk> read(int[] docs) throws IOException {
    StoredFields stored = searcher.storedFields();
    Map<Integer, Chunk> chunks = new HashMap<>();
    for (int doc : Arrays.stream(docs).sorted().distinct().toArray()) {
      chunks.put(doc, ChunkFormat.read(stored, doc));
    }
    return Arrays.stream(docs).mapToObj(doc -> require(chunks, doc)).toList();
  }

  private static Chunk require(Map<Integer, Chunk> chunks, int doc) {
    Chunk chunk = chunks.get(doc);
    if (chunk == null) {
      throw new AssertionError("document " + doc + " was read");
    }
    return chunk;
  }
}
