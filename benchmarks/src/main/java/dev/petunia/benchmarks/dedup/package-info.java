/**
 * {@code benchmarks/run dedup}: near-duplicates against exact truth, and against peers.
 *
 * <pre>{@code
 * Corpora ─► Corpus ─► Tokens ─► ExactSets ─► ExactJoin ─► truth ◄─► TruthFiles
 *    │                   │                                  │
 *    │       texts with these very tokens                   │
 *    │                   ▼                                  ▼
 *    │              DedupIndex ─► edges, nominations ─► TruthPart: recall, precision
 *    │
 *    ├─► SpeedPart: DedupIndex; PeersPart: Contestant by Contestant over SetAccess
 *    └─► DiskPart, HotPart, RescorePart, ScalingPart, SimHashPart, StreamPart
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>DedupProgram, DedupPart, DedupContext</td><td>options, parts, what all of them have</td></tr>
 * <tr><td>Corpus, Corpora, MadeTexts</td><td>texts from the data folder, or made</td></tr>
 * <tr><td>Tokens, Trie, ExactSets, ExactJoin, Pair, TruthFiles</td><td>the truth, by code of its own: no hash of a shingle decides</td></tr>
 * <tr><td>TruthPart, Found, Differing</td><td>what an index found of it</td></tr>
 * <tr><td>SpeedPart, PeersPart, Contestant, Contestants, CpuTime</td><td>rates by CPU time, ours and the peers'</td></tr>
 * <tr><td>DiskPart, HotPart, RescorePart, ScalingPart, SimHashPart, StreamPart</td><td>one experiment each</td></tr>
 * </table>
 *
 * <p>Invariants: an answer is checked before its time counts; thresholds are decided in whole
 * numbers; peers get the same sets, bands and comparison, and no cost for their input's form.
 */
@NullMarked
package dev.petunia.benchmarks.dedup;

import org.jspecify.annotations.NullMarked;
