package dev.petunia.dedup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Finds the similar pairs among groups that share crowded buckets, exactly and without comparing
 * all with all: by prefixes (Chaudhuri, Ganti, Kaushik 2006; Bayardo, Ma, Srikant 2007, §3). If
 * J(x, y) ≥ 0.8, then in any fixed order of elements the first |x| − ⌈0.8·|x|⌉ + 1 of x and those
 * of y have one in common. Any order is right; rare elements first makes it quick.
 *
 * <p>If this is the first element that both have, at places i and j of their orders, they share no
 * more than min(|x| − i, |y| − j), which rules out most pairs that meet in a template's elements
 * (Xiao, Wang, Lin, Yu 2008, §3, positional filter).
 *
 * <p>The order is by frequency when it was frozen; elements that came later count as rarest. When
 * the members have doubled since, it is frozen anew.
 */
final class HotJoin {
  private final SetSource sets;
  private final BitSet members = new BitSet();
  private final IntList list = new IntList();
  private int frozenAt;

  private LongTable elements = new LongTable();
  private int[] frequency = new int[0];

  /** Numbers the prefix elements. */
  private LongTable prefixes = new LongTable();

  /** For each prefix element: group, place in its order, size; and so on. */
  private final List<IntList> postings = new ArrayList<>();

  private int indexed;

  HotJoin(SetSource sets) {
    this.sets = sets;
  }

  int size() {
    return list.size();
  }

  /** Makes a group a member; {@link #index} must follow before the next probe. */
  void add(int group) {
    if (!members.get(group)) {
      members.set(group);
      list.add(group);
    }
  }

  /** Indexes the new members. */
  void index() {
    if (list.size() > 2 * frozenAt) {
      freeze();
    }
    for (; indexed < list.size(); indexed++) {
      int group = list.get(indexed);
      long[] set = sets.set(group);
      long[] prefix = prefix(set);
      for (int place = 0; place < prefix.length; place++) {
        int p = prefixes.add(prefix[place]);
        if (p == postings.size()) {
          postings.add(new IntList(3));
        }
        IntList posting = postings.get(p);
        posting.add(group);
        posting.add(place);
        posting.add(set.length);
      }
    }
  }

  private void freeze() {
    frozenAt = list.size();
    elements = new LongTable();
    frequency = new int[1024];
    for (int i = 0; i < list.size(); i++) {
      for (long element : sets.set(list.get(i))) {
        int e = elements.add(element);
        if (e >= frequency.length) {
          frequency = Arrays.copyOf(frequency, frequency.length * 2);
        }
        frequency[e]++;
      }
    }
    prefixes = new LongTable();
    postings.clear();
    indexed = 0;
  }

  private long[] prefix(long[] set) {
    int n = set.length;
    long[] order = new long[n];
    for (int i = 0; i < n; i++) {
      int e = elements.find(set[i]);
      // ties by place in the set, which is the order of the elements themselves
      order[i] = (long) (e < 0 ? 0 : frequency[e]) << 32 | i;
    }
    Arrays.sort(order);
    int need = (Jaccard.COUNTED_TENTHS * n + 9) / 10;
    long[] out = new long[n - need + 1];
    for (int i = 0; i < out.length; i++) {
      out[i] = set[(int) order[i]];
    }
    return out;
  }

  /** Calls for members with a smaller number that may be similar; each once. Safe beside others. */
  void probe(int group, long[] set, Visitor visitor) {
    IntList found = new IntList();
    long[] prefix = prefix(set);
    int n = set.length;
    for (int place = 0; place < prefix.length; place++) {
      int p = prefixes.find(prefix[place]);
      if (p < 0) {
        continue;
      }
      IntList posting = postings.get(p);
      for (int i = 0; i < posting.size(); i += 3) {
        int size = posting.get(i + 2);
        int most = Math.min(n - place, size - posting.get(i + 1));
        if (posting.get(i) < group && most >= Jaccard.need(n, size, Jaccard.COUNTED_TENTHS)) {
          found.add(posting.get(i));
        }
      }
    }
    found.sort();
    for (int i = 0; i < found.size(); i++) {
      if (i == 0 || found.get(i) != found.get(i - 1)) {
        visitor.visit(found.get(i));
      }
    }
  }

  /** Takes candidates. */
  interface Visitor {
    void visit(int group);
  }

  /** Where sets come from. */
  interface SetSource {
    long[] set(int group);
  }
}
