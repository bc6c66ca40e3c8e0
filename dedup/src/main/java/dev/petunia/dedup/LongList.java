package dev.petunia.dedup;

import java.util.Arrays;

/** A growing column of longs in pages, as {@link IntTable}. */
final class LongList {
  private static final int BITS = 10;
  private static final int PAGE = 1 << BITS;

  private long[][] pages = {new long[16]};
  private int size;

  void add(long item) {
    int page = size >>> BITS;
    int at = size & PAGE - 1;
    if (page == pages.length) {
      pages = Arrays.copyOf(pages, 2 * page);
    }
    long[] p = pages[page];
    if (p == null) {
      p = pages[page] = new long[PAGE];
    } else if (at == p.length) {
      p = pages[page] = Arrays.copyOf(p, 2 * at); // the first page only
    }
    p[at] = item;
    size++;
  }

  long get(int i) {
    return pages[i >>> BITS][i & PAGE - 1];
  }

  void set(int i, long value) {
    pages[i >>> BITS][i & PAGE - 1] = value;
  }

  int size() {
    return size;
  }
}
