package dev.petunia.dedup;

import java.util.Arrays;

/** A growing column of ints in pages, so that it grows without a copy and without much room. */
final class IntTable {
  private static final int BITS = 10;
  private static final int PAGE = 1 << BITS;

  private int[][] pages = {new int[16]};
  private int size;

  void add(int item) {
    int page = size >>> BITS;
    int at = size & PAGE - 1;
    if (page == pages.length) {
      pages = Arrays.copyOf(pages, 2 * page);
    }
    int[] p = pages[page];
    if (p == null) {
      p = pages[page] = new int[PAGE];
    } else if (at == p.length) {
      p = pages[page] = Arrays.copyOf(p, 2 * at); // the first page only
    }
    p[at] = item;
    size++;
  }

  int get(int i) {
    return pages[i >>> BITS][i & PAGE - 1];
  }

  void set(int i, int item) {
    pages[i >>> BITS][i & PAGE - 1] = item;
  }

  int size() {
    return size;
  }
}
