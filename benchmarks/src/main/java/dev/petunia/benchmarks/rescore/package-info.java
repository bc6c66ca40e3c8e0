/**
 * {@code benchmarks/run rescore}: does Jaccard similarity after rank fusion help people who paste
 * text, and does it harm those who ask?
 *
 * <pre>{@code
 * Corpus ─► Twins ─► Spans: passages pasted, with noise ─┐  dev ─► Tuning ─► a setting
 *    └────► Headings: questions ─────────────────────────┤   │                 │
 * IrSets: questions of people ───────────────────────────┴► Pools ─► Asked ─► Contender ─► Outcome
 *                                                            test                            │
 *                                                                     Tables, Ordinary, Verdict
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>RescoreProgram</td><td>options, the order of the parts</td></tr>
 * <tr><td>Corpus, GeneratedDocs</td><td>chunks of documents: the last snapshot, or made up</td></tr>
 * <tr><td>Twins</td><td>which chunks are near-duplicates of each other, exactly</td></tr>
 * <tr><td>Span, Spans</td><td>passages cut from chunks, of given lengths and noise</td></tr>
 * <tr><td>Headings</td><td>headings as questions, with and without their lines in the text</td></tr>
 * <tr><td>Asked, Pools</td><td>a question with its candidates by rank fusion</td></tr>
 * <tr><td>LexicalOracle</td><td>what a perfect lexical half would be worth</td></tr>
 * <tr><td>Contender, Outcome</td><td>an order of the candidates, and how good it is</td></tr>
 * <tr><td>Tuning</td><td>the best setting on the dev split</td></tr>
 * <tr><td>Tables, Ordinary, Verdict</td><td>what is printed and reported</td></tr>
 * </table>
 *
 * <p>Invariants: no chunk, and no near-duplicate of it, gives spans to both splits; headings of one
 * document are all in one split; the test split is looked at for two settings only, version 1's and
 * the one tuned on dev; all orders are of the same candidates with the same fused values.
 */
@NullMarked
package dev.petunia.benchmarks.rescore;

import org.jspecify.annotations.NullMarked;
