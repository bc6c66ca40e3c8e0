/**
 * A conversation with a corpus: the loop that an application with a language model would run, with
 * the passages shown instead of given to the model.
 *
 * <pre>{@code
 * corpus/ ──► IndexCache ──► Retriever ◄── Talk ◄── Main (terminal) or Script (file)
 *                                          │
 *                            Settings ─────┘  ConversationState is kept in Talk
 * }</pre>
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>Main, Options</td><td>the command line</td></tr>
 * <tr><td>corpus</td><td>the JDK's documentation, or a folder, as chunks</td></tr>
 * <tr><td>IndexCache</td><td>builds an index once, with a progress bar</td></tr>
 * <tr><td>Talk, Settings, FilterParser</td><td>a conversation, its commands</td></tr>
 * <tr><td>Script</td><td>plays a conversation from a file, and counts right passages</td></tr>
 * </table>
 */
@NullMarked
package dev.petunia.examples.conversation;

import org.jspecify.annotations.NullMarked;
