package dev.petunia.core;

/**
 * Hears how long work gets on, and can stop it. Called from the working threads, one call at a
 * time, at most a few times a second.
 */
@FunctionalInterface
public interface ProgressListener {
  /** Hears nothing, never cancels. */
  ProgressListener NONE = (stage, done, total) -> true;

  /**
   * Called as work gets on, and once at the end of each stage with {@code done == total}.
   *
   * @param stage what is being done, a few words
   * @param done units done so far
   * @param total units in all; −1 when not known yet
   * @return false to cancel: the work stops soon and throws {@link
   *     java.util.concurrent.CancellationException}; what each kind of work keeps then stands at
   *     its method
   */
  boolean onProgress(String stage, long done, long total);
}
