/** Under construction. */
@NullMarked
package dev.petunia.hnsw;

import org.jspecify.annotations.NullMarked;
