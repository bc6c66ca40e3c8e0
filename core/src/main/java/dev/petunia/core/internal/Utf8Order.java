package dev.petunia.core.internal;

import java.util.Comparator;

/**
 * The order of ids: by their UTF-8 bytes, unsigned, which is the order of code points.
 *
 * <p>{@link String#compareTo} orders by UTF-16 units and differs from it where a supplementary
 * character meets one of U+E000..U+FFFF. Lucene sorts terms by UTF-8 bytes, so one order serves
 * all.
 */
public final class Utf8Order {
  /** The order as a comparator. */
  public static final Comparator<String> COMPARATOR = Utf8Order::compare;

  private Utf8Order() {}

  /** Compares by UTF-8 bytes; allocates nothing. */
  public static int compare(String a, String b) {
    int n = Math.min(a.length(), b.length());
    for (int i = 0; i < n; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        boolean xs = Character.isSurrogate(x);
        boolean ys = Character.isSurrogate(y);
        // a surrogate stands for a code point above U+FFFF, hence above every other char
        return xs == ys ? Character.compare(x, y) : xs ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
