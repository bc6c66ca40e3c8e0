/**
 * Micro-benchmarks (JMH): {@code java -jar benchmarks/target/benchmarks.jar [pattern]}.
 *
 * <pre>{@code
 * XBenchmark            the methods, and a check of their answers before anything is measured
 *   ├─ XBenchmark.Simd    forked with the vector module
 *   └─ XBenchmark.Scalar  forked without it
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>KernelBenchmark</td><td>distances between two vectors, and of one to four</td></tr>
 * <tr><td>SearchBenchmark</td><td>searches: plain, seeded, several targets, filtered, MMR</td></tr>
 * <tr><td>Bm25Benchmark, Texts</td><td>word search: plain, filtered, rare terms</td></tr>
 * <tr><td>EmbeddingBenchmark</td><td>texts to vectors</td></tr>
 * <tr><td>InsertBenchmark</td><td>adding one by one</td></tr>
 * <tr><td>JmhMain, Forks</td><td>the main class of the jar, JVM arguments of the forks</td></tr>
 * </table>
 *
 * <p>Invariants: a wrong answer fails the run; each benchmark runs in both forks; all of them
 * together take a few minutes.
 */
@NullMarked
package dev.petunia.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
