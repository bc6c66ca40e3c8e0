/**
 * The {@code ann} benchmark.
 *
 * <pre>{@code
 * AnnProgram ── AnnSets / Generated ──► AnnSet ──► ExactTruth
 *     │                                   │            │
 *     ├─ starts ─► SystemProcess ═ pipe ═ SystemWorker ── AnnSystem (Petunia, Lucene, JVector)
 *     │                 ║                                      each in a JVM of its own
 *     │                 ╚═ pipe ═ hnswlib_driver.cpp
 *     ▼
 * AnnRun: builds, warm-up, rounds in turn ──► Answers (checked) ──► SetResult ─ Curve ─► AnnFigures
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>AnnProgram, AnnPlan</td><td>the flow and the options of a run</td></tr>
 * <tr><td>AnnSet, AnnSets, Generated, VectorFiles</td><td>vectors and where they come from</td></tr>
 * <tr><td>ExactTruth, Answers</td><td>the right answers, and checking a system's</td></tr>
 * <tr><td>AnnSystem, PetuniaSystem, LuceneSystem, JVectorSystem</td><td>systems on the JVM</td></tr>
 * <tr><td>Systems, SystemProcess, SystemWorker</td><td>child processes and their protocol</td></tr>
 * <tr><td>HnswlibCompiler, hnswlib_driver.cpp</td><td>hnswlib in C++</td></tr>
 * <tr><td>AnnRun, SetResult, Curve, AnnFigures, Allocation</td><td>measuring and telling</td></tr>
 * </table>
 *
 * <p>Invariants: one system computes at a time; no figure is kept whose answers were not checked;
 * nothing is extrapolated.
 */
@NullMarked
package dev.petunia.benchmarks.ann;

import org.jspecify.annotations.NullMarked;
