/// Instructions dealt from the syntax lines of the whole table, legal ones and near misses, to hold
/// against the assembler, the checker and the machine.
@NullMarked
package dev.heddle.conformance.instructions;

import org.jspecify.annotations.NullMarked;
