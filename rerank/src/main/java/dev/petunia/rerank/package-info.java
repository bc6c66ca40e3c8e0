/** Cross-encoders. */
@NullMarked
package dev.petunia.rerank;

import org.jspecify.annotations.NullMarked;
