/// What a kernel calls: functions of its module, and those that the CUDA runtime on the device
/// provides (`vprintf`, `malloc`, `free`, `__assertfail`, and those that start kernels).
@NullMarked
package dev.heddle.vm.runtime;

import org.jspecify.annotations.NullMarked;
