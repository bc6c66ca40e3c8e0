package dev.petunia.dedup;

import java.util.Optional;

/**
 * Why two chunks are, or are not, near-duplicates.
 *
 * @param chunkA as asked
 * @param chunkB as asked
 * @param overlap what their shingle sets share
 * @param isExact whether the raw texts are equal
 * @param isNominated whether they share a band, without which no comparison is made at ingest
 * @param canonical the canonical chunk of their common cluster; empty when they have none
 * @param difference the differing tokens
 */
public record Explanation(
    String chunkA,
    String chunkB,
    Overlap overlap,
    boolean isExact,
    boolean isNominated,
    Optional<String> canonical,
    Difference difference) {}
