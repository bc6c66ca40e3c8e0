package dev.petunia.hnsw;

import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Knows which searches are running, so that a node's slot is reused only when no search that began
 * before it was unlinked can still hold it (epoch-based reclamation; Fraser 2004, §5.2.3).
 *
 * <p>Protocol:
 *
 * <ol>
 *   <li>A search writes the current epoch to its scratch, passes a full fence, and only then reads
 *       the graph. At its end it writes 0.
 *   <li>A writer unlinks a node, passes a full fence, stamps it with the current epoch and advances
 *       the epoch.
 *   <li>A stamped slot may be reused when every running search entered in a later epoch: such a
 *       search began after the unlinking, and can't reach the node.
 * </ol>
 *
 * <p>Scratches are pooled: a search takes one and gives it back, and allocates nothing.
 */
final class Reclaimer {
  /** Gets back a slot that is free for reuse. */
  interface Reuse {
    void accept(int number, boolean isNode);
  }

  private record Retired(int number, boolean isNode, long epoch) {}

  private final AtomicReferenceArray<@Nullable Scratch> pool =
      new AtomicReferenceArray<>(2 * Runtime.getRuntime().availableProcessors());
  private final CopyOnWriteArrayList<Scratch> all = new CopyOnWriteArrayList<>();
  private final ArrayDeque<Retired> retired = new ArrayDeque<>();
  private final AtomicLong epoch = new AtomicLong(1);

  /** A scratch for one search or insert of the calling thread, entered. */
  Scratch enter(VectorTable table) {
    Scratch s = take(table);
    s.enteredEpoch = epoch.get();
    VarHandle.fullFence();
    return s;
  }

  private Scratch take(VectorTable table) {
    for (int i = 0; i < pool.length(); i++) {
      Scratch s = pool.get(i);
      if (s != null && pool.compareAndSet(i, s, null)) {
        return s;
      }
    }
    Scratch s = new Scratch(table);
    all.add(s);
    return s;
  }

  /** Ends what {@link #enter} began. */
  void exit(Scratch s) {
    s.enteredEpoch = 0;
    for (int i = 0; i < pool.length(); i++) {
      if (pool.get(i) == null && pool.compareAndSet(i, null, s)) {
        return;
      }
    }
    all.remove(s); // more threads than the pool keeps
  }

  /** Called under the table's registry lock, after the last link to the slot is gone. */
  void retire(int number, boolean isNode) {
    VarHandle.fullFence();
    retired.add(new Retired(number, isNode, epoch.getAndIncrement()));
  }

  /** Hands back what no running search can hold; called under the table's registry lock. */
  void reclaim(Reuse reuse) {
    if (retired.isEmpty()) {
      return;
    }
    VarHandle.fullFence();
    long oldest = Long.MAX_VALUE;
    for (int i = 0; i < all.size(); i++) {
      long e = all.get(i).enteredEpoch;
      if (e != 0 && e < oldest) {
        oldest = e;
      }
    }
    while (!retired.isEmpty() && retired.getFirst().epoch() < oldest) {
      Retired r = retired.removeFirst();
      reuse.accept(r.number(), r.isNode());
    }
  }
}
