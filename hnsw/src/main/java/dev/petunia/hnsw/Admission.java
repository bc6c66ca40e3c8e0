package dev.petunia.hnsw;

import dev.petunia.core.IdFilter;
import java.util.Arrays;
import java.util.List;
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

  // the excluded ids by their hash, open addressing: 1 + place in the list, 0 = empty
  private List<String> excluded = List.of();
  private int[] byHash = new int[0];
  private int byHashMask;

  /** How often the filter was asked. */
  int evaluations;

  /** Whether anything may be refused. */
  boolean active;

  /** The ids that the filter lists, when it does and they are not resolved. */
  @Nullable Set<String> listed;

  /** The ids that a prepared filter accepts; a superset of all accepted ones. */
  IdRef @Nullable [] resolved;

  private PreparedFilter.@Nullable Judged judgedFirst;
  private PreparedFilter.@Nullable Judged judgedSecond;

  /** Whether only prepared filters decide, so that a bit tells. */
  private boolean bitsOnly;

  Admission(VectorTable table) {
    this.table = table;
  }

  void begin(@Nullable IdFilter a, @Nullable IdFilter b) {
    first = a == null ? b : a;
    second = a == null ? null : b;
    evaluations = 0;
    active = first != null;
    listed = null;
    judgedFirst = first instanceof PreparedFilter p ? p.judged(table) : null;
    judgedSecond = second instanceof PreparedFilter p ? p.judged(table) : null;
    resolved = judgedFirst == null ? null : judgedFirst.accepted;
    if (judgedSecond != null
        && (resolved == null || judgedSecond.accepted.length < resolved.length)) {
      resolved = judgedSecond.accepted;
    }
    bitsOnly = active && judgedFirst != null && (second == null) == (judgedSecond == null);
    if (first != null && resolved == null) {
      listed = first.ids();
      Set<String> other = second == null ? null : second.ids();
      if (listed == null || (other != null && other.size() < listed.size())) {
        listed = other;
      }
    }
    if (++stamp == 1 << 14) { // 14 bits of stamp, one of judgement
      Arrays.fill(memo, (short) 0);
      stamp = 1;
    }
  }

  /**
   * Refuses these ids whatever the filter says. By id and not by {@link IdRef}, so that one that is
   * deleted and added again while the search runs stays out too.
   */
  void exclude(List<String> ids) {
    if (ids.isEmpty()) {
      return;
    }
    active = true;
    bitsOnly = false;
    excluded = ids;
    int places = Integer.highestOneBit(ids.size()) * 4;
    if (byHash.length < places) {
      byHash = new int[places];
    } else {
      Arrays.fill(byHash, 0, places, 0);
    }
    byHashMask = places - 1;
    for (int i = 0; i < ids.size(); i++) {
      int at = place(ids.get(i));
      while (byHash[at] != 0) {
        at = (at + 1) & byHashMask;
      }
      byHash[at] = i + 1;
    }
  }

  private int place(String id) {
    int h = id.hashCode() * 0x9E3779B9; // spread: hash codes of similar ids are neighbours
    return (h ^ (h >>> 16)) & byHashMask;
  }

  private boolean isExcluded(String id) {
    if (excluded.isEmpty()) {
      return false;
    }
    for (int at = place(id); byHash[at] != 0; at = (at + 1) & byHashMask) {
      if (excluded.get(byHash[at] - 1).equals(id)) {
        return true;
      }
    }
    return false;
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
    if (bitsOnly) {
      return passes(judgedFirst, ref) && passes(judgedSecond, ref);
    }
    int slot = ref.slot;
    if (slot < memo.length && memo[slot] >> 1 == stamp) {
      return (memo[slot] & 1) != 0;
    }
    boolean accepted = passes(judgedFirst, ref) && passes(judgedSecond, ref) && !isExcluded(ref.id);
    if (accepted && first != null) {
      accepted = ask(ref.id);
    }
    set(slot, accepted);
    return accepted;
  }

  private static boolean passes(PreparedFilter.@Nullable Judged judged, IdRef ref) {
    return judged == null || judged.accepts(ref);
  }

  private static boolean passes(PreparedFilter.@Nullable Judged judged, int node) {
    return judged == null || judged.admits(node);
  }

  /** Asks the filters that are not prepared. */
  private boolean ask(String id) {
    IdFilter a = judgedFirst == null ? first : null;
    IdFilter b = judgedSecond == null ? second : null;
    if (a == null && b == null) {
      return true;
    }
    evaluations++;
    return (a == null || a.accepts(id)) && (b == null || b.accepts(id));
  }

  /** How many ids may match at most; −1 when nobody knows. */
  int most() {
    return resolved != null ? resolved.length : listed != null ? listed.size() : -1;
  }

  /** Whether a node has an id that may be a result, or had one when the search began. */
  boolean admits(int node) {
    if (bitsOnly) {
      return passes(judgedFirst, node) && passes(judgedSecond, node);
    }
    Owners owners = table.owners(node);
    if (owners == null) {
      return false;
    }
    for (int i = 0, n = owners.size(); i < n; i++) {
      IdRef ref = owners.get(i);
      if (ref != null && ref.node == node && accepts(ref)) {
        return true;
      }
    }
    return false;
  }

  void clear() {
    first = null;
    second = null;
    listed = null;
    resolved = null;
    judgedFirst = null;
    judgedSecond = null;
    excluded = List.of();
  }
}
