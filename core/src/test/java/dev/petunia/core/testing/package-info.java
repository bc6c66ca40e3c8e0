/**
 * Tools that the tests of all modules share: properties over seeded random input, and the input
 * itself. Published as the {@code tests} jar of petunia-core. Needs no test framework.
 *
 * <pre>{@code
 * Generator ──► Property.check ──► holds for all runs
 * (Generators,      │
 *  Filters,         └─ fails: shrink (Generator.smaller), then an AssertionError with
 *  Chunks,             the seed, the command that runs it again, the input (Show)
 *  Vectors)
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>{@link dev.petunia.core.testing.Property}</td><td>runs a check on many inputs, shrinks and reports a failure</td></tr>
 * <tr><td>{@link dev.petunia.core.testing.Generator}</td><td>makes an input from random numbers, and smaller ones from one that failed</td></tr>
 * <tr><td>{@link dev.petunia.core.testing.Generators}</td><td>numbers, texts of many scripts, ids, lists</td></tr>
 * <tr><td>{@link dev.petunia.core.testing.Vectors}</td><td>vectors: free, of unit length, in clusters, with duplicates</td></tr>
 * <tr><td>{@link dev.petunia.core.testing.Chunks}</td><td>attributes, chunks, whole corpora</td></tr>
 * <tr><td>{@link dev.petunia.core.testing.Filters}</td><td>filters that hit those attributes about as often as they miss</td></tr>
 * <tr><td>{@link dev.petunia.core.testing.FakeTicker}</td><td>a clock that a test turns by hand</td></tr>
 * <tr><td>{@link dev.petunia.core.testing.Threads}</td><td>the same task on many threads at once; the first failure is thrown</td></tr>
 * <tr><td>{@link dev.petunia.core.testing.KilledChild}</td><td>another JVM that writes until it is killed</td></tr>
 * <tr><td>{@link dev.petunia.core.testing.Show}</td><td>values as text that names each character</td></tr>
 * </table>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The same seed makes the same input, on each machine. Without a setting, each build runs the
 *       same seeds.
 *   <li>Generators make valid input only, unless their name says otherwise.
 * </ul>
 */
@NullMarked
package dev.petunia.core.testing;

import org.jspecify.annotations.NullMarked;
