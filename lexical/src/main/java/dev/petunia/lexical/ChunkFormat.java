package dev.petunia.lexical;

import dev.petunia.core.Chunk;
import dev.petunia.core.internal.Checks;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.BinaryPoint;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.util.BytesRef;

/**
 * A chunk as a Lucene document. The fields are always these; no name in a chunk becomes one.
 *
 * <pre>{@code
 * id       term and binary doc value   the id's UTF-8
 * chunk    stored bytes                the whole chunk: ChunkCodec
 * ordinal  numeric doc value
 * text     terms with frequencies      as TextAnalysis cuts it; no positions
 * attr     terms                       attributes and entryId: AttributeTerms
 * num      points                      numeric attributes: AttributeTerms
 * signal.N binary doc value            the signal of name N, when the chunk has it
 * }</pre>
 */
final class ChunkFormat {
  /** Version of all of the above. */
  static final String VERSION = "1";

  static final String ID = "id";
  static final String CHUNK = "chunk";
  static final String ORDINAL = "ordinal";
  static final String TEXT = "text";
  static final String ATTRIBUTES = "attr";
  static final String NUMBERS = "num";
  static final String SIGNAL = "signal.";

  private static final Set<String> CHUNK_ONLY = Set.of(CHUNK);
  private static final FieldType TEXT_TYPE = new FieldType();
  private static final FieldType ATTRIBUTE_TYPE = new FieldType();

  static {
    TEXT_TYPE.setTokenized(true);
    TEXT_TYPE.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    TEXT_TYPE.freeze();
    ATTRIBUTE_TYPE.setTokenized(false);
    ATTRIBUTE_TYPE.setOmitNorms(true);
    ATTRIBUTE_TYPE.setIndexOptions(IndexOptions.DOCS);
    ATTRIBUTE_TYPE.freeze();
  }

  private ChunkFormat() {}

  /** The id's term; refuses ids that Lucene can't hold. */
  static BytesRef idTerm(Chunk chunk) {
    byte[] utf8 = AttributeTerms.utf8(chunk.id());
    if (utf8.length > IndexWriter.MAX_TERM_LENGTH) {
      throw Checks.bad(
          "id",
          chunk.id().substring(0, 40) + "... of " + utf8.length + " bytes",
          "at most " + IndexWriter.MAX_TERM_LENGTH + " bytes of UTF-8");
    }
    return new BytesRef(utf8);
  }

  /** The field of a signal. Not stored with the chunk: it is read alone, and set alone. */
  static String signalField(String name) {
    return SIGNAL + name;
  }

  /**
   * The document of a chunk.
   *
   * @param signals bytes by field
   */
  static Document document(Chunk chunk, AttributeTerms terms, Map<String, byte[]> signals) {
    Document d = new Document();
    BytesRef id = idTerm(chunk);
    d.add(new StringField(ID, id, Field.Store.NO));
    d.add(new BinaryDocValuesField(ID, id));
    d.add(new NumericDocValuesField(ORDINAL, chunk.ordinal()));
    d.add(new StoredField(CHUNK, ChunkCodec.encode(chunk)));
    d.add(new Field(TEXT, chunk.text(), TEXT_TYPE));
    terms.forEach(
        chunk,
        term -> d.add(new Field(ATTRIBUTES, term, ATTRIBUTE_TYPE)),
        (key, number) -> d.add(new BinaryPoint(NUMBERS, new byte[][] {key, number})));
    signals.forEach((field, bytes) -> d.add(new BinaryDocValuesField(field, new BytesRef(bytes))));
    return d;
  }

  static Chunk read(StoredFields stored, int doc) throws IOException {
    BytesRef bytes = bytes(stored, doc);
    return ChunkCodec.decode(bytes.bytes, bytes.offset, bytes.length);
  }

  static ChunkCodec.Facts readFacts(StoredFields stored, int doc) throws IOException {
    BytesRef bytes = bytes(stored, doc);
    return ChunkCodec.decodeFacts(bytes.bytes, bytes.offset, bytes.length);
  }

  private static BytesRef bytes(StoredFields stored, int doc) throws IOException {
    BytesRef bytes = stored.document(doc, CHUNK_ONLY).getBinaryValue(CHUNK);
    if (bytes == null) {
      throw new org.apache.lucene.index.CorruptIndexException(
          "document " + doc + " has no stored chunk", CHUNK);
    }
    return bytes;
  }

  /** The terms by which an entry's chunks are found. */
  static List<BytesRef> entryTerms(String entryId) {
    return AttributeTerms.equal(AttributeTerms.ENTRY_ID, entryId);
  }
}
