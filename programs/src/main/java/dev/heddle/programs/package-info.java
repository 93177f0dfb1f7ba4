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
/// `runtime` and `driver` hold the functions by chapters of the reference of the two APIs, `device`
/// what they work on (streams, events, modules, allocations), `host` the process that all of it is
/// in, `fatbin` the PTX inside executables.
@NullMarked
package dev.heddle.programs;

import dev.heddle.programs.host.EntryPoints;
import dev.heddle.programs.host.NativeLibrary;

import org.jspecify.annotations.NullMarked;
