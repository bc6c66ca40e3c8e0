/**
 * {@code benchmarks/run floor}: how good the candidates of a floor are, by collections with
 * judgements, stage by stage.
 *
 * <pre>{@code
 * IrSets ─► IrSet ─► FloorIndex: Retriever in a cache folder
 *                        │
 *            Variant ─► ask ─► rankings ─► IrMetrics ─► Bootstrap ─► report
 *                        │
 *                     BestFirst: a made-up scorer, part of the pool's cost
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>FloorProgram</td><td>options, the table</td></tr>
 * <tr><td>IrSets, IrSet, JsonLines</td><td>collections: passages, questions, judgements</td></tr>
 * <tr><td>FloorIndex</td><td>a retriever over a collection, kept between runs</td></tr>
 * <tr><td>Variant</td><td>which stages take part</td></tr>
 * <tr><td>IrMetrics</td><td>nDCG and recall</td></tr>
 * <tr><td>Bootstrap</td><td>paired intervals</td></tr>
 * <tr><td>BestFirst</td><td>what the order of the queue is worth under a budget</td></tr>
 * </table>
 */
@NullMarked
package dev.petunia.benchmarks.floor;

import org.jspecify.annotations.NullMarked;
