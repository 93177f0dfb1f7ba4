package dev.heddle.vm;

import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Function;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.ModuleItem;
import dev.heddle.ptx.Parsed;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.Signature;
import dev.heddle.ptx.SourceText;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.lowering.Lowering;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A kernel ready to be launched: one entry of a lowered PTX module.
///
/// @param program the whole module, lowered
/// @param code the entry
/// @param source the PTX text, for messages
public record Kernel(Program program, Code code, SourceText source) {
    private static final int MOST_THREADS = 1024;

    /// The only kernel of a PTX file.
    ///
    /// @throws IOException where the file cannot be read
    /// @throws IllegalArgumentException where the text does not parse or has not exactly one kernel
    public static Kernel read(Path file) throws IOException {
        return read(file, "");
    }

    /// The kernel of this name in a PTX file.
    ///
    /// @param entry the kernel's name; empty for the only kernel of the module
    /// @throws IOException where the file cannot be read
    /// @throws IllegalArgumentException where the text does not parse or has no such kernel
    public static Kernel read(Path file, String entry) throws IOException {
        return of(Files.readString(file), file.toString(), entry);
    }

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
        List<Code> kernels = program.codes().stream().filter(Code::kernel).toList();
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

    /// CTAs of a cluster, as `.reqnctapercluster` says; 1 without it (PTX ISA 11.7.1).
    public long clusterSize() {
        long size = 1;
        for (ModuleItem item : program.module().items()) {
            if (item instanceof Function function
                    && function.isEntry()
                    && function.name().equals(code.name())) {
                for (Signature.Directive directive : function.signature().directives()) {
                    if (directive.name().equals("reqnctapercluster")) {
                        for (long extent : directive.values()) {
                            size *= extent;
                        }
                    }
                }
            }
        }
        return size;
    }

    /// Refuses a launch that does not fit the parameters of this kernel.
    ///
    /// @throws IllegalArgumentException that names the parameter
    public void requireFit(Launch launch) {
        List<Code.Parameter> parameters = code.parameters();
        if (launch.arguments().size() != parameters.size()) {
            throw new IllegalArgumentException(
                    "kernel %s takes %d arguments %s, the launch gives %d"
                            .formatted(
                                    code.name(),
                                    parameters.size(),
                                    parameters.stream().map(Code.Parameter::name).toList(),
                                    launch.arguments().size()));
        }
        if (launch.block().count() > MOST_THREADS) {
            throw new IllegalArgumentException(
                    "a CTA of %d threads: at most %d"
                            .formatted(launch.block().count(), MOST_THREADS));
        }
        for (int i = 0; i < parameters.size(); i++) {
            Code.Parameter parameter = parameters.get(i);
            String found =
                    switch (launch.arguments().get(i)) {
                        case Argument.Value(byte[] bytes) ->
                                bytes.length == parameter.bytes()
                                        ? ""
                                        : "the argument " + bytes.length;
                        case Argument.Buffer _ ->
                                parameter.bytes() == Long.BYTES ? "" : "an address 8";
                        case Argument.TensorMap _ ->
                                parameter.bytes() == Argument.TensorMap.BYTES
                                        ? ""
                                        : "a tensor map " + Argument.TensorMap.BYTES;
                    };
            if (!found.isEmpty()) {
                throw new IllegalArgumentException(
                        "argument %d of %s: parameter %s has %d bytes, %s"
                                .formatted(
                                        i,
                                        code.name(),
                                        parameter.name(),
                                        parameter.bytes(),
                                        found));
            }
        }
    }

    /// The form that runs when checks are on.
    Kernel checked() {
        Program checked = program.instrumented();
        return checked == null
                ? this
                : new Kernel(checked, checked.codes().get(code.index()), source);
    }
}
