package dev.petunia.dedup;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/** What one text gives, made by any thread. */
final class Prepared {
  private static final ThreadLocal<MessageDigest> DIGEST =
      ThreadLocal.withInitial(Resources::sha256);

  final Document document;
  final long sequence;
  final byte[] sha;
  ShingleSet set = new ShingleSet(new long[0], 0, Normalizer.VERSION);
  long fingerprint;

  /** Hashes of the tokens, in order. */
  long[] tokens = new long[0];

  int[] ruleCounts = new int[0];

  /**
   * Hashes.
   *
   * @param next the place of a document that is given none
   */
  Prepared(Document document, long next) {
    this.document = document;
    sequence = document.sequence() == Document.NEXT ? next : document.sequence();
    sha = sha256(document.text());
  }

  /** Normalizes and shingles. */
  void shingle() {
    Scratch w = Normalizer.scratch();
    set = Shingler.shingles(document.text(), w);
    fingerprint = fingerprint(set.raw());
    tokens = Arrays.copyOf(w.tokenHashes, w.tokens);
    for (int n : w.ruleCounts) {
      if (n > 0) {
        ruleCounts = w.ruleCounts.clone();
        break;
      }
    }
  }

  /** A hash of a whole set; equal sets are told by their elements. */
  static long fingerprint(long[] set) {
    long h = set.length;
    for (long x : set) {
      h = (h ^ x) * 0x9FB21C651E98DF25L;
      h ^= h >>> 29;
    }
    return h;
  }

  /** SHA-256 of the UTF-8 with CR LF as LF; half characters as UTF-8 would write them. */
  static byte[] sha256(String text) {
    MessageDigest digest = DIGEST.get(); // digest() leaves it as new
    String t = text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n");
    byte[] plain = t.getBytes(StandardCharsets.UTF_8);
    if (!hasHalves(t)) {
      return digest.digest(plain);
    }
    // the JDK would write '?' for each half, and two different texts would be one
    Scratch w = new Scratch();
    w.begin(3 * t.length());
    for (int i = 0; i < t.length(); ) {
      int c = t.codePointAt(i);
      w.put(c);
      i += Character.charCount(c);
    }
    digest.update(w.bytes, 0, w.length);
    return digest.digest();
  }

  private static boolean hasHalves(String t) {
    for (int i = 0; i < t.length(); i++) {
      if (Character.isSurrogate(t.charAt(i))) {
        int c = t.codePointAt(i);
        if (c <= 0xFFFF) {
          return true;
        }
        i++;
      }
    }
    return false;
  }
}
