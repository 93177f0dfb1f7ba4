package dev.heddle.cli;

import dev.heddle.files.TensorReference;
import dev.heddle.formats.Format;
import dev.heddle.formats.Tensor;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.launch.Expectation;
import dev.heddle.vm.launch.LaunchFile;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// What `heddle run` launches.
///
/// @param name   what messages call it
/// @param kernel from its PTX file
/// @param file   all else, from a launch file, options or both
/// @param folder what the launch file names files relative to
/// @param saves  what to write afterwards
record LaunchPlan(String name, Kernel kernel, LaunchFile file, Path folder, Saves saves) {

    /// Reads everything a launch needs.
    ///
    /// @param ptx    the module
    /// @param launch the launch file, or null where options say all
    /// @param given  the options
    /// @param kernels those already read
    static LaunchPlan read(
            String name, Path ptx, @Nullable Path launch, ParseResult given, LoadedKernels kernels)
            throws IOException {
        Path folder = Path.of("").toAbsolutePath();
        Map<?, ?> fields = Map.of();
        if (launch != null) {
            fields = fields(launch);
            Path parent = launch.toAbsolutePath().getParent();
            folder = parent == null ? folder : parent;
        }
        Path from = folder;
        Map<?, ?> merged = new LaunchOptions(given, fields).merged();
        // The module and the arrays are read side by side: each may take a tenth of a second.
        FutureTask<Kernel> module =
                new FutureTask<>(
                        () -> kernels.of(ptx, merged.get("entry") instanceof String s ? s : ""));
        Thread.ofPlatform().daemon().name("heddle-module").start(module);
        LaunchFile file;
        try {
            file = LaunchFile.of(merged, (array, format) -> tensor(from, array, format));
        } catch (UncheckedIOException | ArithmeticException | IllegalArgumentException e) {
            String place = launch == null ? "" : launch + ": ";
            throw new UsageError(place + e.getMessage());
        }
        Kernel kernel = result(module);
        kernel.requireFit(file.launch());
        return new LaunchPlan(name, kernel, file, folder, Saves.of(file, folder));
    }

    private static Kernel result(FutureTask<Kernel> module) throws IOException {
        try {
            return module.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw new IllegalStateException(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the module was read");
        }
    }

    /// The fields of a launch file.
    static Map<?, ?> fields(Path launch) throws IOException {
        try {
            if (Json.parse(Files.readString(readable(launch))) instanceof Map<?, ?> map) {
                return map;
            }
        } catch (IllegalArgumentException e) {
            throw new UsageError(launch + ": no JSON: " + e.getMessage());
        }
        throw new UsageError(launch + ": expected a JSON object");
    }

    static Path readable(Path file) {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new UsageError(file + ": no such file, or not readable");
        }
        return file;
    }

    private static Tensor tensor(Path folder, String name, Optional<Format> format)
            throws IOException {
        return TensorReference.parse(folder.resolve(name).toString()).readBits(format);
    }

    /// The bytes that a buffer should hold.
    byte[] expected(Expectation expectation) throws IOException {
        return tensor(folder, expectation.file(), Optional.of(expectation.type().format()))
                .codes()
                .bytes();
    }
}
