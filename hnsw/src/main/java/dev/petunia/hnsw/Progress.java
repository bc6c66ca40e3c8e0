package dev.petunia.hnsw;

import dev.petunia.core.ProgressListener;
import java.util.concurrent.CancellationException;

/** Tells a listener of one stage of a long work, and ends it when the listener says so. */
final class Progress {
  private final ProgressListener listener;
  private final String stage;

  Progress(ProgressListener listener, String stage) {
    this.listener = listener;
    this.stage = stage;
  }

  /**
   * @throws CancellationException when the listener wants no more
   */
  void at(long done, long all) {
    if (!listener.onProgress(stage, done, all)) {
      throw new CancellationException("cancelled; " + stage + " " + done + " of " + all);
    }
  }
}
