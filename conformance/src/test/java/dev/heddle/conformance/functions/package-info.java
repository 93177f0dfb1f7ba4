/// The approximate functions on all their inputs: the model against a GPU, or against checksums of
/// what one computed, and against the exact functions.
@NullMarked
package dev.heddle.conformance.functions;

import org.jspecify.annotations.NullMarked;
