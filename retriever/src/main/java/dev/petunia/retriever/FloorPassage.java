package dev.petunia.retriever;

import dev.petunia.core.Chunk;
import dev.petunia.core.Hit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A passage of a floor, with the facts of each stage that it went through. What was not computed is
 * absent, never 0.
 *
 * @param chunk the passage
 * @param poolRank its place after fusion and rescoring, from 1: the order in which the
 *     cross-encoder takes them
 * @param fused reciprocal rank fusion: Σ weight / (k + rank) over the channels that found it
 * @param denseRank its rank in the vector search, from 1
 * @param dense the vector search's facts; the distances are to the targets of {@link Floor#targets}
 * @param lexicalRank its rank by BM25, from 1
 * @param rareTermRank its rank among the chunks that hold rare terms of the question, from 1
 * @param relation the candidate through which expansion came to it, and how
 * @param jaccard how similar the question's shingles are to the passage's, 0 to 1; empty when they
 *     were not compared: beyond the best 100, without shingles of this version, or not asked for
 * @param nearExact the question and the passage are so similar that it heads the floor, whatever
 *     the cross-encoder says
 * @param containsQuestion it has most of the question's shingles, among others, and so follows
 *     those that are nearly exact; only when {@link dev.petunia.dedup.RescoreConfig#containment} is
 *     on
 * @param score the cross-encoder's score in [0, 1]
 * @param logit the score before it was squashed; passages are ordered by it
 * @param truncated the cross-encoder did not see the passage's end
 * @param cached the score is from an earlier request
 * @param duplicates candidates that were left out as near-duplicates of it, best first
 */
public record FloorPassage(
    Chunk chunk,
    int poolRank,
    double fused,
    OptionalInt denseRank,
    Optional<Hit> dense,
    OptionalInt lexicalRank,
    OptionalInt rareTermRank,
    Optional<Relation> relation,
    OptionalDouble jaccard,
    boolean nearExact,
    boolean containsQuestion,
    OptionalDouble score,
    OptionalDouble logit,
    boolean truncated,
    boolean cached,
    List<String> duplicates) {
  /** Copies. */
  public FloorPassage {
    duplicates = List.copyOf(duplicates);
  }

  /** Whether the cross-encoder scored it. */
  public boolean scored() {
    return score.isPresent();
  }

  /**
   * How expansion came to a passage.
   *
   * @param kind of relation
   * @param from id of the candidate it is related to
   */
  public record Relation(Kind kind, String from) {
    /** Kinds of relations. */
    public enum Kind {
      /** It stands beside the candidate in the same entry. */
      NEIGHBOUR,
      /** Its entry is one that the candidate's links to. */
      LINKED
    }
  }
}
