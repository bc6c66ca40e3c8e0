/**
 * The {@code ann} benchmark.
 *
 * <pre>{@code
 * AnnProgram ── AnnSets / Generated ──► AnnSet ──► ExactTruth
 *     │                                   │            │
 *     ├─ starts ─► SystemProcess ═ pipe ═ SystemWorker ── AnnSystem (Petunia, Lucene, JVector)
 *     │                 ║                                      each configuration in a JVM of its own
 *     │                 ╚═ pipe ═ hnswlib_driver.cpp
 *     ▼
 * Building ──► the parts that were asked for:
 *   Curves: warm-up, rounds in turn ──► Answers (checked) ──► SetResult ─ Curve ─► AnnFigures, AnnMetrics
 *   SelfPart: each stored vector
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>AnnProgram, AnnPlan, Part, AnnContext</td><td>the flow and the options of a run</td></tr>
 * <tr><td>AnnSet, AnnSets, Generated, VectorFiles, Folders</td><td>vectors, where they come from, files</td></tr>
 * <tr><td>ExactTruth, Answers</td><td>the right answers, and checking a system's</td></tr>
 * <tr><td>AnnSystem, PetuniaSystem, LuceneSystem, LuceneCodes, JVectorSystem</td><td>systems on the
 * JVM, in all their configurations</td></tr>
 * <tr><td>Systems, SystemProcess, SystemWorker, Contestant</td><td>child processes and their protocol</td></tr>
 * <tr><td>HnswlibCompiler, hnswlib_driver.cpp</td><td>hnswlib in C++</td></tr>
 * <tr><td>Building, Curves, SetResult, Curve, Allocation</td><td>builds, recall against QPS</td></tr>
 * <tr><td>AnnFigures, AnnMetrics</td><td>their tables and metrics</td></tr>
 * <tr><td>SelfPart, SelfSearch</td><td>whether stored vectors find themselves</td></tr>
 * </table>
 *
 * <p>Invariants: one system computes at a time; no figure is kept whose answers were not checked;
 * nothing is extrapolated.
 */
@NullMarked
package dev.petunia.benchmarks.ann;

import org.jspecify.annotations.NullMarked;
