package dev.heddle.cli;

import dev.heddle.vm.Kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;

/// The kernels read last: launches of the same kernel share what was compiled for it.
final class LoadedKernels {
    private static final int KEPT = 16;

    private record Entry(Path ptx, String name) {}

    private final LinkedHashMap<Entry, Kernel> kernels = new LinkedHashMap<>();

    /// The kernel of this name, or the only one, of a module.
    ///
    /// @throws IllegalArgumentException where the text does not parse or has no such kernel
    Kernel of(Path ptx, String name) throws IOException {
        Entry entry = new Entry(ptx, name);
        Kernel kernel = kernels.remove(entry);
        if (kernel == null) {
            kernel = Kernel.of(Files.readString(LaunchPlan.readable(ptx)), ptx.toString(), name);
            if (kernels.size() == KEPT) {
                kernels.pollFirstEntry();
            }
        }
        kernels.putLast(entry, kernel);
        return kernel;
    }
}
