package dev.petunia.retriever;

import java.time.Duration;
import java.util.List;

/**
 * What an ingest did.
 *
 * @param chunks chunks put
 * @param replaced of these, how many had an id that was here
 * @param tokens tokens that the embedder read
 * @param truncated ids of chunks longer than the embedder reads: their ends are not in the vectors
 *     (they are in the text index)
 * @param time taken
 */
public record IngestReport(
    int chunks, int replaced, long tokens, List<String> truncated, Duration time) {
  /** Copies. */
  public IngestReport {
    truncated = List.copyOf(truncated);
  }
}
