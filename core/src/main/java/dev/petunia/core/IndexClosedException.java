package dev.petunia.core;

/** The index (or model) was closed before this call. */
public final class IndexClosedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** Names what is closed. */
  public IndexClosedException(String what) {
    super(what + " is closed");
  }
}
