/** Under construction. */
@NullMarked
package dev.petunia.onnx;

import org.jspecify.annotations.NullMarked;
