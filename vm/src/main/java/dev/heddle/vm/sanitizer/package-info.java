/// Finds what the manual calls undefined while a kernel runs, and says where it came from.
///
/// Accesses outside of buffers, misaligned, or of bytes that nobody wrote ([AccessChecks]); races
/// in shared memory ([SharedChecks]); asynchronous operations that others get in the way of
/// ([AsyncChecks]); reads of registers that nobody wrote ([RegisterChecks]), or of values that
/// nothing defines ([Definedness]). What they remember is in `shadow`.
@NullMarked
package dev.heddle.vm.sanitizer;

import org.jspecify.annotations.NullMarked;
