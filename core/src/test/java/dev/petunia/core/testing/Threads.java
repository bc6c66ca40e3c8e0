package dev.petunia.core.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The same task on many threads at once. */
public final class Threads {
  private Threads() {}

  /** A task that knows which of the threads it runs on, from 0. */
  @FunctionalInterface
  public interface Task {
    /** Runs; what it throws reaches the test. */
    void run(int thread) throws Throwable;
  }

  /**
   * Runs the task on {@code count} threads that start together, and waits for all of them.
   *
   * @throws AssertionError when one of them failed; the first failure is its cause
   */
  public static void run(int count, Task task) throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(count);
    AtomicReference<@Nullable Throwable> first = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      threads.add(
          Thread.ofPlatform()
              .name("test-" + number)
              .daemon()
              .start(
                  () -> {
                    ready.countDown();
                    try {
                      ready.await();
                      task.run(number);
                    } catch (Throwable t) {
                      if (!first.compareAndSet(null, t)) {
                        Throwable earlier = first.get();
                        if (earlier != null && earlier != t) {
                          earlier.addSuppressed(t);
                        }
                      }
                    }
                  }));
    }
    for (Thread t : threads) {
      t.join();
    }
    Throwable failure = first.get();
    if (failure != null) {
      throw new AssertionError("a thread failed: " + failure, failure);
    }
  }
}
