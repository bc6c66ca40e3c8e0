package dev.petunia.hnsw;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What several threads did to one id, and whether it can have happened one after the other (Wing
 * and Gong 1993; with the states already tried kept, as in Lowe 2017). An id is a register: absent,
 * or at one of its vectors.
 */
final class History {
  static final int ABSENT = -1;

  /** What a call did or saw. */
  enum Kind {
    /** Sets the vector; saw whether the id was there. */
    UPSERT,
    /** Sets the vector of an id that is not there; saw whether it could. */
    ADD,
    DELETE,
    CONTAINS,
    /** Saw the vector, or absence. */
    READ,
    /** Saw whether the id is at this vector. */
    IS_AT,
    /** Sets the vector and tells nothing. */
    PUT
  }

  /**
   * A call, between two moments.
   *
   * @param vector what it set, asked for, or saw
   * @param saw what it returned
   */
  record Call(Kind kind, int vector, boolean saw, long start, long end, int thread) {
    private static final int IMPOSSIBLE = -2;

    /** The state after this call in a state; IMPOSSIBLE when it can't have seen what it saw. */
    private int after(int state) {
      boolean there = state != ABSENT;
      return switch (kind) {
        case PUT -> vector;
        case UPSERT -> saw == there ? vector : IMPOSSIBLE;
        case ADD -> saw == there ? IMPOSSIBLE : there ? state : vector;
        case DELETE -> saw == there ? ABSENT : IMPOSSIBLE;
        case CONTAINS -> saw == there ? state : IMPOSSIBLE;
        case READ -> vector == state ? state : IMPOSSIBLE;
        case IS_AT -> saw == (vector == state) ? state : IMPOSSIBLE;
      };
    }
  }

  private record Tried(long done, int state) {}

  private final List<Call> calls;
  private final Set<Tried> tried = new HashSet<>();
  private final Set<Integer> ends = new HashSet<>();

  private History(List<Call> calls) {
    this.calls = calls;
    if (calls.size() > 62) {
      throw new IllegalArgumentException(calls.size() + " calls, allowed: 62");
    }
  }

  /**
   * The states in which the id may be after these calls, of which none overlaps with earlier ones.
   * None when the calls can't have happened one after the other.
   *
   * @param starts the states in which it may be before
   */
  static Set<Integer> ends(Set<Integer> starts, List<Call> calls) {
    List<Call> sorted = new ArrayList<>(calls);
    sorted.sort(Comparator.comparingLong(Call::start));
    History history = new History(sorted);
    for (int start : starts) {
      history.go(0, start);
    }
    return history.ends;
  }

  private void go(long done, int state) {
    if (!tried.add(new Tried(done, state))) {
      return;
    }
    if (done == (1L << calls.size()) - 1) {
      ends.add(state);
      return;
    }
    long firstEnd = Long.MAX_VALUE; // what began after it can't come before it
    for (int i = 0; i < calls.size(); i++) {
      if ((done >> i & 1) == 0) {
        firstEnd = Math.min(firstEnd, calls.get(i).end());
      }
    }
    for (int i = 0; i < calls.size() && calls.get(i).start() <= firstEnd; i++) {
      if ((done >> i & 1) == 0) {
        int after = calls.get(i).after(state);
        if (after != Call.IMPOSSIBLE) {
          go(done | 1L << i, after);
        }
      }
    }
  }
}
