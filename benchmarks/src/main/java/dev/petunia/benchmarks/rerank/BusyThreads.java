package dev.petunia.benchmarks.rerank;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Threads that compute without pause until they are closed. */
final class BusyThreads implements AutoCloseable {
  private final LongAdder rounds = new LongAdder();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  BusyThreads(int count) {
    for (int i = 0; i < count; i++) {
      threads.add(Thread.ofPlatform().daemon().name("busy-" + i).start(this::work));
    }
  }

  private void work() {
    double x = 1;
    while (!ended) {
      for (int i = 0; i < 10_000; i++) {
        x = Math.sqrt(x + i);
      }
      rounds.add(x > 0 ? 1 : 0); // the sum depends on the result, so it is computed
    }
  }

  /** How much they have done. */
  long rounds() {
    return rounds.sum();
  }

  @Override
  public void close() {
    ended = true;
    boolean interrupted = false;
    for (Thread t : threads) {
      try {
        t.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
