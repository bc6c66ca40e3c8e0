/**
 * The chunk store: text and attributes, BM25, filters as sets of ids, and the rare-term channel. On
 * Lucene.
 *
 * <pre>{@code
 *             upsert, delete                          search, compile, rareTerms, get, entry
 *                   │                                          │
 *              LexicalIndex ────────────────────────────► LexicalIndex
 *                   │                                          │
 * Chunk ─► ChunkFormat ─► Lucene document                 ChunkSearcher: one snapshot
 *            │  TextAnalysis: text ─► terms                    │
 *            │  AttributeTerms, NumberCode: attr, num     Filter ─► FilterBits ─► CompiledFilter
 *            └  ChunkCodec: the chunk itself                   │                  (SegmentIds)
 *                   │                                     text ─► Bm25, RareTermSearch
 *                 Store: writer ── commit(user data) ──► disk  │
 *                   └──────────── refresh, when changed ───────┘
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>{@link dev.petunia.lexical.LexicalIndex}</td><td>all that users call</td></tr>
 * <tr><td>{@link dev.petunia.lexical.LexicalConfig}, {@link dev.petunia.lexical.TextAnalysis}</td><td>options; text to terms</td></tr>
 * <tr><td>CodePartsFilter, StopWordsFilter, NormalizingCharFilter, ClusterBigramFilter</td><td>steps of the built-in analyses</td></tr>
 * <tr><td>{@link dev.petunia.lexical.LexicalQuery}, {@link dev.petunia.lexical.LexicalHit}, Bm25, OpaqueQuery</td><td>search by words</td></tr>
 * <tr><td>{@link dev.petunia.lexical.RareTerm}, {@link dev.petunia.lexical.RareTermOptions}, {@link dev.petunia.lexical.RareTermCandidates}, RareTermSearch</td><td>the rare-term channel</td></tr>
 * <tr><td>ChunkFormat, ChunkCodec, AttributeTerms, NumberCode</td><td>the format, field by field</td></tr>
 * <tr><td>FilterBits, BitsQuery, CompiledFilter, SegmentIds</td><td>filters: tree to bits to ids</td></tr>
 * <tr><td>ChunkReads, ChunkIteration</td><td>chunks by id, by entry, all; signals beside them</td></tr>
 * <tr><td>Store, ChunkSearcher, CommitData, Place, Failures</td><td>writer, snapshots, commits, locks, errors</td></tr>
 * </table>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A chunk comes back equal to the one that was stored, with the types of its attributes.
 *   <li>A change is seen by every call that begins after it returned; no call sees a part of one.
 *   <li>Signals are changed without the text being indexed again; a chunk that is replaced has
 *       none.
 *   <li>Only {@code commit} makes anything durable, and the caller's data with it. Closing drops
 *       what is not committed.
 *   <li>No name or value of the user's becomes a name of Lucene's; names and types can't clash.
 *   <li>A compiled filter agrees with {@link dev.petunia.core.Filter#matches} on every tree.
 *   <li>Document numbers never leave a snapshot; what is given out is ids.
 *   <li>Equal scores go by ascending id, in the order of UTF-8 bytes.
 *   <li>Document frequencies that are given out count no deleted chunk. (Those inside BM25 scores
 *       count it until a merge.)
 * </ul>
 */
@NullMarked
package dev.petunia.lexical;

import org.jspecify.annotations.NullMarked;
