/**
 * Finds near-duplicates in a folder or in the JDK's documentation and shows them.
 *
 * <pre>{@code
 * Arguments ──► Main ──► Corpus ──► DedupIndex ──┬──► Report    for the terminal
 *                                                ├──► HtmlPage  clusters side by side
 *                                                ├──► EdgeExport
 *                                                └──► SpotCheck a sheet for a reader, and back
 * }</pre>
 */
@NullMarked
package dev.petunia.examples.dedup;

import org.jspecify.annotations.NullMarked;
