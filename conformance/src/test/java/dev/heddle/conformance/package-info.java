/// Tests across modules: golden vectors, agreement with the assembler, module boundaries.
@NullMarked
package dev.heddle.conformance;

import org.jspecify.annotations.NullMarked;
