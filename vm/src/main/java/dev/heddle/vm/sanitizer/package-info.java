/// Finds what the manual calls undefined while a kernel runs, and says where it came from.
///
/// Accesses outside of buffers, misaligned, or of bytes that nobody wrote ([AccessChecks]); races
/// in shared memory ([SharedShadow], ordered by [HappensBefore]); reads of registers that nobody
/// wrote ([RegisterChecks]); lanes missing from a warp-wide instruction ([Divergence]); and waits
/// that never end ([Deadlock]).
@NullMarked
package dev.heddle.vm.sanitizer;

import org.jspecify.annotations.NullMarked;
