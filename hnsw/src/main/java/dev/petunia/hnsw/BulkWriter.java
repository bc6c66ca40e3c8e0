package dev.petunia.hnsw;

import dev.petunia.core.ProgressListener;
import dev.petunia.core.VectorEntry;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;

/**
 * Puts many ids, in batches that are linked on several threads (see {@link BatchLinker}). The same
 * entries in the same order make the same index, whatever the number of threads, as long as no
 * other writer runs beside and no search delays the reuse of slots that deletes have freed.
 *
 * <p>A batch goes as {@link IdWriter#put} does, for all its ids at once: the vectors get their
 * nodes, the new nodes are linked, then each id's one reference is turned and the id leaves its old
 * node. So a search finds an id at its old node or at its new one, never at none.
 */
final class BulkWriter {
  /**
   * Entries of a batch: enough that the threads wait little for the last one of them, few enough
   * that comparing each with half the others is a small part of its search, and that the listener
   * and other writers get their turn a few times a second.
   */
  private static final int BATCH = 512;

  /** Components of a batch: its vectors stay in the processor's cache, and memory is bounded. */
  private static final int BATCH_COMPONENTS = 1 << 20;

  private static final long PROGRESS_EVERY_NANOS = 200_000_000;

  private final VectorTable table;
  private final IdWriter writer;
  private final BatchLinker linker;
  private final AtomicLong insertions;

  BulkWriter(VectorTable table, IdWriter writer, BatchLinker linker, AtomicLong insertions) {
    this.table = table;
    this.writer = writer;
    this.linker = linker;
    this.insertions = insertions;
  }

  /**
   * Puts checked entries.
   *
   * @param alone held during each batch; keeps all other writers out
   */
  void putAll(List<VectorEntry> entries, int threads, ProgressListener progress, Lock alone) {
    int n = entries.size();
    try (Crew crew = new Crew("petunia-build", threads)) {
      long told = System.nanoTime() - PROGRESS_EVERY_NANOS; // tells after the first batch
      for (int done = 0; done < n; ) {
        alone.lock();
        try {
          writer.requireIntact();
          int size = Math.min(n - done, batchSize());
          crew.hire(size);
          put(entries.subList(done, done + size), crew);
          done += size;
        } finally {
          alone.unlock();
        }
        if (System.nanoTime() - told >= PROGRESS_EVERY_NANOS && done < n) {
          told = System.nanoTime();
          if (!progress.onProgress("vectors", done, n)) {
            throw new CancellationException(
                "cancelled; " + done + " of " + n + " vectors are in the index");
          }
        }
      }
    }
    progress.onProgress("vectors", n, n);
  }

  /** As many as there are nodes, up to the constants above: a function of the index alone. */
  private int batchSize() {
    int most = Math.clamp(BATCH_COMPONENTS / table.form.stride(), 16, BATCH);
    return Math.clamp(table.liveNodes() + table.deadNodes(), 1, most);
  }

  private void put(List<VectorEntry> batch, Crew crew) {
    int size = batch.size();
    float[][] prepared = new float[size][];
    crew.run(
        size,
        items -> {
          for (int i = items.next(); i >= 0; i = items.next()) {
            prepared[i] = writer.prepare(batch.get(i));
          }
        });
    IdRef[] refs = new IdRef[size];
    int[] nodes = new int[size];
    int[] fresh = new int[size];
    int count = 0;
    int attached = 0;
    Throwable failure = null;
    try {
      for (; attached < size; attached++) {
        IdRef known = table.ids.get(batch.get(attached).id());
        IdRef ref = known == null ? table.newRef(batch.get(attached).id()) : known;
        refs[attached] = ref;
        int node = table.attach(prepared[attached], ref);
        nodes[attached] = node < 0 ? ~node : node;
        if (node < 0) {
          fresh[count++] = ~node;
        }
      }
    } catch (Throwable t) {
      failure = t; // no room for more: those before are put all the same
    }
    if (count > 0) {
      try {
        linker.link(fresh, count, insertions.getAndAdd(count), crew);
      } catch (Throwable t) {
        writer.broken(t);
        throw t;
      }
    }
    for (int i = 0; i < count; i++) {
      table.linked(fresh[i]);
    }
    for (int i = 0; i < attached; i++) {
      writer.turn(refs[i], nodes[i]);
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    } else if (failure instanceof Error e) {
      throw e;
    }
  }
}
