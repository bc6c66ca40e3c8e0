package dev.petunia.benchmarks.rescore;

import dev.petunia.dedup.RescoreCandidate;
import dev.petunia.dedup.ShingleSet;
import java.util.List;
import java.util.Map;

/**
 * A question, and its candidates by rank fusion.
 *
 * @param text what is asked or pasted
 * @param shingles of it
 * @param gains the relevant passages
 * @param pool the candidates, best first, ties by id: what the floor's cross-encoder would get
 * @param oracle what a perfect lexical half would give
 * @param truncated the embedder did not see its end
 */
record Asked(
    String text,
    ShingleSet shingles,
    Map<String, Integer> gains,
    List<RescoreCandidate> pool,
    LexicalOracle oracle,
    boolean truncated) {}
