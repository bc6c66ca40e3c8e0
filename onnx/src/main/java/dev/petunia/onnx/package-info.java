/**
 * Text embedders on ONNX Runtime and Hugging Face tokenizers.
 *
 * <pre>{@code
 * petunia-model.json ─► EmbedderModelFile
 *                             ▼
 * AllMiniLm, BgeSmallEn ─► EmbedderModel ─► OnnxEmbedder.embed(texts, form)
 *                          ModelSource         │  ParallelTexts: caller and idle helpers
 *                          Pooling             ▼
 *                                           TextRunner, one text at a time
 *              prefix + text ─► tokens ─► TokenAppender ─► graph ─► Pooling ─► unit length
 *                                                          EmbedderGraph, GraphFeed, Scratch
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>{@link dev.petunia.onnx.AllMiniLm}, {@link dev.petunia.onnx.BgeSmallEn}</td><td>two models from Maven artifacts</td></tr>
 * <tr><td>{@link dev.petunia.onnx.EmbedderModel}, {@link dev.petunia.onnx.ModelSource}</td><td>what a model is made of, and where it is</td></tr>
 * <tr><td>EmbedderModelFile</td><td>reads a model's description, strictly</td></tr>
 * <tr><td>{@link dev.petunia.onnx.Pooling}</td><td>token vectors to one vector</td></tr>
 * <tr><td>{@link dev.petunia.onnx.OnnxEmbedder}</td><td>the embedder: lists of texts, limits, closing</td></tr>
 * <tr><td>ParallelTexts</td><td>the texts of a call on several threads</td></tr>
 * <tr><td>TextRunner, Scratch</td><td>one text through the model, in buffers that are used again</td></tr>
 * <tr><td>TokenAppender</td><td>a model's last token, put there once</td></tr>
 * <tr><td>EmbedderGraph, PastInput</td><td>what a graph takes and gives, refused if not understood</td></tr>
 * <tr><td>GraphFeed</td><td>the inputs of one run</td></tr>
 * <tr><td>{@link dev.petunia.onnx.ModelException}</td><td>what is wrong with a model</td></tr>
 * </table>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A text is always run alone and unpadded, so its bits depend on nothing but the text, the
 *       model and the processor's kind.
 *   <li>An embedder has at most {@code threads} texts in the model, whoever calls.
 *   <li>Every vector that leaves is finite and of unit length.
 *   <li>No thread is left that keeps the JVM alive, and no connection is opened.
 * </ul>
 */
@NullMarked
package dev.petunia.onnx;

import org.jspecify.annotations.NullMarked;
