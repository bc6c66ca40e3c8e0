package dev.petunia.examples.conversation.corpus;

import dev.petunia.core.ProgressListener;
import java.util.concurrent.CancellationException;

/** Tells a listener of steps from several threads, one call at a time and not too often. */
final class Progress {
  private static final long INTERVAL_NANOS = 200_000_000;

  private final ProgressListener listener;
  private final String stage;
  private final long total;
  private long done;
  private long last = System.nanoTime() - INTERVAL_NANOS;
  private boolean cancelled;

  Progress(ProgressListener listener, String stage, long total) {
    this.listener = listener;
    this.stage = stage;
    this.total = total;
  }

  /**
   * One step more.
   *
   * @throws CancellationException when the listener has cancelled, now or before
   */
  synchronized void step() {
    done++;
    long now = System.nanoTime();
    if (!cancelled && (now - last >= INTERVAL_NANOS || done == total)) {
      last = now;
      cancelled = !listener.onProgress(stage, done, total);
    }
    if (cancelled) {
      throw new CancellationException(stage + " was cancelled after " + done + " of " + total);
    }
  }
}
