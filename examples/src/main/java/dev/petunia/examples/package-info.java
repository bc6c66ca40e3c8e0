/** Under construction. */
@NullMarked
package dev.petunia.examples;

import org.jspecify.annotations.NullMarked;
