/** Under construction. */
@NullMarked
package dev.petunia.benchmarks;

import org.jspecify.annotations.NullMarked;
