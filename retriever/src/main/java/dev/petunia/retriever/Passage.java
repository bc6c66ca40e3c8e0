package dev.petunia.retriever;

import dev.petunia.core.Chunk;
import dev.petunia.core.Hit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A passage of an answer, with the scores of the stages that it went through; a stage that it did
 * not go through is absent.
 *
 * @param chunk the passage
 * @param fused reciprocal rank fusion: Σ 1 / (k + rank) over the channels that found it
 * @param denseRank its rank in the vector search, from 1
 * @param dense the vector search's facts: distance, score, the distance to each target, the seed
 *     that led to it
 * @param lexicalRank its rank by BM25, from 1
 * @param duplicates candidates that were left out as near-duplicates of it, best first
 */
public record Passage(
    Chunk chunk,
    double fused,
    OptionalInt denseRank,
    Optional<Hit> dense,
    OptionalInt lexicalRank,
    List<String> duplicates) {
  /** Copies. */
  public Passage {
    duplicates = List.copyOf(duplicates);
  }
}
