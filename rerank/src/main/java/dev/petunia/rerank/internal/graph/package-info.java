/** Graphs. */
@NullMarked
package dev.petunia.rerank.internal.graph;

import org.jspecify.annotations.NullMarked;
