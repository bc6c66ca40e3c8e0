package dev.petunia.core;

/**
 * The vector of a text.
 *
 * @param vector unit length
 * @param tokens tokens that the model read, its special tokens included
 * @param truncated the text was longer than the model reads, and its end was cut
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier of results; equality by identity is right
public record Embedding(float[] vector, int tokens, boolean truncated) {}
