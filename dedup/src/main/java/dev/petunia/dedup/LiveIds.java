package dev.petunia.dedup;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The chunks that are there, by id: their numbers in an open table, since the ids are kept by
 * number already. A {@link java.util.HashMap} took 80 bytes a chunk more.
 */
final class LiveIds {
  private final List<String> ids;

  /** Numbers plus 1; 0 is free. */
  private int[] slots = new int[32];

  private int size;

  /** Of ids by number. */
  LiveIds(List<String> ids) {
    this.ids = ids;
  }

  int size() {
    return size;
  }

  private int home(String id) {
    return (id.hashCode() * 0x9E3779B9) >>> (Integer.numberOfLeadingZeros(slots.length) + 1);
  }

  /** The slot with this id, or the free one where it would be. */
  private int slot(String id) {
    int i = home(id);
    while (slots[i] != 0 && !ids.get(slots[i] - 1).equals(id)) {
      i = i + 1 & slots.length - 1;
    }
    return i;
  }

  @Nullable Integer get(String id) {
    int n = slots[slot(id)];
    return n == 0 ? null : n - 1;
  }

  boolean containsKey(String id) {
    return slots[slot(id)] != 0;
  }

  /** A chunk is there, in the place of another with its id. */
  void add(int number) {
    int i = slot(ids.get(number));
    size += slots[i] == 0 ? 1 : 0;
    slots[i] = number + 1;
    if (2 * size > slots.length) {
      int[] before = slots;
      slots = new int[2 * before.length];
      for (int n : before) {
        if (n != 0) {
          slots[slot(ids.get(n - 1))] = n;
        }
      }
    }
  }

  /** A chunk is gone; when another has its id, that stays. */
  void remove(int number) {
    int i = slot(ids.get(number));
    if (slots[i] != number + 1) {
      return;
    }
    size--;
    slots[i] = 0;
    // what had to go on from here comes back, or it would not be found any more
    int mask = slots.length - 1;
    for (int j = i + 1 & mask; slots[j] != 0; j = j + 1 & mask) {
      int n = slots[j];
      slots[j] = 0;
      slots[slot(ids.get(n - 1))] = n;
    }
  }

  void forEach(BiConsumer<String, Integer> consumer) {
    for (int n : slots) {
      if (n != 0) {
        consumer.accept(ids.get(n - 1), n - 1);
      }
    }
  }

  Set<String> keySet() {
    Set<String> out = new HashSet<>(2 * size);
    forEach((id, n) -> out.add(id));
    return out;
  }
}
