/// Whole matrices: prune, compress, convert; NumPy and safetensors files.
@NullMarked
package dev.heddle.sparse;

import org.jspecify.annotations.NullMarked;
