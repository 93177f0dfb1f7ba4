/// CUDA executables on the machine: `heddle cuda PROGRAM`.
///
/// The program's process loads a small native library ([NativeLibrary]) in place of `libcudart` and
/// `libcuda`. At the first call that needs a device, it starts this JVM inside the process
/// ([Bootstrap]); from then on every function of those libraries is a method here, called from C
/// ([EntryPoints]):
///
/// ```
/// cudaMalloc --> jump table --upcall--> runtime.MemoryFunctions --> device.Device
/// <<<...>>>  --> jump table --upcall--> runtime.LaunchFunctions --> vm.Session
/// ```
///
/// `runtime` holds the functions by chapters of the CUDA Runtime API's reference, `device` what
/// they work on (streams, events, modules, allocations), `fatbin` the PTX inside executables.
@NullMarked
package dev.heddle.programs;

import org.jspecify.annotations.NullMarked;
