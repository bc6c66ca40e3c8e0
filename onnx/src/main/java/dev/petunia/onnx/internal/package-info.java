/**
 * Sessions and tokenizers for the model classes of Petunia's modules. Public for those modules, not
 * for applications: may change in any release.
 *
 * <pre>{@code
 * ModelSource ─► ModelFiles ─┬─► OnnxSession ── Lease ─► run
 *                            │      │ SessionSettings
 * Silence ─► Natives ────────┤      └ CloseGate
 *                            └─► TextTokenizer ─► Tokens
 *                                   │ TokenizerSettings
 *                                   └ CloseGate
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>{@link dev.petunia.onnx.internal.OnnxSession}</td><td>a graph, its inputs and outputs, leases to run it</td></tr>
 * <tr><td>{@link dev.petunia.onnx.internal.SessionSettings}</td><td>threads, arena, configuration entries</td></tr>
 * <tr><td>{@link dev.petunia.onnx.internal.TextTokenizer}</td><td>text to token ids, with bounded memory</td></tr>
 * <tr><td>{@link dev.petunia.onnx.internal.TokenizerFile}</td><td>ids and last token, read from the tokenizer's file</td></tr>
 * <tr><td>{@link dev.petunia.onnx.internal.TokenizerSettings}</td><td>limit, special tokens</td></tr>
 * <tr><td>{@link dev.petunia.onnx.internal.CloseGate}</td><td>closing waits for those inside</td></tr>
 * <tr><td>ModelFiles</td><td>reads files and resources</td></tr>
 * <tr><td>Natives</td><td>loads the native libraries, says why not</td></tr>
 * <tr><td>Silence</td><td>keeps them off the network</td></tr>
 * </table>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A native object is freed after the last call inside it has returned, and never entered
 *       again.
 *   <li>No native library is loaded before {@code Silence} has had its turn.
 *   <li>A tokenizer is always told what to do about length, padding and special tokens.
 * </ul>
 */
@NullMarked
package dev.petunia.onnx.internal;

import org.jspecify.annotations.NullMarked;
