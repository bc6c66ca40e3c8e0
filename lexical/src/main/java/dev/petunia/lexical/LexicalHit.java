package dev.petunia.lexical;

/**
 * A result of a text search.
 *
 * @param id the chunk's id
 * @param score BM25 without the constant factor k1 + 1, as Lucene computes it: above 0, comparable
 *     only among the hits of one query
 * @param rank from 1
 */
public record LexicalHit(String id, float score, int rank) {}
