/**
 * Near-duplicates as data: found when texts are ingested, kept as verified edges, never deleted;
 * and the same shingles once more as a third signal when candidates are ranked.
 *
 * <pre>{@code
 * text ─► Normalizer ─► tokens ─► Shingler ─► ShingleSet ──────────────► Rescorer ─► order
 *         UnicodeTable            Xxh3            │                      (query side)
 *         Boilerplate                             │
 *                                                 ▼
 * Document ─► Ingest: equal raw text? equal set? (State: chunks, groups of equal sets)
 *                │ new set
 *                ▼
 *              Lsh: MinHash ─► keys of bands ─► BandTable, BandRun ─► candidates ─► Jaccard, exact
 *                │                                  crowded: HotJoin ─┘                │
 *                ▼                                                                     ▼
 *              State: pairs of groups ─► Edges, Clusters, canonical map ─► PromotionPolicy ─► view
 *                │
 * commit ─► Store: Records ─► log.pd, Sets ─► sets.pd, BandRun ─► bands-N.pd, then the file commit
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>{@link dev.petunia.dedup.DedupIndex}, {@link dev.petunia.dedup.DedupConfig}, {@link dev.petunia.dedup.Document}, {@link dev.petunia.dedup.RunReport}, {@link dev.petunia.dedup.DedupStats}</td><td>the index: what goes in, what a run did, what is there</td></tr>
 * <tr><td>{@link dev.petunia.dedup.Normalizer}, {@link dev.petunia.dedup.NormalizedText}, {@link dev.petunia.dedup.NormalizeReport}, UnicodeTable, Boilerplate, Resources, Scratch</td><td>texts to tokens, by frozen tables</td></tr>
 * <tr><td>{@link dev.petunia.dedup.Shingler}, {@link dev.petunia.dedup.ShingleSet}, Xxh3</td><td>tokens to sets of hashes</td></tr>
 * <tr><td>{@link dev.petunia.dedup.Overlap}, Jaccard</td><td>exact similarity in whole numbers</td></tr>
 * <tr><td>{@link dev.petunia.dedup.LshParameters}, MinHash, Lsh, BandTable, BandRun, HotJoin</td><td>which sets to compare</td></tr>
 * <tr><td>Ingest, Prepared, Crew</td><td>one run, on several threads</td></tr>
 * <tr><td>Guard, State, Runs, Sets, Tokens, Hashes, LiveIds, IntList, IntTable, LongList, LongTable</td><td>tables by number</td></tr>
 * <tr><td>{@link dev.petunia.dedup.EdgeStore}, {@link dev.petunia.dedup.Edge}, {@link dev.petunia.dedup.EdgeMethod}, {@link dev.petunia.dedup.EdgeListener}, {@link dev.petunia.dedup.EdgeExport}, Edges</td><td>findings, to read, to hear of, to write out</td></tr>
 * <tr><td>{@link dev.petunia.dedup.Cluster}, {@link dev.petunia.dedup.CanonicalMap}, {@link dev.petunia.dedup.CanonicalChange}, Clusters</td><td>what edges connect</td></tr>
 * <tr><td>{@link dev.petunia.dedup.Explanation}, {@link dev.petunia.dedup.Difference}, {@link dev.petunia.dedup.DifferingToken}, {@link dev.petunia.dedup.TextSource}, Differences</td><td>what tells two texts apart</td></tr>
 * <tr><td>{@link dev.petunia.dedup.PromotionPolicy}, {@link dev.petunia.dedup.SuppressionView}, {@link dev.petunia.dedup.Places}, Views, Verdict</td><td>what a view leaves out, and what people said</td></tr>
 * <tr><td>{@link dev.petunia.dedup.SpotCheck}, Csv</td><td>a sample of edges for a reader, and the verdicts</td></tr>
 * <tr><td>Store, CommitFile, Log, Records, Files2</td><td>the directory, its formats, commits</td></tr>
 * <tr><td>{@link dev.petunia.dedup.Rescorer}, {@link dev.petunia.dedup.RescoreConfig}, {@link dev.petunia.dedup.RescoreCandidate}, {@link dev.petunia.dedup.RescoreResult}, {@link dev.petunia.dedup.Rescored}</td><td>Jaccard after rank fusion</td></tr>
 * </table>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The same text has the same shingles on every machine, in every later Java and every release
 *       with the same normalizer version; sets of two versions are never compared.
 *   <li>Every edge was decided by whole numbers on exact sets. Bands only nominate.
 *   <li>Edges and clusters depend on the texts and the order of ingest, not on threads, batches,
 *       commits, crowded buckets, or what came and went between.
 *   <li>One canonical member in each cluster: the one ingested first.
 *   <li>A text without tokens, such as one of emoji alone, is similar to nothing, not even to the
 *       same text: it has no shingles to compare.
 *   <li>No finding deletes a chunk. What is left out of a view is named in it, with its stand-in.
 *   <li>Listeners are called when a change is whole. One that fails in the middle is never
 *       committed.
 *   <li>What opens after a crash is the last commit, or the one that was being made.
 * </ul>
 *
 * <p>Token hashes are XXH3-64, written here and not taken from a library: on tokens of 1 to 11
 * bytes it took 4.3 to 5.4 ns and hash4j 0.31 took 5.0 to 8.8 ns (Xeon at 2 shared cores, JDK 25),
 * and the module needs nothing beyond core. The two agreed on every length from 0 to 4,999 bytes.
 */
@NullMarked
package dev.petunia.dedup;

import org.jspecify.annotations.NullMarked;
