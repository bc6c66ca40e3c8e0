/**
 * The vector index: a graph with the primitives of a conversation ({@link
 * dev.petunia.hnsw.HnswIndex}), and the same answers by comparing everything ({@link
 * dev.petunia.hnsw.ExactIndex}).
 *
 * <pre>{@code
 *          change                              search
 *             │                                  │
 *         HnswIndex                           Searcher ── Mmr ──► SearchResult
 *  (who may run beside whom)                     │
 *             │                               Finder ── Candidates
 *   IdWriter, BulkWriter                      │      │
 *             │                               │      │
 *    Inserter, BatchLinker ── Tree            │      │
 *             │          │    Selection     Walk    Scan      Admission, PreparedFilter: which ids
 *             │          └──────┬─────────────┘      │        QueryState, Scorer: how far
 *        VectorTable          Graph ─────────────────┘        Scratch: what one search needs
 *    ids ─► IdRef ─► node ◄─ Owners                           Quantizer, Codes: about how far
 *             └──────┬──────────┘
 *                  Page: layer-0 links, states in flat arrays; vectors and codes outside the heap
 *
 * commit ─► Store ─► GraphFile, SlotFile ─► CommitDirectory      open: the same road back
 * compact ─► Compaction ─► another State in the place of the one before
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>{@link dev.petunia.hnsw.HnswIndex}, {@link dev.petunia.hnsw.ExactIndex}, {@link dev.petunia.hnsw.HnswConfig}</td><td>what users see</td></tr>
 * <tr><td>VectorForm</td><td>checks vectors, brings them to the stored form</td></tr>
 * <tr><td>VectorTable, Page, Owners, IdRef</td><td>one node for each distinct vector, with the ids that share it; free slots</td></tr>
 * <tr><td>EqualVectors</td><td>the node that has exactly a given vector</td></tr>
 * <tr><td>IdWriter</td><td>adds, moves and removes ids</td></tr>
 * <tr><td>BulkWriter, BatchLinker, Crew</td><td>many ids at once: batches, linked on several threads to one result</td></tr>
 * <tr><td>Graph</td><td>the links, the entry point</td></tr>
 * <tr><td>Inserter, Selection, Tree</td><td>links a new node; chooses neighbours; gives it a parent</td></tr>
 * <tr><td>State, Compaction</td><td>what belongs together in memory; a copy of it without gaps</td></tr>
 * <tr><td>Sweep</td><td>takes dead nodes out and repairs around them</td></tr>
 * <tr><td>Walk, Beam, Heap</td><td>beam search: plain, admitting, by two hops</td></tr>
 * <tr><td>Searcher, Finder, Scan, Candidates, Mmr, {@link dev.petunia.hnsw.Explanation}</td><td>a query's options; its candidates by walk or scan; their order; why an id came or not</td></tr>
 * <tr><td>QueryState, Admission, PreparedFilter, Scratch</td><td>what one search holds: targets, judgements, visited nodes</td></tr>
 * <tr><td>Scorer, Kernels, ScalarKernels, PanamaKernels</td><td>distances; the SIMD seam and its twins</td></tr>
 * <tr><td>{@link dev.petunia.hnsw.Quantization}, Quantizer, Rotation, Codes, Training, CodeKernels, ScalarCodeKernels, PanamaCodeKernels</td><td>codes of vectors, and distances estimated from them</td></tr>
 * <tr><td>Reclaimer</td><td>when a slot may be used again beside searches</td></tr>
 * <tr><td>Store, {@link dev.petunia.hnsw.MemoryUse}</td><td>what of a state is in which file already</td></tr>
 * <tr><td>GraphFile, SlotFile, SectionWriter, SectionReader, Snapshot</td><td>the file formats, and their checksums</td></tr>
 * <tr><td>CommitDirectory, Commit</td><td>which files count, and how far; the lock; rolling back</td></tr>
 * <tr><td>Progress</td><td>tells a listener</td></tr>
 * <tr><td>GraphCheck</td><td>checks the invariants below</td></tr>
 * </table>
 *
 * <p>Invariants, which {@link dev.petunia.hnsw.HnswIndex#verify} checks:
 *
 * <ul>
 *   <li>One node for each distinct vector. A node without ids is dead: it leads on, and is no
 *       result, until the next sweep.
 *   <li>Each id names the one node that owns it.
 *   <li>Every node is reachable on layer 0 from the entry point: all but one have a parent, and the
 *       links between parent and child are never pruned.
 *   <li>No list is longer than 2M on layer 0 and M above, names a node twice, or names one that is
 *       not on its layer.
 *   <li>Equal vectors are found by their content.
 * </ul>
 *
 * <p>And, which tests check: a search takes no lock, and allocates its result only; an id that is
 * there throughout a search that comes out short is in its answer; what opens after a crash is the
 * last commit or the one that was being made; the same entries in the same order make the same
 * index with any number of threads.
 */
@NullMarked
package dev.petunia.hnsw;

import org.jspecify.annotations.NullMarked;
