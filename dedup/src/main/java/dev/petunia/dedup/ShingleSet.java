package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The hashed word 5-shingles of a text: distinct, sorted as unsigned 64-bit numbers. Immutable.
 *
 * <p>A text of one to four tokens has one shingle, of all of them, which no longer text can have. A
 * text without tokens has none, and is similar to nothing, not even to another such text.
 *
 * <p>Serial form, little-endian, 16 + 8·n bytes: u32 version, u32 flags (0), u32 count n, u32
 * tokens, then n hashes, ascending. A chunk of 300 tokens takes about 2.4 KB.
 */
public final class ShingleSet {
  private static final int HEADER = 16;

  private final long[] hashes;
  private final int tokens;
  private final int version;

  /** Takes the array over; it must be sorted and distinct. */
  ShingleSet(long[] hashes, int tokens, int version) {
    this.hashes = hashes;
    this.tokens = tokens;
    this.version = version;
  }

  /** The array itself, for reading. */
  long[] raw() {
    return hashes;
  }

  /** A copy of the hashes, sorted as unsigned numbers. */
  public long[] hashes() {
    return hashes.clone();
  }

  /** How many distinct shingles. */
  public int size() {
    return hashes.length;
  }

  /** How many tokens the text had. */
  public int tokens() {
    return tokens;
  }

  /** The version of the normalizer that made it. */
  public int version() {
    return version;
  }

  /** Whether there are no shingles, so that it is similar to nothing. */
  public boolean isEmpty() {
    return hashes.length == 0;
  }

  /**
   * How much it shares with another set.
   *
   * @throws IllegalArgumentException when the versions differ: such sets can't be compared
   */
  public Overlap overlap(ShingleSet other) {
    if (Checks.present("other", other).version != version) {
      throw Checks.bad("other.version", other.version, version + ", the version of this set");
    }
    int inter = Jaccard.intersection(hashes, hashes.length, other.hashes, other.hashes.length);
    return new Overlap(inter, hashes.length + other.hashes.length - inter);
  }

  /** The serial form. */
  public byte[] toBytes() {
    ByteBuffer b = ByteBuffer.allocate(HEADER + 8 * hashes.length).order(ByteOrder.LITTLE_ENDIAN);
    b.putInt(version).putInt(0).putInt(hashes.length).putInt(tokens);
    for (long h : hashes) {
      b.putLong(h);
    }
    return b.array();
  }

  /**
   * Reads the serial form. Any version is read, since it can be kept and told apart; only sets of
   * the same version compare.
   *
   * @throws IllegalArgumentException when the bytes are not such a form
   */
  public static ShingleSet fromBytes(byte[] bytes) {
    if (Checks.present("bytes", bytes).length < HEADER) {
      throw Checks.badSize("bytes", bytes.length + " bytes", "at least " + HEADER);
    }
    ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int version = b.getInt();
    int flags = b.getInt();
    int count = b.getInt();
    int tokens = b.getInt();
    if (version < 1) {
      throw Checks.bad("bytes.version", version, "1 or more");
    }
    if (flags != 0) {
      throw Checks.bad("bytes.flags", flags, "0");
    }
    if (count < 0 || bytes.length != HEADER + 8L * count) {
      throw Checks.bad("bytes.count", count, (bytes.length - HEADER) / 8.0 + ", as long as it is");
    }
    if (tokens < count) {
      throw Checks.bad("bytes.tokens", tokens, "at least the count, " + count);
    }
    long[] hashes = new long[count];
    for (int i = 0; i < count; i++) {
      hashes[i] = b.getLong();
      if (i > 0 && Long.compareUnsigned(hashes[i - 1], hashes[i]) >= 0) {
        throw Checks.bad(
            "bytes.hashes[" + i + "]", hashes[i], "more than the one before, unsigned");
      }
    }
    return new ShingleSet(hashes, tokens, version);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ShingleSet s
        && s.version == version
        && s.tokens == tokens
        && Arrays.equals(s.hashes, hashes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(hashes);
  }

  @Override
  public String toString() {
    return hashes.length + " shingles of " + tokens + " tokens, version " + version;
  }
}
