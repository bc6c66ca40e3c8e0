/**
 * Programs that measure. Never a dependency of the other modules.
 *
 * <pre>{@code
 * benchmarks/run NAME ──► Main ──► Program.run(Options, Report) ──► table, and JSON with Machine
 * benchmarks/run jmh  ──► JmhMain ──► the classes in dev.petunia.benchmarks.jmh
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>Main</td><td>picks a program by name</td></tr>
 * <tr><td>Program, Options</td><td>what a program is, and its command line</td></tr>
 * <tr><td>Report, Machine, Json</td><td>figures, where they were measured, their JSON form</td></tr>
 * <tr><td>ann</td><td>the vector index against its peers</td></tr>
 * <tr><td>rerank</td><td>the cross-encoder against plain loops, at full size with random weights</td></tr>
 * <tr><td>dedup</td><td>near-duplicates against exact truth, and against peers</td></tr>
 * <tr><td>crash</td><td>what is lost when processes are killed</td></tr>
 * </table>
 *
 * <p>Invariants: answers are checked before a figure counts; an option that nothing reads is
 * refused; JSON is written only when the whole run went well.
 */
@NullMarked
package dev.petunia.benchmarks;

import org.jspecify.annotations.NullMarked;
