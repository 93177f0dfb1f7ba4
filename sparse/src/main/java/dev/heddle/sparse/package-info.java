/// Whole sparse matrices: prune, compress, expand, convert.
@NullMarked
package dev.heddle.sparse;

import org.jspecify.annotations.NullMarked;
