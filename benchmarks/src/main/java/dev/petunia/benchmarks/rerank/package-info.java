/**
 * Measures the cross-encoder on models with Qwen3's architecture and random weights, which are made
 * here: nothing is downloaded unless asked for.
 *
 * <pre>{@code
 * RerankProgram ─► RerankPlan
 *   │  GeneratedModel ◄─ QwenGraph ◄─ OnnxGraph, Proto, ExternalData ◄─ Weights
 *   ├─► FixturePart                 the tiny model against golden scores
 *   ├─► Duel ──► ScorerProcess ─┬─► ScorerChild: NaiveScorer (PlainModel)
 *   │    └─► Agreement          └─► ScorerChild: PetuniaScorer (CrossEncoder)
 *   └─► DeadlinePart ─► BusyThreads
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>RerankProgram, RerankPlan, RerankContext</td><td>the program, its options, what its parts share</td></tr>
 * <tr><td>ModelShape, Precision, Weights</td><td>what a model is made with</td></tr>
 * <tr><td>QwenGraph</td><td>the architecture in ONNX operators</td></tr>
 * <tr><td>OnnxGraph, Proto, ExternalData</td><td>graphs in protobuf, weights as a stream beside them</td></tr>
 * <tr><td>GeneratedModel</td><td>a model in its cache folder</td></tr>
 * <tr><td>PairPrompt, PairTexts, QwenTokenizer</td><td>prompts, random texts of a given length, the tokenizer's file</td></tr>
 * <tr><td>PairScorer, ScorerKind</td><td>a way to score, and which there are</td></tr>
 * <tr><td>NaiveScorer, PlainModel</td><td>plain loops over ONNX Runtime</td></tr>
 * <tr><td>PetuniaScorer</td><td>the cross-encoder</td></tr>
 * <tr><td>ScorerProcess, ScorerChild, ScorerSetup</td><td>each side in a process of its own</td></tr>
 * <tr><td>Duel, Agreement</td><td>two sides in turns, and whether their scores agree</td></tr>
 * <tr><td>DeadlinePart, BusyThreads</td><td>overshoot of deadlines on a busy machine</td></tr>
 * <tr><td>FixturePart</td><td>golden scores</td></tr>
 * </table>
 *
 * <p>Invariants: no ratio is printed of sides whose scores don't agree; weights never are on the
 * heap as a whole; a model in the cache is whole or not there.
 */
@NullMarked
package dev.petunia.benchmarks.rerank;

import org.jspecify.annotations.NullMarked;
