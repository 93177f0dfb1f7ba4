package dev.heddle.vm.launch;

import dev.heddle.formats.Format;
import dev.heddle.formats.Tensor;

import java.io.IOException;
import java.util.Optional;

/// Where a launch file's arrays come from: whoever runs it knows the file formats.
@FunctionalInterface
public interface ArraySource {
    /// The elements of an array file.
    ///
    /// @param file as the launch file names it, relative to its folder
    /// @param format what the launch file says the elements are, if it does
    Tensor read(String file, Optional<Format> format) throws IOException;
}
