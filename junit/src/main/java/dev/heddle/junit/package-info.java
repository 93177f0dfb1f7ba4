/// Tests of kernels.
///
/// A method with [KernelTest] runs once on each machine and is given a [KernelRunner]:
/// ```java
/// @KernelTest
/// void adds(KernelRunner on) throws IOException {
///     Kernel kernel = Kernel.read(Path.of("vadd.ptx"));
///     Outcome outcome = on.run(kernel, Launch.grid(4).block(256).passing(
///             Argument.of("a", a), Argument.of("b", b), Argument.poison("c", 4 * 1000),
///             Argument.s32(1000)));
///     assertArrayEquals(sum, outcome.floats("c"));
/// }
/// ```
/// Whatever the kernel does wrong on the way, a race, a read of what nobody wrote, fails the test
/// with the place. [LaunchTests] makes a test of every launch file in a folder.
@NullMarked
package dev.heddle.junit;

import org.jspecify.annotations.NullMarked;
