package dev.petunia.dedup;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Shares numbered tasks out to threads. Which thread does which task must not matter. */
final class Crew implements AutoCloseable {
  private static final int PIECE = 16;
  private final int threads;
  private final @Nullable ExecutorService pool;

  Crew(int threads) {
    this.threads = threads;
    this.pool =
        threads == 1
            ? null
            : Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("petunia-dedup-", 0).factory());
  }

  /** A task. */
  interface Task {
    void run(int number);
  }

  /** Runs tasks 0 to {@code count} − 1 and waits for all of them. */
  void run(int count, int piece, Task task) {
    if (pool == null || count <= piece) {
      for (int i = 0; i < count; i++) {
        task.run(i);
      }
      return;
    }
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      all.add(
          pool.submit(
              () -> {
                for (int at = next.getAndAdd(piece); at < count; at = next.getAndAdd(piece)) {
                  for (int i = at; i < Math.min(count, at + piece); i++) {
                    task.run(i);
                  }
                }
              }));
    }
    @Nullable Throwable failure = null;
    boolean interrupted = false;
    for (Future<?> f : all) {
      while (true) {
        try {
          f.get();
          break;
        } catch (InterruptedException e) {
          interrupted = true; // the tasks share arrays, so all must end first
        } catch (ExecutionException e) {
          failure = e.getCause();
          break;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure != null) {
      throw new IllegalStateException("a task of the ingest failed: " + failure, failure);
    }
  }

  void run(int count, Task task) {
    run(count, PIECE, task);
  }

  @Override
  public void close() {
    if (pool != null) {
      pool.shutdown();
    }
  }
}
