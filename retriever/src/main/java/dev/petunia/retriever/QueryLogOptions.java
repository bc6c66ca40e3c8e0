package dev.petunia.retriever;

import dev.petunia.core.internal.Checks;
import java.nio.file.Path;

/**
 * Where and how {@link Retriever#ask} logs questions and floors: a JSON object a line, appended.
 * One open retriever writes to a file; a second one is refused when it is opened.
 *
 * @param file the log; its folder is made when it is not there
 * @param maxBytes size at which it is renamed to {@code file.1}, and a new one begun; 1,024 or more
 * @param oldFiles how many renamed ones are kept, {@code file.1} the newest; 0 to 1000
 * @param hashesOnly SHA-256 of question, filter and ids in place of themselves. Whoever has the
 *     texts, or guesses a short question, can still tell
 */
public record QueryLogOptions(Path file, long maxBytes, int oldFiles, boolean hashesOnly) {
  /** Checks. */
  public QueryLogOptions {
    Checks.present("file", file);
    Checks.range("maxBytes", maxBytes, 1024, Long.MAX_VALUE);
    Checks.range("oldFiles", oldFiles, 0, 1000);
  }

  /** A log in clear text: 64 MB a file, four old ones. */
  public static QueryLogOptions in(Path file) {
    return new QueryLogOptions(file, 64L << 20, 4, false);
  }

  /** This with or without hashes only. */
  public QueryLogOptions hashesOnly(boolean newHashesOnly) {
    return new QueryLogOptions(file, maxBytes, oldFiles, newHashesOnly);
  }
}
