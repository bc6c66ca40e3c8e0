package dev.petunia.core;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file of an index is damaged, cut short, or not what it should be. */
public final class CorruptIndexException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;

  /**
   * Names the damage.
   *
   * @param file where
   * @param offset byte offset in the file at which it was noticed; −1 when the whole file is meant
   * @param problem what is wrong
   */
  public CorruptIndexException(Path file, long offset, String problem) {
    this(file, offset, problem, null);
  }

  /** Names the damage and the exception that showed it. */
  public CorruptIndexException(Path file, long offset, String problem, @Nullable Throwable cause) {
    super(file + (offset >= 0 ? " at byte " + offset : "") + ": " + problem, cause);
    this.file = file.toString();
    this.offset = offset;
  }

  /** The damaged file. */
  public Path file() {
    return Path.of(file);
  }

  /** Byte offset at which the damage was noticed; −1 when the whole file is meant. */
  public long offset() {
    return offset;
  }
}
