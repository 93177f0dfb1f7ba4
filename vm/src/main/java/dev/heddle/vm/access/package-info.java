/// The accesses of whole warps to memory: what both executors need done for 32 lanes at once.
///
/// [MemoryUnit] loads and stores; atomics, asynchronous copies, matrix rows, textures and mbarrier
/// objects have classes of their own. With checks on, the `sanitizer` looks at every access before
/// it is made.
@NullMarked
package dev.heddle.vm.access;

import org.jspecify.annotations.NullMarked;
