package dev.petunia.benchmarks.ann;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/** Timed searches within a child: whole passes over all queries, by the calling thread. */
final class SearchRounds {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** One search: fills rows and distances, returns how many came back. */
  interface Search {
    int run(int query, int[] rows, float[] distances) throws Exception;
  }

  private final int queries;
  private final int k;
  private final int[] rows;
  private final float[] distances;
  private long nanos;
  private long cpuNanos;
  private long run;

  private SearchRounds(int queries, int k) {
    this.queries = queries;
    this.k = k;
    rows = new int[queries * k];
    distances = new float[queries * k];
  }

  /**
   * Passes until so much time is over, one at least; the answers are those of the last one. Where
   * fewer than k come back the rest is row −1.
   */
  static Reply timed(int queries, int k, int minMillis, Search search) throws Exception {
    SearchRounds rounds = new SearchRounds(queries, k);
    do {
      rounds.pass(search);
    } while (rounds.nanos < minMillis * 1_000_000L);
    return rounds.reply();
  }

  private Reply reply() {
    return Reply.ok(nanos, cpuNanos, run).with(rows, distances);
  }

  private void pass(Search search) throws Exception {
    Arrays.fill(rows, -1);
    int[] row = new int[k];
    float[] distance = new float[k];
    long start = System.nanoTime();
    long cpuStart = THREADS.getCurrentThreadCpuTime();
    for (int q = 0; q < queries; q++) {
      int found = search.run(q, row, distance);
      System.arraycopy(row, 0, rows, q * k, found);
      System.arraycopy(distance, 0, distances, q * k, found);
    }
    cpuNanos += THREADS.getCurrentThreadCpuTime() - cpuStart;
    nanos += System.nanoTime() - start;
    run += queries;
  }

  /** The time of each of the first queries, one by one. */
  static Reply first(int count, int k, Search search) throws Exception {
    int[] row = new int[k];
    float[] distance = new float[k];
    Object[] each = new Object[count];
    for (int q = 0; q < count; q++) {
      long start = System.nanoTime();
      int found = search.run(q, row, distance);
      each[q] = System.nanoTime() - start;
      if (found != k) {
        throw new IllegalStateException("query " + q + " found " + found + ", expected " + k);
      }
    }
    return Reply.ok(each);
  }

  /**
   * Passes beside a thread that writes.
   *
   * @param write one change; returns whether to go on
   * @return as {@link #timed}, with two fields more: changes, and nanoseconds they took
   */
  static Reply besideWrites(int queries, int k, int minMillis, Search search, Write write)
      throws Exception {
    SearchRounds rounds = new SearchRounds(queries, k);
    Writer writer = new Writer(write);
    writer.start();
    try {
      do {
        rounds.pass(search);
      } while (rounds.nanos < minMillis * 1_000_000L);
    } finally {
      writer.finish();
    }
    return Reply.ok(rounds.nanos, rounds.cpuNanos, rounds.run, writer.writes, writer.nanos)
        .with(rounds.rows, rounds.distances);
  }

  /** One change. */
  interface Write {
    void run() throws Exception;
  }

  private static final class Writer extends Thread {
    private final Write write;
    private volatile boolean stop;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private long writes;
    private long nanos;

    Writer(Write write) {
      super("writer");
      this.write = write;
    }

    @Override
    public void run() {
      long start = System.nanoTime();
      try {
        while (!stop) {
          write.run();
          writes++;
        }
      } catch (Exception e) {
        failure.set(e);
      }
      nanos = System.nanoTime() - start;
    }

    void finish() throws Exception {
      stop = true;
      join();
      Exception failed = failure.get();
      if (failed != null) {
        throw failed;
      }
    }
  }
}
