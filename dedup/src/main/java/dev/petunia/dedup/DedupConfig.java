package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;
import java.time.InstantSource;

/**
 * Options of an index.
 *
 * @param lsh bands and rows; fixed for a directory
 * @param threads threads that ingest uses, 1 to 256; results don't depend on it
 * @param hotBucket buckets with more sets than this are joined by prefix, 8 to 1,000,000; results
 *     don't depend on it
 * @param clock for {@code createdAt}
 * @param listener hears of edges
 */
public record DedupConfig(
    LshParameters lsh, int threads, int hotBucket, InstantSource clock, EdgeListener listener) {
  /** 18 × 7, one thread, 256, the system's clock. */
  public static final DedupConfig DEFAULT =
      new DedupConfig(LshParameters.DEFAULT, 1, 256, InstantSource.system(), EdgeListener.NONE);

  /** Checks. */
  public DedupConfig {
    Checks.present("lsh", lsh);
    Checks.range("threads", threads, 1, 256);
    Checks.range("hotBucket", hotBucket, 8, 1_000_000);
    Checks.present("clock", clock);
    Checks.present("listener", listener);
  }

  /** These options with another number of threads. */
  public DedupConfig withThreads(int count) {
    return new DedupConfig(lsh, count, hotBucket, clock, listener);
  }

  /** These options with other bands and rows. */
  public DedupConfig withLsh(LshParameters parameters) {
    return new DedupConfig(parameters, threads, hotBucket, clock, listener);
  }

  /** These options with another limit for buckets. */
  public DedupConfig withHotBucket(int sets) {
    return new DedupConfig(lsh, threads, sets, clock, listener);
  }

  /** These options with another clock. */
  public DedupConfig withClock(InstantSource source) {
    return new DedupConfig(lsh, threads, hotBucket, source, listener);
  }

  /** These options with a listener. */
  public DedupConfig withListener(EdgeListener edges) {
    return new DedupConfig(lsh, threads, hotBucket, clock, edges);
  }
}
