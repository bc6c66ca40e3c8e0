package dev.petunia.core.testing;

import dev.petunia.core.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is turned. Safe for many threads. */
public final class FakeTicker implements Ticker {
  private final AtomicLong now;

  /** Starts at 0. */
  public FakeTicker() {
    this(0);
  }

  /** Starts anywhere: real tickers may be negative, or about to overflow. */
  public FakeTicker(long nanos) {
    now = new AtomicLong(nanos);
  }

  @Override
  public long nanos() {
    return now.get();
  }

  /** Turns it forward (wrapping over as a real one does). */
  public void advance(Duration by) {
    now.addAndGet(by.toNanos());
  }
}
