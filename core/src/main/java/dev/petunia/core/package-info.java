/**
 * The types that Petunia's parts share, and the small interfaces between them. No dependencies.
 *
 * <pre>{@code
 * Chunk ──────────────┐                    ┌─ Hit ── SearchResult
 * VectorEntry ──► VectorIndex.search(VectorQuery) ── SearchTrace
 *                     ▲                    │
 * Filter ─ FilterCompiler ─► IdFilter      ├─ targets, weights, Combine
 *                                          ├─ seeds
 * Embedder (TextForm) ─► Embedding         └─ Diversify
 *
 * CandidateSource: pools and facts of one query, for a pipeline
 * Reranker, Readiness, Deadline, Ticker, ProgressListener
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>{@link dev.petunia.core.Chunk}</td><td>a passage with its attributes</td></tr>
 * <tr><td>{@link dev.petunia.core.Filter}</td><td>conditions on attributes, and their reference meaning</td></tr>
 * <tr><td>FilterValues, FilterParts, FilterText</td><td>how values compare, how large a filter may be, how it reads</td></tr>
 * <tr><td>Attributes</td><td>checks and copies attributes and the values that filters compare with</td></tr>
 * <tr><td>{@link dev.petunia.core.IdFilter}, {@link dev.petunia.core.FilterCompiler}</td><td>a filter as a set of ids</td></tr>
 * <tr><td>{@link dev.petunia.core.Similarity}, {@link dev.petunia.core.Combine}</td><td>metrics, and several targets as one</td></tr>
 * <tr><td>{@link dev.petunia.core.VectorQuery}, {@link dev.petunia.core.Diversify}</td><td>one search with all its options</td></tr>
 * <tr><td>{@link dev.petunia.core.VectorIndex}</td><td>the index by id</td></tr>
 * <tr><td>{@link dev.petunia.core.SearchResult}, {@link dev.petunia.core.Hit}, {@link dev.petunia.core.SearchTrace}</td><td>what came back, and how</td></tr>
 * <tr><td>{@link dev.petunia.core.CandidateSource}</td><td>what a pipeline asks of an index</td></tr>
 * <tr><td>{@link dev.petunia.core.Embedder}, {@link dev.petunia.core.Reranker}, {@link dev.petunia.core.Readiness}</td><td>models</td></tr>
 * <tr><td>{@link dev.petunia.core.Deadline}, {@link dev.petunia.core.Ticker}, {@link dev.petunia.core.ProgressListener}</td><td>time and long work</td></tr>
 * <tr><td>the exceptions</td><td>damaged, closed, locked</td></tr>
 * </table>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Records are immutable and valid: constructors check, copy, and name what is wrong.
 *   <li>Arrays are copied where a type keeps them; carriers that don't copy say so.
 *   <li>Ids are ordered by their UTF-8 bytes, and equal distances by ascending id.
 *   <li>A number that was not computed is absent, never 0.
 * </ul>
 */
@NullMarked
package dev.petunia.core;

import org.jspecify.annotations.NullMarked;
