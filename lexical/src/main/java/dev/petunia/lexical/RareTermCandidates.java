package dev.petunia.lexical;

import java.util.List;

/**
 * Chunks that hold rare terms of a query.
 *
 * @param terms the rare terms used, rarest first
 * @param termsLeftOut rare terms of the query above {@link RareTermOptions#maxTerms}
 * @param hits by falling {@code idfSum}, then falling {@code score}, then ascending id
 */
public record RareTermCandidates(List<RareTerm> terms, int termsLeftOut, List<RareTermHit> hits) {
  /** The default of the most candidates. */
  public static final int DEFAULT_LIMIT = 64;

  /** Copies. */
  public RareTermCandidates {
    terms = List.copyOf(terms);
    hits = List.copyOf(hits);
  }

  /**
   * A chunk that holds one or more of the rare terms.
   *
   * @param id the chunk's id
   * @param idfSum summed idf of the rare terms it holds, each counted once
   * @param score BM25 of the whole query text, as in {@link LexicalHit}
   * @param rank from 1
   */
  public record RareTermHit(String id, double idfSum, float score, int rank) {}
}
