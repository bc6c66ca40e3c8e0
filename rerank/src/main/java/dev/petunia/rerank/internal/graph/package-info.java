/**
 * Reads and changes ONNX files at the level of protobuf's wire format, by protobuf-java. Not for
 * applications: may change in any release.
 *
 * <pre>{@code
 * file ─► OnnxFile ── GraphNode, Initializer (ranges of files, values not read)
 *            │
 *         Head.find ─► YesNoRewriter ─► GraphWriter ─► Rewritten (bytes, folder of the weights)
 *                            └─ NotRewritable: says what was met
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>{@link dev.petunia.rerank.internal.graph.OnnxFile}</td><td>a model without its weights, its precision</td></tr>
 * <tr><td>{@link dev.petunia.rerank.internal.graph.GraphNode}, Initializer</td><td>operators and weights</td></tr>
 * <tr><td>Head</td><td>finds the projection to logits, and what may be sliced</td></tr>
 * <tr><td>{@link dev.petunia.rerank.internal.graph.YesNoRewriter}</td><td>last position, two logits</td></tr>
 * <tr><td>GraphWriter</td><td>writes the changed graph, weights by their places</td></tr>
 * <tr><td>Wire</td><td>single protobuf fields</td></tr>
 * </table>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A graph is changed only where every node between is known; otherwise not at all.
 *   <li>Outputs that are not asked for keep their values.
 *   <li>Memory does not grow with the weights, but for those that can't be mapped, up to a bound.
 *   <li>Nothing outside of the model's folder is read, unless a link in it leads there.
 * </ul>
 */
@NullMarked
package dev.petunia.rerank.internal.graph;

import org.jspecify.annotations.NullMarked;
