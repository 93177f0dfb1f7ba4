package dev.heddle.vm;

import dev.heddle.ptx.SourceText;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.memory.Buffer;

import org.jspecify.annotations.Nullable;

/// A module in a session: its variables have a place in device memory and keep their values from
/// launch to launch.
///
/// @param program lowered for the addresses of its variables
/// @param source the PTX text, for messages
public record LoadedModule(Program program, SourceText source) {
    /// The kernel of this name.
    ///
    /// @throws IllegalArgumentException where there is none
    public Kernel kernel(String name) {
        return new Kernel(program, program.kernel(name), source);
    }

    /// A variable of the module in global or constant memory, or null.
    public @Nullable Buffer variable(String name) {
        for (Program.Symbol symbol : program.symbols()) {
            if (symbol.visible() && symbol.name().equals(name)) {
                return Buffer.of(symbol);
            }
        }
        return null;
    }
}
