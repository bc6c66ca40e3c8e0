/**
 * Asks a question once: which candidates each stage found, what the cross-encoder scored before the
 * deadline, and what it did not.
 *
 * <pre>{@code
 * Arguments ─► Main ─► IndexCache (the one of the conversation) ─► Retriever.ask ─► FloorPrinter
 *  command line             CrossEncoder.open(--model)
 * }</pre>
 */
@NullMarked
package dev.petunia.examples.floor;

import org.jspecify.annotations.NullMarked;
