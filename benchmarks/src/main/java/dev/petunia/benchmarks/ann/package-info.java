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
 *   Curves: warm-up, rounds in turn ──► Answers (checked) ──► SetResult ─ Curve ─► AnnFigures, AnnMetrics, CurvePlot
 *   SelfPart, Reopening (memory, cold), FilterPart, MixedPart, DeletesPart, ScalingPart
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>AnnProgram, AnnPlan, Part, AnnContext</td><td>the flow and the options of a run</td></tr>
 * <tr><td>AnnSet, AnnSets, Generated, Resampled, VectorFiles, RowFiles, Folders</td><td>vectors,
 * where they come from, files</td></tr>
 * <tr><td>ExactTruth, Answers, FilterCase</td><td>the right answers, and checking a system's</td></tr>
 * <tr><td>AnnSystem, PetuniaSystem, LuceneSystem, LuceneCodes, LuceneFilters, JVectorSystem</td>
 * <td>systems on the JVM, in all their configurations</td></tr>
 * <tr><td>Systems, Children, SystemProcess, Contestant</td><td>child processes, from this side</td></tr>
 * <tr><td>SystemWorker, Reply, SearchRounds, SelfSearch, Churn, MemoryUsed, Footprint</td><td>
 * what runs in a child</td></tr>
 * <tr><td>HnswlibCompiler, hnswlib_driver.cpp</td><td>hnswlib in C++</td></tr>
 * <tr><td>Building, Curves, Tally, SetResult, Curve, Allocation</td><td>builds, recall against
 * QPS</td></tr>
 * <tr><td>AnnFigures, AnnMetrics, CurvePlot</td><td>their tables, metrics and drawing</td></tr>
 * <tr><td>SelfPart, Reopening, FilterPart, MixedPart, DeletesPart</td><td>the other parts</td></tr>
 * <tr><td>ScalingPart, PowerFit</td><td>cost against the number of vectors</td></tr>
 * </table>
 *
 * <p>Invariants: one system computes at a time; no figure is kept whose answers were not checked;
 * nothing is extrapolated.
 */
@NullMarked
package dev.petunia.benchmarks.ann;

import org.jspecify.annotations.NullMarked;
