/**
 * Cross-encoders on ONNX Runtime: passages scored best-first until a deadline.
 *
 * <pre>{@code
 * CrossEncoderConfig ─► CrossEncoder ── LOADING / READY / FAILED / closed
 *                           │
 *                         Engine.load: ModelLocation ─► graph.OnnxFile ─► graph.YesNoRewriter
 *                           │                          Signature, Prompt, SelfCheck
 *        rerank ──► Workers.run ── Job (one request): ScoreCache, CostModel, Health
 *                           │         ▲ claim / work, in turns
 *                        threads ─────┘
 *                           ▼
 *                   GraphScorer: prefix once, then a passage at a time
 *                                Prompt.frame │ passage │ tail
 *
 * ModelFetcher: HTTPS ─► NAME.part ─► SHA-256 ─► NAME
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>{@link dev.petunia.rerank.CrossEncoder}</td><td>the reranker: states, argument checks, closing</td></tr>
 * <tr><td>{@link dev.petunia.rerank.CrossEncoderConfig}, {@link dev.petunia.rerank.PromptStyle}, {@link dev.petunia.rerank.CheckLevel}</td><td>options</td></tr>
 * <tr><td>{@link dev.petunia.rerank.ModelFetcher}</td><td>fetches a model's files when told to</td></tr>
 * <tr><td>ModelLocation</td><td>finds graph and tokenizer</td></tr>
 * <tr><td>Engine</td><td>loads, rewrites, checks, and owns what was opened</td></tr>
 * <tr><td>Signature</td><td>what a graph takes and gives, refused if not understood</td></tr>
 * <tr><td>Prompt, QwenPrompt, PairPrompt</td><td>texts to token ids, and what is cut</td></tr>
 * <tr><td>Scorer, GraphScorer</td><td>token ids to logits</td></tr>
 * <tr><td>SelfCheck</td><td>what must hold before a model is ready</td></tr>
 * <tr><td>Workers, Job</td><td>threads, turns, deadline, who frees what</td></tr>
 * <tr><td>CostModel, ScoreCache, Health</td><td>how long, what is known, whether it still works</td></tr>
 * <tr><td>{@code internal.graph}</td><td>reads and changes ONNX files</td></tr>
 * </table>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A passage runs alone, unpadded, and behind the same prefix split, so its logit depends on
 *       nothing but query, passage and model. This is what makes the cache exact.
 *   <li>Every score that leaves is finite; every score that is missing has a cause.
 *   <li>A caller never waits for a run beyond its deadline. Native objects are freed after the last
 *       run that uses them has returned.
 *   <li>A run that was told to stop never counts as a failure: a flag of the job decides, not the
 *       message.
 *   <li>Special tokens come from the template only, never from a user's text.
 * </ul>
 */
@NullMarked
package dev.petunia.rerank;

import org.jspecify.annotations.NullMarked;
