package dev.petunia.examples.conversation.corpus;

import dev.petunia.core.ProgressListener;
import java.io.IOException;

/** A source of passages. Safe for concurrent use. */
public interface Corpus {
  /** For people: what it is, in a few words, such as {@code documentation of JDK 25.0.3}. */
  String name();

  /**
   * 32 hex digits that change when {@link #chunks} would give something else: made from what the
   * source looks like (paths, sizes, times), not from its content, so that it is quick.
   *
   * @throws IOException when the source can't be looked at
   * @throws CorpusUnavailableException when there is nothing to read
   */
  String fingerprint() throws IOException;

  /**
   * Reads everything and cuts it into passages, which are kept in memory. The same source gives the
   * same chunks in the same order.
   *
   * @param progress hears how many files are read; when it cancels, nothing is kept
   * @throws IOException when the source as a whole can't be read; a single file that can't be read
   *     is skipped and stands in the report
   * @throws CorpusUnavailableException when there is nothing to read
   * @throws java.util.concurrent.CancellationException when the listener cancels
   */
  Chunks chunks(ProgressListener progress) throws IOException;
}
