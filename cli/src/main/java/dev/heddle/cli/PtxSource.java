package dev.heddle.cli;

import dev.heddle.programs.fatbin.DeviceImage;
import dev.heddle.programs.fatbin.Executable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A PTX module: a file, or one of those inside an executable.
///
/// @param name for messages
/// @param text the module
record PtxSource(String name, String text) {
    /// What messages call standard input.
    static final String STANDARD_INPUT = "<stdin>";

    /// The most that is read from standard input.
    private static final int LARGEST = 256 << 20;

    /// All that standard input holds, a byte a character.
    static String standardInput() throws IOException {
        byte[] read = System.in.readNBytes(LARGEST + 1);
        if (read.length > LARGEST) {
            throw new UsageError("-: more than " + LARGEST + " bytes");
        }
        return new String(read, StandardCharsets.ISO_8859_1);
    }

    /// The modules of a file: itself, or what an ELF file holds; of `-`, standard input.
    ///
    /// @throws UsageError where it is an ELF file without PTX
    static List<PtxSource> of(Path file) throws IOException {
        if (file.toString().equals("-")) {
            return List.of(new PtxSource(STANDARD_INPUT, standardInput()));
        }
        return Executable.is(file)
                ? inside(file)
                : List.of(
                        new PtxSource(
                                file.toString(),
                                Files.readString(file, StandardCharsets.ISO_8859_1)));
    }

    /// Every PTX module inside an executable, shared object or object file.
    ///
    /// @throws UsageError where there is none
    static List<PtxSource> inside(Path file) throws IOException {
        List<PtxSource> modules = new ArrayList<>();
        for (DeviceImage image : Executable.images(file)) {
            if (image.kind() == DeviceImage.Kind.PTX) {
                String name =
                        "%s:%d.compute_%d.ptx"
                                .formatted(file, modules.size() + 1, image.capability());
                modules.add(new PtxSource(name, image.text()));
            }
        }
        if (modules.isEmpty()) {
            throw new UsageError(
                    file
                            + ": an ELF file without PTX: build it with -gencode"
                            + " arch=compute_80,code=compute_80");
        }
        return modules;
    }
}
