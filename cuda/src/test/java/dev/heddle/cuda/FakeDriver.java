package dev.heddle.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A driver library built from `fakecuda.c`, and what was called in it.
record FakeDriver(Path library, Path log) {
    /// Builds the library in `folder`; the test is skipped where there is no gcc.
    static FakeDriver build(Path folder, String... options) {
        Path source = folder.resolve("fakecuda.c");
        Path library = folder.resolve("libfakecuda.so");
        try (InputStream text = FakeDriver.class.getResourceAsStream("fakecuda.c")) {
            Files.write(source, Objects.requireNonNull(text).readAllBytes());
            List<String> command =
                    new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-o", library.toString()));
            command.addAll(List.of(options));
            command.add(source.toString());
            Process gcc = new ProcessBuilder(command).inheritIO().start();
            assumeTrue(gcc.waitFor() == 0, "gcc cannot build a shared library here");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            assumeTrue(false, "no gcc here to build the fake driver: " + e.getMessage());
        }
        FakeDriver driver = new FakeDriver(library, folder.resolve("calls.log"));
        driver.tell("fake_log", driver.log.toString());
        return driver;
    }

    @SuppressWarnings("restricted") // the library under test is a native one
    private void tell(String function, String text) {
        try (Arena arena = Arena.ofConfined()) {
            Linker.nativeLinker()
                    .downcallHandle(
                            SymbolLookup.libraryLookup(library, Arena.global())
                                    .findOrThrow(function),
                            FunctionDescriptor.ofVoid(ValueLayout.ADDRESS))
                    .invokeWithArguments(arena.allocateFrom(text));
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    Driver load() {
        return Driver.load(library.toString());
    }

    /// The calls so far that the fake notes down, as `name value`.
    List<String> calls() {
        try {
            return Files.readAllLines(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
