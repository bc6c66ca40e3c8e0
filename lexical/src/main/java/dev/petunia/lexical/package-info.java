/** Under construction. */
@NullMarked
package dev.petunia.lexical;

import org.jspecify.annotations.NullMarked;
