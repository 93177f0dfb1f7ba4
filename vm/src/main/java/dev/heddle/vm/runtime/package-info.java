/// What a kernel calls: functions of its module, and those that the CUDA runtime on the device
/// provides (`vprintf`, `malloc`, `free`, `__assertfail`).
@NullMarked
package dev.heddle.vm.runtime;

import org.jspecify.annotations.NullMarked;
