/**
 * The {@code crash} benchmark: how many commits are lost when processes are killed.
 *
 * <pre>{@code
 * CrashProgram ── CrashLane (one directory, one thread)
 *                    │  starts, kills at random, starts again
 *                    ▼
 *                 CrashChild ── opens, checks, then changes and commits until it is killed
 *                    │ "open GENERATION PRINT", "begin STEPS", "done GENERATION"
 *                    ▼
 *                 Journal ── replays the same Workload on a plain map: what may be there next time
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>CrashProgram</td><td>options, lanes, figures</td></tr>
 * <tr><td>CrashLane, ChildJvm</td><td>kills children over one directory; how a child starts fast</td></tr>
 * <tr><td>CrashChild</td><td>what is killed</td></tr>
 * <tr><td>Workload</td><td>the same changes on both sides, from a seed</td></tr>
 * <tr><td>Journal, Content</td><td>what was acknowledged, and what an index holds</td></tr>
 * </table>
 *
 * <p>Invariants: what is right is computed here, not by the child; the index is never asked what it
 * should hold. A child's word counts from the moment at which it was written to the pipe.
 */
@NullMarked
package dev.petunia.benchmarks.crash;

import org.jspecify.annotations.NullMarked;
