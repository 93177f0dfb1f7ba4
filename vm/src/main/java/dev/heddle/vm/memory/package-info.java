/// The memories of a device, and the accesses of whole warps to them.
///
/// [GlobalMemory] is one native segment, as is every other space, so that no access, checked or
/// not, can leave it: the host is out of reach. [MemoryUnit] does what both executors need done
/// for a whole warp: loads, stores, atomics, asynchronous copies, matrix rows, barrier objects.
@NullMarked
package dev.heddle.vm.memory;

import org.jspecify.annotations.NullMarked;
