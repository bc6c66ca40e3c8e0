/** What the example programs share; each has a package of its own below. */
@NullMarked
package dev.petunia.examples;

import org.jspecify.annotations.NullMarked;
