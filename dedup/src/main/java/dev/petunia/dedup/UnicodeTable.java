package dev.petunia.dedup;

import java.util.Arrays;
import java.util.List;

/**
 * What the normalizer knows about code points, frozen at Unicode 16.0 in {@code unicode-v1.txt}.
 * Java's own tables move with each release, and shingles made by two of them could not be compared.
 *
 * <p>A line of the table is a run of code points of one class, {@code c START CLASS}, up to the
 * start of the next; or a run that folds, {@code f START COUNT STEP DELTA}. Classes: {@code w} word
 * (letters, numbers, underscore), {@code m} mark, {@code u} letter of a script written without
 * spaces, {@code s} everything else, {@code x} not assigned, {@code d} dropped. A capital letter
 * says that the code point may change in NFKC, alone or with what stands before it.
 */
final class UnicodeTable {
  static final int SEPARATOR = 0;
  static final int WORD = 1;
  static final int MARK = 2;
  static final int UNSPACED = 3;
  static final int UNASSIGNED = 4;
  static final int DROPPED = 5;

  private static final int CLASS = 7;

  /** NFKC must be asked. */
  private static final int UNSTABLE = 8;

  private static final int FOLDS = 16;
  private static final String LETTERS = "swmuxd";

  private static final String SHA_256 =
      "221083aaa26afdf8acb7b1b07e6f389ab368ae9a828393ead8ddecd4bcd1bede";

  private static final short[] BLOCKS = new short[0x1100];
  private static final byte[] FLAGS;
  private static final int[] FOLD_FROM;
  private static final int[] FOLD_TO;

  static {
    byte[] all = new byte[0x110000];
    List<String> lines = Resources.frozen("unicode-v1.txt", SHA_256);
    int[] from = new int[2048];
    int[] to = new int[2048];
    int folds = 0;
    for (String line : lines) {
      String[] f = line.split(" ", -1);
      int start = Integer.parseInt(f[1], 16);
      if (f[0].equals("c")) {
        char letter = f[2].charAt(0);
        int flags =
            LETTERS.indexOf(Character.toLowerCase(letter))
                | (Character.isUpperCase(letter) ? UNSTABLE : 0);
        Arrays.fill(all, start, all.length, (byte) flags);
      } else {
        int count = Integer.parseInt(f[2]);
        int step = Integer.parseInt(f[3]);
        for (int i = 0; i < count; i++) {
          from[folds] = start + i * step;
          to[folds++] = start + i * step + Integer.parseInt(f[4]);
        }
      }
    }
    FOLD_FROM = Arrays.copyOf(from, folds);
    FOLD_TO = Arrays.copyOf(to, folds);
    for (int c : FOLD_FROM) {
      all[c] |= FOLDS;
    }
    byte[] packed = new byte[0];
    for (int b = 0; b < BLOCKS.length; b++) {
      byte[] block = Arrays.copyOfRange(all, b << 8, (b + 1) << 8);
      int at = 0;
      while (at < packed.length && !Arrays.equals(packed, at, at + 256, block, 0, 256)) {
        at += 256;
      }
      if (at == packed.length) {
        packed = Arrays.copyOf(packed, at + 256);
        System.arraycopy(block, 0, packed, at, 256);
      }
      BLOCKS[b] = (short) (at >> 8);
    }
    FLAGS = packed;
  }

  private UnicodeTable() {}

  private static int flags(int codePoint) {
    return FLAGS[(BLOCKS[codePoint >> 8] << 8) | (codePoint & 0xFF)];
  }

  /** One of the classes above. */
  static int classOf(int codePoint) {
    return flags(codePoint) & CLASS;
  }

  /** Whether NFKC leaves it alone, whatever comes before it. */
  static boolean isStable(int codePoint) {
    return (flags(codePoint) & UNSTABLE) == 0;
  }

  /** The code point without case; simple, one to one, of no language. */
  static int fold(int codePoint) {
    return (flags(codePoint) & FOLDS) == 0
        ? codePoint
        : FOLD_TO[Arrays.binarySearch(FOLD_FROM, codePoint)];
  }
}
