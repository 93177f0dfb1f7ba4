/// What costs a kernel time, counted while the interpreter runs it, with the figures that the
/// hardware counters of a GPU show: bank conflicts of shared memory, sectors of global memory,
/// branches at which warps part, and barriers that order nothing.
///
/// [Advisor] is told of every step. [Coalescing] has the rules by which an access of a warp becomes
/// wavefronts and sectors (CUDA C++ programming guide, "Shared Memory" of compute capability 5.x
/// and later, "Device Memory Accesses").
@NullMarked
package dev.heddle.vm.advice;

import org.jspecify.annotations.NullMarked;
