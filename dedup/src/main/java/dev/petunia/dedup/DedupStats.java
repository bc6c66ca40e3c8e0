package dev.petunia.dedup;

/**
 * What an index holds.
 *
 * @param chunks chunks that are there
 * @param removed chunks that were removed or replaced and still take space
 * @param sets distinct shingle sets, those of removed chunks too
 * @param shingleBytes bytes of these sets
 * @param bandRuns sorted runs on disk
 * @param bandBytes bytes of the runs
 * @param recentSets sets whose band keys are in memory, since the last commit
 * @param pairs pairs of distinct sets with J ≥ 0.9
 * @param runs runs recorded
 */
public record DedupStats(
    int chunks,
    int removed,
    int sets,
    long shingleBytes,
    int bandRuns,
    long bandBytes,
    int recentSets,
    int pairs,
    int runs) {}
