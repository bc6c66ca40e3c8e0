package dev.petunia.hnsw;

import dev.petunia.core.IdFilter;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which ids may be results of one search: filter and exclusion, each id judged once. The judgements
 * are kept by the ids' slots, stamped, so that a new search begins with one increment.
 */
final class Admission {
  private final VectorTable table;
  private @Nullable IdFilter first;
  private @Nullable IdFilter second;
  private short[] memo = new short[0];
  private int stamp;

  /** How often the filter was asked. */
  int evaluations;

  /** Whether anything may be refused. */
  boolean active;

  /** The ids that the filter lists, when it does. */
  @Nullable Set<String> listed;

  Admission(VectorTable table) {
    this.table = table;
  }

  void begin(@Nullable IdFilter a, @Nullable IdFilter b) {
    first = a == null ? b : a;
    second = a == null ? null : b;
    evaluations = 0;
    active = first != null;
    listed = null;
    if (first != null) {
      listed = first.ids();
    }
    if (second != null) {
      Set<String> other = second.ids();
      if (listed == null || (other != null && other.size() < listed.size())) {
        listed = other;
      }
    }
    if (++stamp == 1 << 14) { // 14 bits of stamp, one of judgement
      Arrays.fill(memo, (short) 0);
      stamp = 1;
    }
  }

  /** Refuses an id whatever the filter says. */
  void exclude(IdRef ref) {
    active = true;
    set(ref.slot, false);
  }

  boolean hasFilter() {
    return first != null;
  }

  private void set(int slot, boolean accepted) {
    if (slot >= memo.length) {
      memo = Arrays.copyOf(memo, Math.max(1024, slot + 1 + (slot >> 2)));
    }
    memo[slot] = (short) (stamp << 1 | (accepted ? 1 : 0));
  }

  /** Whether an id may be a result; asks the filter when this search has not yet. */
  boolean accepts(IdRef ref) {
    if (!active) {
      return true;
    }
    int slot = ref.slot;
    if (slot < memo.length && memo[slot] >> 1 == stamp) {
      return (memo[slot] & 1) != 0;
    }
    boolean accepted = true;
    if (first != null) {
      evaluations++;
      accepted = first.accepts(ref.id) && (second == null || second.accepts(ref.id));
    }
    set(slot, accepted);
    return accepted;
  }

  /** Whether a node has an id that may be a result. */
  boolean admits(int node) {
    Owners owners = table.owners(node);
    if (owners == null) {
      return false;
    }
    for (int i = 0, n = owners.size(); i < n; i++) {
      IdRef ref = owners.get(i);
      if (ref.node == node && accepts(ref)) {
        return true;
      }
    }
    return false;
  }

  void clear() {
    first = null;
    second = null;
    listed = null;
  }
}
