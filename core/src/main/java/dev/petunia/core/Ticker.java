package dev.petunia.core;

/** A monotonic clock; tests bring their own. */
@FunctionalInterface
public interface Ticker {
  /** The system's {@link System#nanoTime}. */
  Ticker SYSTEM = System::nanoTime;

  /** Nanoseconds since some fixed moment. */
  long nanos();
}
