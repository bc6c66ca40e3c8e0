package dev.petunia.core;

import java.nio.file.Path;

/** Another writer, in this process or another, has the directory open. */
public final class IndexLockedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** Names the directory. */
  public IndexLockedException(Path directory) {
    super(
        directory
            + " is open for writing elsewhere; close that writer first, or open it read-only");
  }
}
