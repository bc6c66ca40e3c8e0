package dev.petunia.dedup;

import dev.petunia.core.IndexClosedException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/** Lets readers of an index run together and a writer alone, until the index is closed. */
final class Guard {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  /** Held by who writes, before {@code lock}: a commit writes files while others read. */
  private final ReentrantLock writers = new ReentrantLock();

  private final boolean isReadOnly;
  private boolean isClosed;

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

  /** Alone. */
  <T> T writing(Supplier<T> write) {
    writers.lock();
    try {
      lock.writeLock().lock();
      try {
        requireWritable();
        return write.get();
      } finally {
        lock.writeLock().unlock();
      }
    } finally {
      writers.unlock();
    }
  }

  /** As the only one who may change anything: {@code work} says when others may read. */
  void amongReaders(Runnable work) {
    writers.lock();
    try {
      work.run();
    } finally {
      writers.unlock();
    }
  }

  void requireWritable() {
    requireOpen();
    if (isReadOnly) {
      throw new UnsupportedOperationException("the dedup index is open for reading only");
    }
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IndexClosedException("the dedup index");
    }
  }

  /** Closes once, after the calls that run. */
  void close(Runnable work) {
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
