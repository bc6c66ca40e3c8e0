package dev.petunia.dedup;

import dev.petunia.core.IndexClosedException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets readers of an index run together and a writer alone, until the index is closed. A call that
 * changes something is refused inside a call of the same thread: under a reader's lock it would
 * wait for itself for ever, under a writer's it would find half a change.
 */
final class Guard {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  /** Held by who writes, before {@code lock}: a commit writes files while others read. */
  private final ReentrantLock writers = new ReentrantLock();

  private final boolean isReadOnly;
  private boolean isClosed;

  /** A change has begun and not come to its end; stays when it fails. */
  private boolean isHalf;

  private @Nullable Throwable failure;

  Guard(boolean isReadOnly) {
    this.isReadOnly = isReadOnly;
  }

  <T> T reading(Supplier<T> read) {
    lock.readLock().lock();
    try {
      requireOpen();
      return read.get();
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Alone.
   *
   * @param what the method, for the message
   */
  <T> T writing(String what, Supplier<T> write) {
    refuseNested(what);
    writers.lock();
    try {
      return alone(write);
    } finally {
      writers.unlock();
    }
  }

  /** As a part of {@link #amongReaders} that nobody may see half done. */
  <T> T alone(Supplier<T> write) {
    lock.writeLock().lock();
    try {
      requireWritable();
      return write.get();
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** As the only one who may change anything: {@code work} says when others may read. */
  void amongReaders(String what, Runnable work) {
    refuseNested(what);
    writers.lock();
    try {
      work.run();
    } finally {
      writers.unlock();
    }
  }

  /**
   * A change that must come to its end, inside {@link #writing}. When it doesn't, whatever the
   * reason, the index takes no more changes and no commit: what is on disk is whole.
   */
  <T> T changing(Supplier<T> change) {
    isHalf = true;
    try {
      T result = change.get();
      isHalf = false;
      return result;
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    }
  }

  /** Whether a change failed in the middle. */
  boolean isHalf() {
    return isHalf;
  }

  private void refuseNested(String what) {
    if (lock.getReadHoldCount() > 0 || writers.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          what
              + " was called by a listener, consumer or policy that the index is calling itself,"
              + " allowed: after that call has returned");
    }
  }

  void requireWritable() {
    requireOpen();
    if (isReadOnly) {
      throw new UnsupportedOperationException("the dedup index is open for reading only");
    }
    if (isHalf) {
      throw new IllegalStateException(
          "an earlier change of the dedup index failed in the middle;"
              + " close it and open it again at its last commit",
          failure);
    }
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IndexClosedException("the dedup index");
    }
  }

  /** Closes once, after the calls that run. */
  void close(Runnable work) {
    refuseNested("close");
    writers.lock();
    lock.writeLock().lock();
    try {
      if (!isClosed) {
        isClosed = true;
        work.run();
      }
    } finally {
      lock.writeLock().unlock();
      writers.unlock();
    }
  }
}
