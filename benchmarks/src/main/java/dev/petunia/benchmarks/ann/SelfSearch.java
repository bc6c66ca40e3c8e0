package dev.petunia.benchmarks.ann;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Asks for every stored row with the row itself. */
final class SelfSearch {
  private static final int BLOCK = 64;

  private SelfSearch() {}

  /**
   * How many rows come first of k, at the default ef. A row that another one precedes counts too
   * when both are equally near to it, see {@link Answers#TIE}: equal vectors may come in any order.
   *
   * @param system one whose searches may run side by side
   */
  static int found(AnnSystem system, float[][] base, int k, int threads) throws Exception {
    AtomicInteger next = new AtomicInteger();
    AtomicInteger found = new AtomicInteger();
    AtomicReference<Exception> failure = new AtomicReference<>();
    Thread[] workers = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      workers[t] =
          new Thread(
              () -> {
                int[] rows = new int[k];
                float[] distances = new float[k];
                try {
                  for (int from = next.getAndAdd(BLOCK);
                      from < base.length;
                      from = next.getAndAdd(BLOCK)) {
                    for (int row = from; row < Math.min(from + BLOCK, base.length); row++) {
                      int hits = system.search(base[row], AnnSystem.DEFAULT_EF, k, rows, distances);
                      if (hits > 0 && same(base, row, rows[0])) {
                        found.incrementAndGet();
                      }
                    }
                  }
                } catch (Exception e) {
                  failure.set(e);
                }
              },
              "self-" + t);
      workers[t].start();
    }
    for (Thread worker : workers) {
      worker.join();
    }
    Exception failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    return found.get();
  }

  private static boolean same(float[][] base, int row, int first) {
    return first == row
        || ExactTruth.distance(base[row], base[first])
            <= ExactTruth.distance(base[row], base[row]) + Answers.TIE;
  }
}
