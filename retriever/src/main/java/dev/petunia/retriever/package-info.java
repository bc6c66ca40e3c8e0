/** Under construction. */
@NullMarked
package dev.petunia.retriever;

import org.jspecify.annotations.NullMarked;
