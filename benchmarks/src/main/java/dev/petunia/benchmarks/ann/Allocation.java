package dev.petunia.benchmarks.ann;

import java.lang.management.ManagementFactory;

/**
 * Bytes allocated per query.
 *
 * @param perQuery by the whole search
 * @param result by the returned result alone; −1 when not measured
 */
record Allocation(double perQuery, double result) {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Bytes that the current thread has allocated so far; the call itself allocates nothing. */
  static long bytes() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }
}
