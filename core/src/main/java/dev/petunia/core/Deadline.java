package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import java.time.Duration;

/**
 * A moment by which an answer is due. Absolute: made once for a request and handed down, so that no
 * part starts the clock anew.
 */
public final class Deadline {
  /** Never passes. */
  public static final Deadline NONE = new Deadline(Ticker.SYSTEM, 0, true);

  private final Ticker ticker;
  private final long at;
  private final boolean never;

  private Deadline(Ticker ticker, long at, boolean never) {
    this.ticker = ticker;
    this.at = at;
    this.never = never;
  }

  /** This long from now; not negative, at most 36,500 days. */
  public static Deadline after(Duration duration) {
    return after(duration, Ticker.SYSTEM);
  }

  /** This long from now by the given clock; not negative, at most 36,500 days. */
  public static Deadline after(Duration duration, Ticker ticker) {
    Checks.present("deadline", duration);
    if (duration.isNegative() || duration.compareTo(Duration.ofDays(36_500)) > 0) {
      throw Checks.bad("deadline", duration, "PT0S to 36500 days");
    }
    Checks.present("ticker", ticker);
    return new Deadline(ticker, ticker.nanos() + duration.toNanos(), false);
  }

  /** A deadline that much before this one; {@link #NONE} stays none. Not negative. */
  public Deadline earlier(Duration by) {
    Checks.present("by", by);
    if (by.isNegative()) {
      throw Checks.bad("by", by, "PT0S or more");
    }
    return never ? this : new Deadline(ticker, at - by.toNanos(), false);
  }

  /**
   * Time left; negative when it has passed; {@link Long#MAX_VALUE} nanoseconds for {@link #NONE}.
   */
  public Duration remaining() {
    return Duration.ofNanos(remainingNanos());
  }

  /** Nanoseconds left; negative when it has passed; {@link Long#MAX_VALUE} for {@link #NONE}. */
  public long remainingNanos() {
    return never ? Long.MAX_VALUE : at - ticker.nanos();
  }

  /** Whether it has passed. */
  public boolean passed() {
    return remainingNanos() <= 0;
  }

  @Override
  public String toString() {
    return never ? "no deadline" : "deadline in " + remaining();
  }
}
