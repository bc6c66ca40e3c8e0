package dev.petunia.benchmarks.dedup;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** CPU time of the thread that measures: what others do on the machine counts little. */
final class CpuTime {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Seconds to warm up, and to measure. */
  private static final double ENOUGH = 8;

  private CpuTime() {}

  /** Work that may fail. */
  interface Work {
    void run() throws Exception;
  }

  /** Seconds of one run. */
  static double seconds(Work work) throws Exception {
    long start = THREADS.getCurrentThreadCpuTime();
    work.run();
    return (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
  }

  /**
   * Seconds of the best of some runs, after as many to warm up. Of slow work fewer runs are made,
   * but two at least, after one.
   */
  static double best(int rounds, Work work) throws Exception {
    double spent = 0;
    for (int i = 0; i < rounds && spent < ENOUGH; i++) {
      spent += seconds(work);
    }
    double best = Double.MAX_VALUE;
    spent = 0;
    for (int i = 0; i < rounds && (i < 2 || spent < ENOUGH); i++) {
      double s = seconds(work);
      spent += s;
      best = Math.min(best, s);
    }
    return best;
  }
}
