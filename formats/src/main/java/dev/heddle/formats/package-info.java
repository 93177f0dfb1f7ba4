/// Number formats of the tensor-core operands: bits to values, values to bits, packing.
@NullMarked
package dev.heddle.formats;

import org.jspecify.annotations.NullMarked;
