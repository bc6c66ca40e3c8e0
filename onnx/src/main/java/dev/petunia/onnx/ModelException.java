package dev.petunia.onnx;

import org.jspecify.annotations.Nullable;

/**
 * A model can't be loaded or run: a file is missing or damaged, its inputs or outputs are not what
 * was described, its native library doesn't load on this platform, or it computed no number.
 */
public final class ModelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong, and with which model. */
  public ModelException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
