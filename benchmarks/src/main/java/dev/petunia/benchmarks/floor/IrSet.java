package dev.petunia.benchmarks.floor;

import dev.petunia.core.Chunk;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A collection with judgements.
 *
 * @param name of the set
 * @param chunks its passages
 * @param vectors of the passages, of the first model only; null: to be embedded
 * @param questions that have at least one relevant passage
 */
@SuppressWarnings("ArrayRecordComponent") // read once, compared never
public record IrSet(
    String name, List<Chunk> chunks, float @Nullable [][] vectors, List<Judged> questions) {
  /**
   * A question.
   *
   * @param text what is asked
   * @param gains of the relevant passages by id, above 0
   */
  public record Judged(String text, Map<String, Integer> gains) {}
}
