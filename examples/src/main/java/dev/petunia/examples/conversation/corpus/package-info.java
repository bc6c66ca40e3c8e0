/**
 * Turns a source of text into chunks: the documentation in a JDK, or any folder of files.
 *
 * <pre>{@code
 * src.zip ─ SourceZip ─ SourceReader ─ SourceScanner ─ DocHtml ──┐
 *                       (javac, parse)  Signatures,   (Markdown) │ HTML
 *                                       Snippets                 ▼
 * folder ── FolderWalk ─ Decoded ─ Document ── md, html ───► HtmlBlocks ─► TextBlock
 *                                     └─────── txt ─────► BlockBuilder ──────┤
 *                                                                            ▼
 *              Chunks ◄─ JdkChunks (header, Links), FolderCorpus ◄─ Chunker ◄─ Units ◄─ Sentences
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>{@link dev.petunia.examples.conversation.corpus.Corpus}, {@link dev.petunia.examples.conversation.corpus.Chunks}, {@link dev.petunia.examples.conversation.corpus.CorpusReport}</td><td>what users see: a source, its chunks, what was left out</td></tr>
 * <tr><td>{@link dev.petunia.examples.conversation.corpus.JdkDocs}</td><td>the documentation of a JDK</td></tr>
 * <tr><td>{@link dev.petunia.examples.conversation.corpus.FolderCorpus}</td><td>a folder of txt, md and html</td></tr>
 * <tr><td>{@link dev.petunia.examples.conversation.corpus.CorpusUnavailableException}</td><td>what is missing, and what to do</td></tr>
 * <tr><td>{@link dev.petunia.examples.conversation.corpus.CorpusStats}</td><td>prints how a corpus is cut</td></tr>
 * <tr><td>SourceZip, SourceReader, SourceScanner, Signatures, Snippets</td><td>sources to comments, with the JDK's own compiler</td></tr>
 * <tr><td>DocHtml, Markdown, HtmlBlocks, BlockBuilder, TextBlock</td><td>comments and files to plain text</td></tr>
 * <tr><td>JdkType, JdkChunks, Links</td><td>types to chunks, references to names</td></tr>
 * <tr><td>FolderWalk, Decoded, Document</td><td>files to text</td></tr>
 * <tr><td>Scripts, Sentences, Units, Chunker</td><td>text to passages of about 150 words</td></tr>
 * <tr><td>Progress, Fingerprint, Arguments</td><td>small helpers</td></tr>
 * </table>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The same source gives the same chunks, in the same order, for any number of threads.
 *   <li>No word of a block is lost or repeated by cutting it, except headings, which stand above
 *       each passage of their section.
 *   <li>What is left out of a source stands in the report, or is a kind of thing that the class
 *       names.
 *   <li>Only SourceReader, SourceScanner, Signatures, Snippets and DocHtml touch jdk.compiler, and
 *       are not loaded where it is missing.
 * </ul>
 */
@NullMarked
package dev.petunia.examples.conversation.corpus;

import org.jspecify.annotations.NullMarked;
