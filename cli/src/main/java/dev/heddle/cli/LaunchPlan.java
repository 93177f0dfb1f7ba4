package dev.heddle.cli;

import dev.heddle.vm.Kernel;
import dev.heddle.vm.launch.KernelCache;
import dev.heddle.vm.launch.LaunchCheck;
import dev.heddle.vm.launch.LaunchFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What `heddle run` launches.
///
/// @param name  what messages call it
/// @param check ready to run
/// @param saves what to write afterwards
record LaunchPlan(String name, LaunchCheck check, OutputBuffers saves) {

    /// Reads everything a launch needs.
    ///
    /// @param file    its launch file, with the options
    /// @param folder  in which the files lie that it names
    /// @param ptx     the module
    /// @param kernels those already read
    static LaunchPlan read(String name, LaunchFile file, Path folder, Path ptx, KernelCache kernels)
            throws IOException {
        OutputBuffers saves = OutputBuffers.of(file, folder);
        return new LaunchPlan(name, LaunchCheck.of(file, folder, ptx, kernels), saves);
    }

    Kernel kernel() {
        return check.kernel();
    }

    static Path readable(Path file) {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new UsageError(InputFault.of(file));
        }
        return file;
    }
}
