package dev.petunia.hnsw;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The ids that share one node's vector, changed only under the table's registry lock. Readers take
 * none: they go by {@link #size} and skip the places of ids that have left.
 *
 * <p>An id that leaves makes a hole; when half are holes, a copy without them takes this one's
 * place. So a vector that very many ids share can lose them one by one without being copied each
 * time.
 */
final class Owners {
  private @Nullable IdRef[] refs;
  private volatile int size;
  private int holes;

  /** Where the last hole was made: ids often leave in the order in which they came. */
  private int cursor;

  Owners(IdRef first) {
    refs = new IdRef[] {first};
    size = 1;
  }

  private Owners(@Nullable IdRef[] refs, int size) {
    this.refs = refs;
    this.size = size;
  }

  /** Places, of which some may be empty. */
  int size() {
    return size;
  }

  /** The id at a place; null when it has left. It may have left since: see {@link IdRef#node}. */
  @Nullable IdRef get(int i) {
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

  /** These without one: this object or a copy; null when none are left. */
  @Nullable Owners without(IdRef ref) {
    for (int i = 0; i < size; i++) {
      int at = (cursor + i) % size;
      if (refs[at] == ref) {
        refs[at] = null;
        holes++;
        cursor = at;
        break;
      }
    }
    if (holes == size) {
      return null;
    }
    return 2 * holes < size ? this : compacted();
  }

  private Owners compacted() {
    @Nullable IdRef[] rest = new IdRef[size - holes];
    int n = 0;
    for (int i = 0; i < size; i++) {
      if (refs[i] != null) {
        rest[n++] = refs[i];
      }
    }
    return new Owners(rest, n);
  }
}
