package dev.petunia.retriever;

import dev.petunia.dedup.RunReport;
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
 * @param duplicates what was found of near-duplicates; all 0 without them
 * @param time taken
 */
public record IngestReport(
    int chunks,
    int replaced,
    long tokens,
    List<String> truncated,
    Duplicates duplicates,
    Duration time) {
  /** Copies. */
  public IngestReport {
    truncated = List.copyOf(truncated);
  }

  /**
   * Near-duplicates found.
   *
   * @param exact chunks with the raw text of an earlier one
   * @param identical chunks with another raw text, but the same shingles as an earlier one
   * @param edges new edges: pairs with J ≥ 0.9
   * @param unshinglable chunks without words, which are similar to nothing
   */
  public record Duplicates(long exact, long identical, long edges, long unshinglable) {
    static final Duplicates NONE = new Duplicates(0, 0, 0, 0);

    Duplicates plus(List<RunReport> runs) {
      Duplicates sum = this;
      for (RunReport r : runs) {
        RunReport.Counts c = r.counts();
        sum =
            new Duplicates(
                sum.exact + c.exactDuplicates(),
                sum.identical + c.identicalSets(),
                sum.edges + c.edges(),
                sum.unshinglable + c.unshinglable());
      }
      return sum;
    }
  }
}
