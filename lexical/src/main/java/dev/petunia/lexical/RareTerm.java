package dev.petunia.lexical;

/**
 * A term of a query that few chunks hold.
 *
 * @param term as it is indexed: lower case, stemmed
 * @param documentFrequency chunks that hold it, deleted ones not counted
 * @param idf {@code ln(1 + (N - df + 0.5) / (df + 0.5))}, N chunks in all
 */
public record RareTerm(String term, int documentFrequency, double idf) {}
