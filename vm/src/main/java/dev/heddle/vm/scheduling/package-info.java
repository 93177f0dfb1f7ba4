/// Who runs when.
///
/// [Engine] gives clusters to worker threads, each to one at a time. CTAs start in order and give
/// way when their warps only spin, so kernels whose CTAs wait for earlier ones finish. What waits
/// for ever is found, and [Deadlock] says for what.
@NullMarked
package dev.heddle.vm.scheduling;

import org.jspecify.annotations.NullMarked;
