package dev.petunia.hnsw;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The ids that share one node's vector. Grown in place (readers go by {@link #size}), replaced by a
 * copy when one leaves; changed only under the table's registry lock.
 */
final class Owners {
  private IdRef[] refs;
  private volatile int size;

  Owners(IdRef first) {
    refs = new IdRef[] {first};
    size = 1;
  }

  private Owners(IdRef[] refs, int size) {
    this.refs = refs;
    this.size = size;
  }

  int size() {
    return size;
  }

  IdRef get(int i) {
    return refs[i];
  }

  void add(IdRef ref) {
    int n = size;
    if (n == refs.length) {
      refs = Arrays.copyOf(refs, n * 2);
    }
    refs[n] = ref;
    size = n + 1; // after the entry: a reader that sees the size sees the entry
  }

  /** These without one; null when none are left. */
  @Nullable Owners without(IdRef ref) {
    IdRef[] rest = new IdRef[Math.max(1, size)];
    int n = 0;
    for (int i = 0; i < size; i++) {
      if (refs[i] != ref) {
        rest[n++] = refs[i];
      }
    }
    return n == 0 ? null : new Owners(rest, n);
  }
}
