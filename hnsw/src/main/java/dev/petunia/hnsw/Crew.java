package dev.petunia.hnsw;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Threads that work off one numbered list of items after another, together with the thread that
 * hands the lists out. {@link #run} returns when all items of a list are done, and what was written
 * before is seen by those who work after.
 *
 * <p>For one owner at a time; {@link #close} lets the threads end.
 */
final class Crew implements AutoCloseable {
  /** Works off items, on one of the threads. */
  interface Job {
    /** Takes items until there are none, which −1 says. */
    void work(Items items);
  }

  /** The items of one list, given out in ascending order. */
  static final class Items {
    private final int count;
    private final AtomicInteger next = new AtomicInteger();
    private volatile @Nullable Throwable failure;

    private Items(int count) {
      this.count = count;
    }

    /** The next item; −1 when there are none left, or another thread has failed. */
    int next() {
      int i = failure != null ? count : next.getAndIncrement();
      return i < count ? i : -1;
    }
  }

  private final int most;
  private final String name;
  private final List<Thread> helpers = new ArrayList<>();

  // under this object's monitor
  private @Nullable Job job;
  private @Nullable Items items;
  private int list;
  private int working;
  private boolean closed;

  /** A crew of at most {@code most} threads, of which the owner's is one; none is started yet. */
  Crew(String name, int most) {
    this.name = name;
    this.most = most;
  }

  /** Makes sure that {@code wanted} threads work, or the crew's most: before work that must end. */
  void hire(int wanted) {
    while (helpers.size() + 1 < Math.min(wanted, most)) {
      Thread t = new Thread(this::help, name + "-" + (helpers.size() + 1));
      t.setDaemon(true);
      t.start();
      helpers.add(t);
    }
  }

  /**
   * Works off items 0 to {@code count} − 1. Which thread does which is open.
   *
   * @throws RuntimeException what an item threw; also an {@link Error}. Items not begun are left
   */
  void run(int count, Job newJob) {
    Items newItems = new Items(count);
    boolean alone = helpers.isEmpty() || count < 2;
    if (!alone) {
      synchronized (this) {
        job = newJob;
        items = newItems;
        list++;
        notifyAll();
      }
    }
    try {
      newJob.work(newItems);
    } catch (Throwable t) {
      newItems.failure = t;
    }
    if (!alone) {
      await();
    }
    if (newItems.failure instanceof RuntimeException e) {
      throw e;
    } else if (newItems.failure instanceof Error e) {
      throw e;
    }
  }

  /** Ends the list: those who have not come by now need not, the others are waited for. */
  private synchronized void await() {
    job = null;
    items = null;
    boolean interrupted = false;
    while (working > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true; // the list is finished first; the caller still learns of it
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void help() {
    int done = 0;
    while (true) {
      Job mine;
      Items from;
      synchronized (this) {
        while (!closed && (job == null || list == done)) {
          try {
            wait();
          } catch (InterruptedException e) {
            // nobody else has this thread to interrupt it; close() is what ends it
          }
        }
        if (closed || job == null || items == null) {
          return;
        }
        mine = job;
        from = items;
        done = list;
        working++;
      }
      try {
        mine.work(from);
      } catch (Throwable t) {
        from.failure = t;
      }
      synchronized (this) {
        working--;
        notifyAll();
      }
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
