package dev.petunia.lexical;

import dev.petunia.core.Chunk;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.lucene.util.BytesRef;

/**
 * Attributes as terms of one field and points of another, whatever their names and types are.
 *
 * <pre>{@code
 * term    key:16 bytes  tag:1 byte  payload
 * key     the first 16 bytes of SHA-256 of the attribute's name in UTF-8
 * tag     'E' the attribute is there              no payload
 *         'S' a String                            its UTF-8
 *         'L' an element of a list                its UTF-8
 *         'H' a String or element that is long    SHA-256 of its UTF-8
 *         'X' a String that is long               no payload
 *         'N' a number                            NumberCode, 10 bytes
 *         'B' a Boolean                           1 or 0
 * point   2 dimensions of 16 bytes: key, NumberCode
 * }</pre>
 *
 * <p>Long is above {@value #MAX_SHORT} bytes of UTF-8: Lucene refuses terms above 32,766, and terms
 * of that size are slow. Filters that need more of a long String than its equality read the stored
 * chunk (tag X finds which). {@code entryId} is stored as an attribute of that name, which no
 * attribute can have.
 */
final class AttributeTerms {
  /** Longest value, in bytes of UTF-8, that is a term in full. */
  static final int MAX_SHORT = 1024;

  static final int KEY_LENGTH = 16;
  static final String ENTRY_ID = "entryId";

  static final byte EXISTS = 'E';
  static final byte STRING = 'S';
  static final byte ELEMENT = 'L';
  static final byte LONG_HASH = 'H';
  static final byte LONG_STRING = 'X';
  static final byte NUMBER = 'N';
  static final byte BOOLEAN = 'B';

  private static final byte[] NONE = {};

  /** Keys of the names seen; one object serves one batch. */
  private final Map<String, byte[]> keys = new HashMap<>();

  /** Hands over all terms of a chunk, and key and value of all points. */
  void forEach(Chunk chunk, Consumer<BytesRef> term, BiConsumer<byte[], byte[]> point) {
    ofValue(ENTRY_ID, chunk.entryId(), term, point);
    chunk.attributes().forEach((name, value) -> ofValue(name, value, term, point));
  }

  private void ofValue(
      String name, Object value, Consumer<BytesRef> term, BiConsumer<byte[], byte[]> point) {
    byte[] key = keys.computeIfAbsent(name, AttributeTerms::key);
    term.accept(term(key, EXISTS, NONE));
    switch (value) {
      case String s -> {
        byte[] utf8 = utf8(s);
        term.accept(stringTerm(key, STRING, utf8));
        if (utf8.length > MAX_SHORT) {
          term.accept(term(key, LONG_STRING, NONE));
        }
      }
      case List<?> list ->
          list.forEach(e -> term.accept(stringTerm(key, ELEMENT, utf8((String) e))));
      case Boolean b -> term.accept(term(key, BOOLEAN, payload(b)));
      default -> {
        term.accept(term(key, NUMBER, NumberCode.encode(value)));
        point.accept(key, NumberCode.encodePoint(value));
      }
    }
  }

  /** The terms of which a chunk has one when its attribute equals a value. */
  static List<BytesRef> equal(String name, Object value) {
    byte[] key = key(name);
    return switch (value) {
      case String s -> {
        byte[] utf8 = utf8(s);
        yield utf8.length > MAX_SHORT
            ? List.of(term(key, LONG_HASH, sha256(utf8)))
            : List.of(term(key, ELEMENT, utf8), term(key, STRING, utf8));
      }
      case Boolean b -> List.of(term(key, BOOLEAN, payload(b)));
      default -> List.of(term(key, NUMBER, NumberCode.encode(value)));
    };
  }

  private static byte[] payload(boolean b) {
    return new byte[] {(byte) (b ? 1 : 0)};
  }

  private static BytesRef stringTerm(byte[] key, byte tag, byte[] utf8) {
    return utf8.length > MAX_SHORT ? term(key, LONG_HASH, sha256(utf8)) : term(key, tag, utf8);
  }

  static BytesRef term(byte[] key, byte tag, byte[] payload) {
    byte[] bytes = new byte[KEY_LENGTH + 1 + payload.length];
    System.arraycopy(key, 0, bytes, 0, KEY_LENGTH);
    bytes[KEY_LENGTH] = tag;
    System.arraycopy(payload, 0, bytes, KEY_LENGTH + 1, payload.length);
    return new BytesRef(bytes);
  }

  static BytesRef term(byte[] key, byte tag) {
    return term(key, tag, NONE);
  }

  static byte[] key(String name) {
    byte[] hash = sha256(utf8(name));
    byte[] key = new byte[KEY_LENGTH];
    System.arraycopy(hash, 0, key, 0, KEY_LENGTH);
    return key;
  }

  static byte[] utf8(String s) {
    return s.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
