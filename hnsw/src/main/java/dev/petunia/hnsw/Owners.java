package dev.petunia.hnsw;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The ids that share one node's vector, changed only under the table's registry lock. Readers take
 * none: they go by {@link #size} and skip the places of ids that have left. Mostly there is one id,
 * which then stands for itself.
 */
abstract sealed class Owners permits IdRef, Owners.Several {
  /** Places, of which some may be empty. */
  abstract int size();

  /** The id at a place; null when it has left. It may have left since: see {@link IdRef#node}. */
  abstract @Nullable IdRef get(int i);

  /** These and one more: this object or another one. */
  abstract Owners with(IdRef ref);

  /** These without one: this object or another one; null when none are left. */
  abstract @Nullable Owners without(IdRef ref);

  /**
   * An id that leaves makes a hole; when half are holes, a copy without them takes this one's
   * place. So a vector that very many ids share can lose them one by one without being copied each
   * time.
   */
  static final class Several extends Owners {
    private @Nullable IdRef[] refs;
    private volatile int size;
    private int holes;

    /** Where the last hole was made: ids often leave in the order in which they came. */
    private int cursor;

    Several(IdRef first, IdRef second) {
      this(new IdRef[] {first, second}, 2);
    }

    private Several(@Nullable IdRef[] refs, int size) {
      this.refs = refs;
      this.size = size;
    }

    /** On the heap. */
    long bytes() {
      return 32 + ((16 + 4L * refs.length + 7) & ~7L);
    }

    @Override
    int size() {
      return size;
    }

    @Override
    @Nullable IdRef get(int i) {
      return refs[i];
    }

    @Override
    Owners with(IdRef ref) {
      int n = size;
      if (n == refs.length) {
        refs = Arrays.copyOf(refs, n * 2);
      }
      refs[n] = ref;
      size = n + 1; // after the entry: a reader that sees the size sees the entry
      return this;
    }

    @Override
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
      IdRef last = rest[0];
      return n == 1 && last != null ? last : new Several(rest, n);
    }
  }
}
