/// What the matrix instructions are: shapes, forms, operands, fragments, metadata, rules.
@NullMarked
package dev.heddle.isa;

import org.jspecify.annotations.NullMarked;
