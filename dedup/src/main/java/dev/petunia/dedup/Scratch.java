package dev.petunia.dedup;

import java.util.Arrays;

/** What one run of the normalizer needs and leaves; used again for the next text. */
final class Scratch {
  /** The folded text in UTF-8, in the first {@link #length} places. */
  byte[] bytes = new byte[4096];

  int length;

  /** Token i is bytes starts[i] to ends[i]. */
  int[] starts = new int[512];

  int[] ends = new int[512];
  int tokens;

  boolean hasEscape;
  boolean hasFormFeed;

  int unpaired;
  int unassigned;
  int dropped;
  int splitMarks;
  final int[] ruleCounts = new int[Boilerplate.IDS.size()];

  /** Hashes of tokens and of shingles. */
  long[] tokenHashes = new long[512];

  long[] shingles = new long[512];

  final StringBuilder segment = new StringBuilder();

  void begin(int chars) {
    length = 0;
    tokens = 0;
    hasEscape = false;
    hasFormFeed = false;
    unpaired = 0;
    unassigned = 0;
    dropped = 0;
    splitMarks = 0;
    Arrays.fill(ruleCounts, 0);
    if (bytes.length < chars + 8) {
      bytes = new byte[chars + (chars >> 1) + 8];
    }
  }

  void put(int codePoint) {
    if (bytes.length - length < 4) {
      bytes = Arrays.copyOf(bytes, bytes.length * 2);
    }
    byte[] b = bytes;
    if (codePoint < 0x80) {
      b[length++] = (byte) codePoint;
    } else if (codePoint < 0x800) {
      b[length++] = (byte) (0xC0 | (codePoint >> 6));
      b[length++] = (byte) (0x80 | (codePoint & 0x3F));
    } else if (codePoint < 0x10000) {
      b[length++] = (byte) (0xE0 | (codePoint >> 12));
      b[length++] = (byte) (0x80 | ((codePoint >> 6) & 0x3F));
      b[length++] = (byte) (0x80 | (codePoint & 0x3F));
    } else {
      b[length++] = (byte) (0xF0 | (codePoint >> 18));
      b[length++] = (byte) (0x80 | ((codePoint >> 12) & 0x3F));
      b[length++] = (byte) (0x80 | ((codePoint >> 6) & 0x3F));
      b[length++] = (byte) (0x80 | (codePoint & 0x3F));
    }
  }

  void token(int from, int to) {
    if (tokens == starts.length) {
      starts = Arrays.copyOf(starts, tokens * 2);
      ends = Arrays.copyOf(ends, tokens * 2);
    }
    starts[tokens] = from;
    ends[tokens++] = to;
  }

  /** Whether it has grown beyond what is worth keeping. */
  boolean isLarge() {
    return bytes.length > 1 << 20;
  }
}
