package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;
import java.util.Arrays;

/**
 * Texts to {@link ShingleSet}s: normalizer v1, XXH3-64 of each token's UTF-8 with seed 0, and a
 * position-sensitive mix of five of these. All constants are frozen with the normalizer's version.
 *
 * <p>A shingle's hash is fmix64(5 + Σ h[i + j]·C[j]), j from 0 to 4, fmix64 being the finalizer of
 * MurmurHash3; a text with 1 to 4 tokens has fmix64(n + Σ h[j]·C[j]) alone. 10 million distinct
 * shingles give 3·10⁻⁶ expected collisions: enough for sets, not for identity, which is SHA-256's
 * part. Safe for use by many threads.
 */
public final class Shingler {
  private static final Shingler V1 = new Shingler();

  private static final long C0 = 0x9E3779B97F4A7C15L;
  private static final long C1 = 0xBF58476D1CE4E5B9L;
  private static final long C2 = 0x94D049BB133111EBL;
  private static final long C3 = 0xD6E8FEB86659FD93L;
  private static final long C4 = 0xA0761D6478BD642FL;

  /** Tokens in a shingle. */
  static final int WIDTH = 5;

  private Shingler() {}

  /** Shingles of normalizer v1. */
  public static Shingler v1() {
    return V1;
  }

  /** The version that its sets carry. */
  public int version() {
    return Normalizer.VERSION;
  }

  /** The shingles of any text. */
  public ShingleSet shingles(String text) {
    Checks.present("text", text);
    Scratch w = Normalizer.scratch();
    return shingles(text, w);
  }

  /** Leaves the tokens' hashes in the scratch. */
  static ShingleSet shingles(String text, Scratch w) {
    Normalizer.run(text, w);
    int n = w.tokens;
    if (w.tokenHashes.length < n) {
      w.tokenHashes = new long[n + (n >> 1)];
      w.shingles = new long[n + (n >> 1)];
    }
    long[] h = w.tokenHashes;
    byte[] b = w.bytes;
    for (int i = 0; i < n; i++) {
      h[i] = Xxh3.hash(b, w.starts[i], w.ends[i] - w.starts[i]);
    }
    return new ShingleSet(sorted(h, n, w.shingles), n, Normalizer.VERSION);
  }

  private static long[] sorted(long[] h, int n, long[] s) {
    if (n == 0) {
      return new long[0];
    }
    if (n < WIDTH) {
      long sum = n + h[0] * C0;
      sum += n > 1 ? h[1] * C1 : 0;
      sum += n > 2 ? h[2] * C2 : 0;
      sum += n > 3 ? h[3] * C3 : 0;
      return new long[] {mix(sum)};
    }
    int count = n - WIDTH + 1;
    for (int i = 0; i < count; i++) {
      long sum = WIDTH + h[i] * C0 + h[i + 1] * C1 + h[i + 2] * C2 + h[i + 3] * C3 + h[i + 4] * C4;
      s[i] = mix(sum) ^ Long.MIN_VALUE; // so that the signed sort gives the unsigned order
    }
    Arrays.sort(s, 0, count);
    int distinct = 1;
    for (int i = 1; i < count; i++) {
      if (s[i] != s[distinct - 1]) {
        s[distinct++] = s[i];
      }
    }
    long[] out = new long[distinct];
    for (int i = 0; i < distinct; i++) {
      out[i] = s[i] ^ Long.MIN_VALUE;
    }
    return out;
  }

  private static long mix(long x) {
    long h = (x ^ x >>> 33) * 0xFF51AFD7ED558CCDL;
    h = (h ^ h >>> 33) * 0xC4CEB9FE1A85EC53L;
    return h ^ h >>> 33;
  }
}
