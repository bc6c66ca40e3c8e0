package dev.petunia.onnx;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the texts of a call on the caller's thread and on idle helpers. The caller works too, so a
 * call makes progress when all helpers are busy with other calls.
 */
final class ParallelTexts implements AutoCloseable {
  private static final long IDLE_SECONDS = 10;

  private final int helpers;
  private final ThreadPoolExecutor pool;

  /**
   * @param threads of a call, the caller's included
   */
  ParallelTexts(String name, int threads) {
    helpers = threads - 1;
    // No queue: a helper that can't start now would only start when the work is done.
    pool =
        new ThreadPoolExecutor(
            0,
            Math.max(1, helpers),
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("petunia-embed-" + name + '-', 1).factory());
  }

  /**
   * Calls {@code task} with 0 to {@code count - 1}, each once, and returns when all have returned.
   * After the first failure no further index is started, and that failure is thrown.
   */
  void run(int count, IntConsumer task) {
    Job job = new Job(count, task);
    int wanted = Math.min(helpers, count - 1);
    CountDownLatch done = new CountDownLatch(Math.max(0, wanted));
    for (int i = 0; i < wanted; i++) {
      try {
        pool.execute(
            () -> {
              try {
                job.work();
              } finally {
                done.countDown();
              }
            });
      } catch (RejectedExecutionException busyOrClosed) {
        done.countDown();
      }
    }
    job.work();
    await(done);
    job.throwFailure();
  }

  /** The helpers write into the caller's arrays, so the caller stays until the last one is done. */
  private static void await(CountDownLatch done) {
    boolean interrupted = false;
    while (true) {
      try {
        done.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets the helpers go. Running ones end when their call does. */
  @Override
  public void close() {
    pool.shutdown();
  }

  private static final class Job {
    private final int count;
    private final IntConsumer task;
    private final AtomicInteger next = new AtomicInteger();
    private @Nullable Throwable failure;

    Job(int count, IntConsumer task) {
      this.count = count;
      this.task = task;
    }

    void work() {
      int i;
      while ((i = next.getAndIncrement()) < count) {
        try {
          task.accept(i);
        } catch (RuntimeException | Error e) {
          fail(e);
          next.set(count);
          return;
        }
      }
    }

    private synchronized void fail(Throwable e) {
      if (failure == null) {
        failure = e;
      }
    }

    private synchronized void throwFailure() {
      if (failure instanceof Error e) {
        throw e;
      }
      if (failure instanceof RuntimeException e) {
        throw e;
      }
    }
  }
}
