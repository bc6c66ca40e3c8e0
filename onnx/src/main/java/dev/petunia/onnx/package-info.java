/**
 * Text embedders on ONNX Runtime and Hugging Face tokenizers.
 *
 * <pre>{@code
 * AllMiniLm ─► EmbedderModel ─► OnnxEmbedder.embed(texts, form)
 *              ModelSource         │  ParallelTexts: caller and idle helpers
 *              Pooling             ▼
 *                               TextRunner, one text at a time
 *                                  prefix + text ─► tokens ─► graph ─► Pooling ─► unit length
 *                                                  EmbedderGraph, Scratch
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>{@link dev.petunia.onnx.AllMiniLm}</td><td>the first model, from a Maven artifact</td></tr>
 * <tr><td>{@link dev.petunia.onnx.EmbedderModel}, {@link dev.petunia.onnx.ModelSource}</td><td>what a model is made of, and where it is</td></tr>
 * <tr><td>{@link dev.petunia.onnx.Pooling}</td><td>token vectors to one vector</td></tr>
 * <tr><td>{@link dev.petunia.onnx.OnnxEmbedder}</td><td>the embedder: lists of texts, limits, closing</td></tr>
 * <tr><td>ParallelTexts</td><td>the texts of a call on several threads</td></tr>
 * <tr><td>TextRunner, Scratch</td><td>one text through the model, in buffers that are used again</td></tr>
 * <tr><td>EmbedderGraph</td><td>what a graph takes and gives, refused if not understood</td></tr>
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
