/**
 * Helpers that the other Petunia modules share. Not for applications: anything here may change at
 * any time.
 */
@NullMarked
package dev.petunia.core.internal;

import org.jspecify.annotations.NullMarked;
