package dev.heddle.vm;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// The machines that run kernels, by the names that launch files, options and tests use.
public enum MachineKind {
    /// The reference interpreter.
    INTERPRETER,
    /// The compiler to bytecode.
    COMPILER,
    /// The first GPU of this computer.
    GPU;

    /// What runs a kernel where nothing is said.
    public static final MachineKind DEFAULT = COMPILER;

    /// As launch files and options spell it: `interpreter`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The machine that a word names.
    public static Optional<MachineKind> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }

    /// The words of all machines.
    public static List<String> words() {
        return Stream.of(values()).map(MachineKind::word).toList();
    }
}
