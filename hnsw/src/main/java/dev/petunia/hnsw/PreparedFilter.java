package dev.petunia.hnsw;

import dev.petunia.core.IdFilter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter with its judgements on the ids of one index, made once and used by many searches. When
 * ids have been added, moved or removed since, the next search makes them anew.
 */
final class PreparedFilter implements IdFilter {
  private final Object owner;
  private final IdFilter source;
  private volatile @Nullable Judged judged;

  /**
   * @param owner the index that it is prepared for
   */
  PreparedFilter(Object owner, IdFilter source) {
    this.owner = owner;
    this.source = source;
  }

  /** The judgements at one moment: the accepted ids, a bit for each slot and each node of one. */
  static final class Judged {
    private final VectorTable table;
    private final long version;
    private final long[] slots;
    private final long[] nodes;

    /** In the order of their slots, roughly that of their nodes: a scan goes forward in memory. */
    final IdRef[] accepted;

    private Judged(VectorTable table, long version, IdRef[] accepted, int slots, int nodes) {
      this.table = table;
      this.version = version;
      this.accepted = accepted;
      this.slots = new long[(slots + 63) >> 6];
      this.nodes = new long[(nodes + 63) >> 6];
      for (IdRef ref : accepted) {
        set(this.slots, ref.slot);
        int node = ref.node;
        if (node >= 0) {
          set(this.nodes, node);
        }
      }
    }

    private static void set(long[] bits, int i) {
      if (i >> 6 < bits.length) {
        bits[i >> 6] |= 1L << i;
      }
    }

    private static boolean has(long[] bits, int i) {
      int word = i >> 6;
      return word < bits.length && (bits[word] >>> i & 1) != 0;
    }

    boolean accepts(IdRef ref) {
      return has(slots, ref.slot);
    }

    /** Whether a node had an accepted id when this was made. */
    boolean admits(int node) {
      return has(nodes, node);
    }
  }

  /**
   * The judgements on the ids of this table as they are now; null when this was prepared for
   * another index. Called by a search that has begun: until it ends no slot that it knows is given
   * to another id.
   */
  @SuppressWarnings("ReferenceEquality") // the owner is a token without equals
  @Nullable Judged judged(VectorTable asked) {
    if (asked.owner != owner) {
      return null;
    }
    Judged j = judged;
    if (j == null || j.table != asked || j.version != version(asked)) {
      j = judge(asked);
      judged = j;
    }
    return j;
  }

  private Judged judge(VectorTable table) {
    long version = version(table); // first: a change meanwhile makes this one old
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
    IdRef[] all = Arrays.copyOf(accepted, n);
    Arrays.sort(all, Comparator.comparingInt(ref -> ref.slot)); // slots never change, nodes may
    return new Judged(table, version, all, slots, table.nodeLimit());
  }

  /** Changes with every id that comes, goes or moves to another node. */
  private static long version(VectorTable table) {
    return table.idsVersion.get() + table.movesDone.get();
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
