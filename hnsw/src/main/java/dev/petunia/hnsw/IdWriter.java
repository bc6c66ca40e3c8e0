package dev.petunia.hnsw;

import dev.petunia.core.ProgressListener;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.internal.Checks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Adds, moves and removes ids. Calls for one id follow one another; calls for different ids run
 * side by side.
 *
 * <p>An upsert links the new node first, then turns the id's one reference to it, then takes the id
 * off the old node: a search finds the id at one of the two, never at none.
 */
final class IdWriter {
  /** What stands over the nodes: a graph, or nothing. */
  interface Links {
    /** Makes a new node reachable. */
    void link(int node);

    /** A node lost its last id. */
    void died(int node);
  }

  private static final long PROGRESS_EVERY_NANOS = 200_000_000;

  private final VectorTable table;
  private final Links links;
  private final Object[] idLocks = new Object[256];
  private volatile @Nullable Throwable failure;

  IdWriter(VectorTable table, Links links) {
    this.table = table;
    this.links = links;
    for (int i = 0; i < idLocks.length; i++) {
      idLocks[i] = new Object();
    }
  }

  private static String name(String id) {
    return "vector of \"" + id + "\"";
  }

  private Object lock(String id) {
    int h = id.hashCode();
    return idLocks[(h ^ (h >>> 16)) & (idLocks.length - 1)];
  }

  /** Adds an id, or moves it to another vector; whether it was here. */
  boolean put(String id, float[] vector, boolean mustBeNew) {
    Checks.id("id", id);
    float[] prepared = new float[table.form.stride()];
    Checks.present(name(id), vector);
    table.form.prepare(name(id), vector, vector.length, prepared);
    synchronized (lock(id)) {
      IdRef known = table.ids.get(id);
      if (known != null && mustBeNew) {
        throw Checks.bad("id", id, "an id that is not in the index yet (or upsert)");
      }
      requireIntact();
      IdRef ref = known == null ? table.newRef(id) : known;
      int node = table.attach(prepared, ref);
      if (node < 0) {
        node = ~node;
        link(node);
      } else {
        awaitLinked(node);
      }
      turn(ref, node);
      return known != null;
    }
  }

  /** The stored form of a checked entry's vector. */
  float[] prepare(VectorEntry entry) {
    float[] prepared = new float[table.form.stride()];
    float[] vector = entry.vector();
    table.form.prepare(name(entry.id()), vector, vector.length, prepared);
    return prepared;
  }

  /**
   * From now on the id is at a node, which is linked and has it among its owners. The id's lock is
   * held, or no other writer runs.
   */
  void turn(IdRef ref, int node) {
    int old = ref.node;
    if (old != node) {
      table.changed(ref.id);
    }
    if (old < 0) {
      ref.node = node;
      table.ids.put(ref.id, ref);
      table.idsVersion.incrementAndGet();
    } else if (old != node) {
      table.movesBegun.incrementAndGet();
      ref.node = node;
      leave(old, ref);
      table.movesDone.incrementAndGet();
    }
  }

  /** An insert failed half-way: from now on changes are refused. */
  void broken(Throwable cause) {
    failure = cause;
  }

  /** Throws when an insert failed half-way: what it left can't be gone on with. */
  void requireIntact() {
    if (failure != null) {
      throw new IllegalStateException(
          "an earlier insert failed half-way; reopen the last commit", failure);
    }
  }

  private void leave(int node, IdRef ref) {
    if (table.detach(node, ref)) {
      links.died(node);
    }
  }

  private void link(int node) {
    try {
      links.link(node);
    } catch (Throwable t) {
      broken(t);
      throw t;
    }
    table.linked(node);
  }

  /** Another thread is linking an equal vector: this id is there when that is done. */
  private void awaitLinked(int node) {
    while (table.state(node) == Page.LINKING) {
      if (failure != null) {
        throw new IllegalStateException("the insert of an equal vector failed", failure);
      }
      LockSupport.parkNanos(10_000); // a link takes some hundred microseconds
    }
  }

  boolean delete(String id) {
    Checks.id("id", id);
    synchronized (lock(id)) {
      requireIntact();
      IdRef ref = table.ids.remove(id);
      if (ref == null) {
        return false;
      }
      table.changed(id);
      table.idsVersion.incrementAndGet();
      table.movesBegun.incrementAndGet(); // it may be added elsewhere before a search is done
      int node = ref.node;
      ref.node = -1;
      leave(node, ref);
      table.freeRef(ref);
      table.movesDone.incrementAndGet();
      return true;
    }
  }

  /** Checks every entry, so that a bad one changes nothing. */
  List<VectorEntry> checked(Collection<VectorEntry> entries) {
    List<VectorEntry> list = new ArrayList<>(Checks.present("entries", entries));
    Set<String> ids = HashSet.newHashSet(list.size());
    float[] prepared = new float[table.form.stride()];
    for (VectorEntry e : list) {
      Checks.present("entry", e);
      if (!ids.add(e.id())) {
        throw Checks.bad("id", e.id(), "each id once in a batch");
      }
      table.form.prepare(name(e.id()), e.vector(), e.vector().length, prepared);
    }
    return list;
  }

  /** Puts checked entries, one after the other. */
  void putAll(List<VectorEntry> entries, ProgressListener progress) {
    int n = entries.size();
    long told = System.nanoTime() - PROGRESS_EVERY_NANOS; // tells after the first one
    for (int done = 0; done < n; ) {
      put(entries.get(done).id(), entries.get(done).vector(), false);
      done++;
      if (System.nanoTime() - told >= PROGRESS_EVERY_NANOS && done < n) {
        told = System.nanoTime();
        if (!progress.onProgress("vectors", done, n)) {
          throw new CancellationException(
              "cancelled; " + done + " of " + n + " vectors are in the index");
        }
      }
    }
    progress.onProgress("vectors", n, n);
  }
}
