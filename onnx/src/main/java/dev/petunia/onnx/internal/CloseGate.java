package dev.petunia.onnx.internal;

import dev.petunia.core.IndexClosedException;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a native object alive while it is used: closing waits for those inside and refuses new
 * ones. Freeing an ONNX Runtime session or a tokenizer during a call ends the whole process.
 */
public final class CloseGate {
  private final String what;
  private int inside;
  private boolean closed;
  private boolean freed;

  /**
   * @param what is guarded, for the exception
   */
  public CloseGate(String what) {
    this.what = what;
  }

  /**
   * Enters; {@link #exit} must follow, from any thread.
   *
   * @throws IndexClosedException when closed
   */
  public synchronized void enter() {
    check();
    inside++;
  }

  /** Leaves. */
  public synchronized void exit() {
    if (--inside == 0) {
      notifyAll();
    }
  }

  /**
   * Does nothing while open.
   *
   * @throws IndexClosedException when closed
   */
  public synchronized void check() {
    if (closed) {
      throw new IndexClosedException(what);
    }
  }

  /** Refuses from now on those that want to enter. */
  synchronized void refuse() {
    closed = true;
  }

  /**
   * Closes and waits until nobody is inside, whatever interrupts come.
   *
   * @return whether this call was the first: that caller frees the object
   */
  public synchronized boolean close() {
    closed = true;
    boolean interrupted = false;
    while (inside > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    boolean first = !freed;
    freed = true;
    return first;
  }

  /** Waits until nobody is inside, or {@link System#nanoTime} is {@code deadline}. */
  synchronized void awaitEmpty(long deadline) {
    try {
      while (inside > 0) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return;
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
