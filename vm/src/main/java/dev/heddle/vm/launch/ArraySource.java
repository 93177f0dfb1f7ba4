package dev.heddle.vm.launch;

import java.io.IOException;

/// Where a launch file's arrays come from: whoever runs it knows the file formats.
@FunctionalInterface
public interface ArraySource {
    /// The elements of an array file, little-endian, as the kernel reads them.
    ///
    /// @param file as the launch file names it, relative to its folder
    byte[] read(String file) throws IOException;
}
