/// Truth for the scalar instructions: what a GPU computed for every form, on operands with all
/// corners.
///
/// [ScalarForm] lists the forms, [ScalarOperands] deals the same operands each time,
/// [ScalarModule] is the kernel that runs a form on any machine, [ScalarGoldens] the file of what
/// was recorded. [Scalars] records, verifies, and compares fresh operands with a GPU.
@NullMarked
package dev.heddle.conformance.scalars;

import org.jspecify.annotations.NullMarked;
