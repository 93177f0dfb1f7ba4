/// Runs PTX kernels on the CPU: memory, warps, scheduler, executors, checks.
@NullMarked
package dev.heddle.vm;

import org.jspecify.annotations.NullMarked;
