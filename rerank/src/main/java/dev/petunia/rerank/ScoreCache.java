package dev.petunia.rerank;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Scores that were computed to their end, least recently used out first. It belongs to one opened
 * model, whose scores of a query and a passage are always the same: passages run alone, and always
 * behind the same prefix. Keys are 128 bits of SHA-256 over everything a score depends on. Safe for
 * many threads.
 */
final class ScoreCache {
  /** What an entry takes on a 64-bit JVM: map entry 48, table slot 8 to 16, key 32, value 24. */
  static final int BYTES_PER_ENTRY = 128;

  private final long capacity;
  private final String salt;
  private final LinkedHashMap<Key, Value> entries = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param bytes most bytes; 0 for none
   * @param salt model, instruction and limits
   */
  ScoreCache(long bytes, String salt) {
    this.capacity = bytes / BYTES_PER_ENTRY;
    this.salt = salt;
  }

  /** 128 bits. */
  record Key(long high, long low) {}

  /** A finite logit. */
  record Value(double logit, boolean truncated) {}

  /** Makes the keys of one query. For one thread. */
  Keys keys(String query) {
    MessageDigest d;
    try {
      d = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
    // lengths first, so that moving a letter from one part to the next changes the key
    for (String part : new String[] {salt, query}) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      d.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
      d.update(bytes);
    }
    return new Keys(d);
  }

  /** Keys of one query. */
  static final class Keys {
    private final MessageDigest query;

    private Keys(MessageDigest query) {
      this.query = query;
    }

    Key of(String passage) {
      try {
        MessageDigest d = (MessageDigest) query.clone();
        ByteBuffer hash = ByteBuffer.wrap(d.digest(passage.getBytes(StandardCharsets.UTF_8)));
        return new Key(hash.getLong(), hash.getLong());
      } catch (CloneNotSupportedException e) {
        throw new AssertionError("the JDK's SHA-256 can be cloned", e);
      }
    }
  }

  synchronized @Nullable Value get(Key key) {
    return entries.get(key);
  }

  synchronized void put(Key key, Value value) {
    if (capacity == 0) {
      return;
    }
    entries.put(key, value);
    if (entries.size() > capacity) {
      Iterator<Key> eldest = entries.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
  }

  synchronized int size() {
    return entries.size();
  }
}
