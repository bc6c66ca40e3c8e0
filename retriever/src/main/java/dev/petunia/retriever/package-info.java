/**
 * The assembled engine: a directory that holds a vector index and a text index of the same chunks
 * and what is known of their near-duplicates, and answers questions turn after turn of a
 * conversation.
 *
 * <pre>{@code
 * Chunk ── Embedder ──► VectorChunk ──► texts/   (dev.petunia.lexical)  ◄── the commit that decides
 *                                  ├──► vectors/ (dev.petunia.hnsw)     ◄── named by it
 *                                  └──► duplicates/ (dev.petunia.dedup) ◄── marked with it
 *
 * RetrievalRequest ──► Pipeline ──► EmbeddedSource (pools) ──► Rrf ──► Collapse ──► RetrievalResult
 *      ▲                                                                                │
 *      └────────────── ConversationState (the caller's) ◄── next() ─────────────────────┘
 *
 * FloorRequest ──► FloorPipeline: Question ─► pools ─► Rrf, Expansion, Collapse ─► Rescoring
 *                                             ─► CrossEncoding ──► Floor ──► QueryLog
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>{@link dev.petunia.retriever.Retriever}</td><td>opens, ingests, commits, answers</td></tr>
 * <tr><td>{@link dev.petunia.retriever.RetrieverConfig}</td><td>options</td></tr>
 * <tr><td>{@link dev.petunia.retriever.RetrievalRequest}, {@link dev.petunia.retriever.RetrievalResult}, {@link dev.petunia.retriever.Passage}</td><td>a question and its answer</td></tr>
 * <tr><td>{@link dev.petunia.retriever.ConversationState}</td><td>what came before, kept by the caller</td></tr>
 * <tr><td>{@link dev.petunia.retriever.VectorChunk}, {@link dev.petunia.retriever.IngestReport}</td><td>what goes in, and what became of it</td></tr>
 * <tr><td>Pipeline, Rrf</td><td>from pools to passages</td></tr>
 * <tr><td>{@link dev.petunia.retriever.FloorRequest}, {@link dev.petunia.retriever.FloorOptions}, {@link dev.petunia.retriever.Floor}, {@link dev.petunia.retriever.FloorPassage}</td><td>a question to {@code ask}, its numbers, its answer</td></tr>
 * <tr><td>{@link dev.petunia.retriever.Shortfall}, {@link dev.petunia.retriever.StageUnavailableException}</td><td>what a stage could not do, and the error when it was required</td></tr>
 * <tr><td>FloorPipeline</td><td>the order of the stages, and the floor out of their results</td></tr>
 * <tr><td>Question, CrossEncoding</td><td>the two models' results or why there are none; a failing model ends here</td></tr>
 * <tr><td>Expansion</td><td>candidates beside others in their entries, and of linked entries</td></tr>
 * <tr><td>Turn, Selector</td><td>what a question takes from its conversation and leaves to it; MMR</td></tr>
 * <tr><td>{@link dev.petunia.retriever.QueryLogOptions}, QueryLog</td><td>a line for each answer of {@code ask}</td></tr>
 * <tr><td>{@link dev.petunia.retriever.NearDuplicates}, Duplicates</td><td>what is known of them, for users; found at ingest, brought up to the texts</td></tr>
 * <tr><td>Collapse, PoolSizes</td><td>one passage of each cluster; wider pools when too few are left</td></tr>
 * <tr><td>Rescoring, Shingles</td><td>Jaccard as a third signal; shingles beside the texts</td></tr>
 * <tr><td>Indexes</td><td>all indexes under one commit</td></tr>
 * <tr><td>EmbeddedSource</td><td>the two indexes as a {@link dev.petunia.core.CandidateSource}</td></tr>
 * <tr><td>Vectors</td><td>arithmetic of centroids</td></tr>
 * </table>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>All indexes hold the same ids; after a crash too, as one commit decides for all.
 *   <li>Of a cluster of near-duplicates an answer shows one, unless the policy keeps more or the
 *       request says so.
 *   <li>A passage that nearly is the question's own words heads the floor.
 *   <li>The library keeps no state of a conversation.
 *   <li>A served passage is not served again unless the request says so.
 *   <li>A stage that a passage did not go through has no score in it.
 *   <li>A missing or failing model never fails {@code ask}, unless the request requires its stage.
 * </ul>
 */
@NullMarked
package dev.petunia.retriever;

import org.jspecify.annotations.NullMarked;
