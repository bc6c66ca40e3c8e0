package dev.petunia.hnsw;

import dev.petunia.core.IdFilter;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter with its judgements on the ids of one index, made once and used by many searches. When
 * ids have been added or removed since, the next search makes them anew.
 */
final class PreparedFilter implements IdFilter {
  private final VectorTable table;
  private final IdFilter source;
  private volatile @Nullable Judged judged;

  PreparedFilter(VectorTable table, IdFilter source) {
    this.table = table;
    this.source = source;
  }

  /** The judgements at one moment: a bit for each id's slot, and the accepted ids. */
  static final class Judged {
    private final long version;
    private final long[] bits;
    final IdRef[] accepted;

    private Judged(long version, long[] bits, IdRef[] accepted) {
      this.version = version;
      this.bits = bits;
      this.accepted = accepted;
    }

    boolean accepts(IdRef ref) {
      int word = ref.slot >> 6;
      return word < bits.length && (bits[word] >>> ref.slot & 1) != 0;
    }
  }

  /**
   * The judgements on the ids of this table as they are now; null when this was prepared for
   * another index. Called by a search that has begun: until it ends no slot that it knows is given
   * to another id.
   */
  @Nullable Judged judged(VectorTable asked) {
    if (asked != table) {
      return null;
    }
    Judged j = judged;
    if (j == null || j.version != table.idsVersion.get()) {
      j = judge();
      judged = j;
    }
    return j;
  }

  private Judged judge() {
    long version = table.idsVersion.get(); // first: a change meanwhile makes this one old
    IdRef[] accepted = new IdRef[64];
    int n = 0;
    int slots = 0;
    Set<String> listed = source.ids();
    if (listed != null) {
      for (String id : listed) {
        IdRef ref = table.ids.get(id);
        if (ref != null) {
          accepted = room(accepted, n);
          accepted[n++] = ref;
          slots = Math.max(slots, ref.slot + 1);
        }
      }
    } else {
      for (IdRef ref : table.ids.values()) {
        if (source.accepts(ref.id)) {
          accepted = room(accepted, n);
          accepted[n++] = ref;
          slots = Math.max(slots, ref.slot + 1);
        }
      }
    }
    long[] bits = new long[(slots + 63) >> 6];
    for (int i = 0; i < n; i++) {
      bits[accepted[i].slot >> 6] |= 1L << accepted[i].slot;
    }
    return new Judged(version, bits, Arrays.copyOf(accepted, n));
  }

  private static IdRef[] room(IdRef[] array, int n) {
    return n < array.length ? array : Arrays.copyOf(array, 2 * n);
  }

  @Override
  public boolean accepts(String id) {
    return source.accepts(id);
  }

  @Override
  public @Nullable Set<String> ids() {
    return source.ids();
  }

  @Override
  public String toString() {
    return "prepared " + source;
  }
}
