package dev.heddle.vm;

import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.Parsed;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.SourceText;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.lowering.Lowering;

/// A kernel ready to be launched: one entry of a lowered PTX module.
///
/// @param program the whole module, lowered
/// @param code the entry
/// @param source the PTX text, for messages
public record Kernel(Program program, Code code, SourceText source) {

    /// The kernel of this name in a PTX text.
    ///
    /// @param ptx the text
    /// @param file the name messages use
    /// @param entry the kernel's name; empty for the only kernel of the module
    /// @throws IllegalArgumentException where the text does not parse or has no such kernel
    public static Kernel of(String ptx, String file, String entry) {
        Parsed parsed = Ptx.parse(ptx, file);
        if (!parsed.isClean()) {
            Diagnostic first = parsed.diagnostics().getFirst();
            throw new IllegalArgumentException(first.position() + ": " + first.message());
        }
        return of(parsed.module(), parsed.source(), entry);
    }

    /// The kernel of this name in a module.
    ///
    /// @throws IllegalArgumentException where there is no such kernel
    public static Kernel of(Module module, SourceText source, String entry) {
        Program program = Lowering.lower(module);
        if (!entry.isEmpty()) {
            return new Kernel(program, program.kernel(entry), source);
        }
        java.util.List<Code> kernels = program.codes().stream().filter(Code::kernel).toList();
        if (kernels.size() != 1) {
            throw new IllegalArgumentException(
                    "%s has %d kernels %s: name one"
                            .formatted(
                                    source.file(),
                                    kernels.size(),
                                    kernels.stream().map(Code::name).toList()));
        }
        return new Kernel(program, kernels.getFirst(), source);
    }
}
