package dev.heddle.vm;

import dev.heddle.formats.InputException;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.ptx.Function;
import dev.heddle.ptx.LoadLimit;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.SourceText;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.ptx.check.InvalidModule;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.LaunchBounds;
import dev.heddle.vm.ir.PerProgram;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.lowering.Lowering;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/// A kernel ready to be launched: one entry of a lowered PTX module.
///
/// @param program the whole module, lowered
/// @param code the entry
/// @param source the PTX text, for messages
public record Kernel(Program program, Code code, SourceText source) {
    /// The only kernel of a PTX file.
    ///
    /// @throws IOException where the file cannot be read
    /// @throws InvalidModule where an assembler would reject the module
    /// @throws InputException where it has not exactly one kernel
    public static Kernel read(Path file) throws IOException {
        return read(file, "");
    }

    /// The kernel of this name in a PTX file.
    ///
    /// @param entry its name in PTX, a part that only its name has, or as C++ writes it; empty for
    ///     the only kernel of the module
    /// @throws IOException where the file cannot be read
    /// @throws InvalidModule where an assembler would reject the module
    /// @throws InputException where it has no such kernel
    public static Kernel read(Path file, String entry) throws IOException {
        return of(Files.readString(file), file.toString(), entry);
    }

    /// The kernel of this name in a PTX text.
    ///
    /// @param ptx the text
    /// @param file the name messages use
    /// @param entry its name in PTX, a part that only its name has, or as C++ writes it; empty for
    ///     the only kernel of the module
    /// @throws InvalidModule where an assembler would reject the module
    /// @throws InputException where it has no such kernel
    public static Kernel of(String ptx, String file, String entry) {
        return of(BoundModule.of(Ptx.parse(ptx, file)), entry);
    }

    /// The kernel of this name in a module.
    ///
    /// @throws InvalidModule where an assembler would reject the module
    /// @throws InputException where there is no such kernel
    public static Kernel of(Module module, SourceText source, String entry) {
        return of(BoundModule.of(module, source), entry);
    }

    /// Kernels of a PTX file that share its variables when they run together.
    ///
    /// @param entries their names, each as [#read(Path, String)] takes it
    /// @throws IOException where the file cannot be read
    /// @throws InvalidModule where an assembler would reject the module
    /// @throws InputException where it has no such kernel
    public static List<Kernel> read(Path file, List<String> entries) throws IOException {
        return of(BoundModule.of(Ptx.parse(Files.readString(file), file.toString())), entries);
    }

    private static Kernel of(BoundModule module, String entry) {
        return of(module, List.of(entry)).getFirst();
    }

    /// Kernels of a module that share its variables when they run together. Only what they reach is
    /// lowered.
    ///
    /// @param entries their names, each as [#read(Path, String)] takes it
    /// @throws InputException where it has no such kernel
    public static List<Kernel> of(BoundModule module, List<String> entries) {
        List<String> kernels =
                module.module().items().stream()
                        .filter(Function.class::isInstance)
                        .map(Function.class::cast)
                        .filter(function -> function.isEntry() && function.body() != null)
                        .map(Function::name)
                        .toList();
        List<String> names =
                entries.stream().map(entry -> name(entry, kernels, module.source())).toList();
        Program program = Lowering.lower(module, names);
        return names.stream()
                .map(name -> new Kernel(program, program.kernel(name), module.source()))
                .toList();
    }

    private static String name(String entry, List<String> kernels, SourceText source) {
        if (!entry.isEmpty()) {
            return NamedSymbols.find("kernel", entry, kernels);
        }
        if (kernels.size() != 1) {
            throw new InputException(
                    "%s has %d kernels: name one of %s"
                            .formatted(source.file(), kernels.size(), NamedSymbols.list(kernels)));
        }
        return kernels.getFirst();
    }

    /// CTAs of a cluster in each direction, as the launch or else `.reqnctapercluster` says
    /// (PTX ISA 11.7.1).
    public Extent cluster(Launch launch) {
        return directives().cluster(launch.shape());
    }

    /// Whether the launch or the kernel asks for clusters, even of one CTA.
    boolean clustered(Launch launch) {
        return directives().clustered(launch.shape());
    }

    /// The most threads that a CTA of this kernel may have (`.maxntid`, `.reqntid`).
    public int mostThreads() {
        LaunchBounds bounds = directives().bounds();
        return (int)
                (bounds.block() != null
                        ? bounds.block().count()
                        : Math.min(bounds.threads(), Extent.MOST_THREADS));
    }

    /// The extents of its clusters where it requires them (`.reqnctapercluster`), or null.
    public @Nullable Extent requiredCluster() {
        return directives().bounds().cluster();
    }

    /// Refuses a shape that does not fit the directives of this kernel.
    ///
    /// @throws InputException that names the directive
    public void requireFit(Launch.Shape shape) {
        directives().requireFit(shape);
    }

    private LaunchDirectives directives() {
        return new LaunchDirectives(code.name(), Objects.requireNonNull(code.bounds()));
    }

    /// Refuses a launch that does not fit the parameters and the directives of this kernel.
    ///
    /// @throws InputException that names the parameter or the directive
    public void requireFit(Launch launch) {
        List<Code.Parameter> parameters = code.parameters();
        if (launch.arguments().size() != parameters.size()) {
            throw new InputException(
                    "kernel %s takes %d %s %s, the launch gives %d"
                            .formatted(
                                    code.name(),
                                    parameters.size(),
                                    parameters.size() == 1 ? "argument" : "arguments",
                                    parameters.stream().map(Code.Parameter::name).toList(),
                                    launch.arguments().size()));
        }
        for (int i = 0; i < parameters.size(); i++) {
            Code.Parameter parameter = parameters.get(i);
            Argument argument = launch.arguments().get(i);
            int bytes = parameter.bytes();
            int size = ModuleVariables.size(argument);
            if (bytes != size) {
                String name = parameter.name();
                throw new InputException(
                        "argument %d of %s: parameter %s has %d bytes, %s %d"
                                .formatted(i, code.name(), name, bytes, what(argument), size));
            }
        }
        directives().requireFit(launch.shape());
    }

    private static String what(Argument argument) {
        return switch (argument) {
            case Argument.Value _ -> "the argument";
            case Argument.Structure _ -> "the structure";
            case Argument.Buffer _, Argument.Address _ -> "an address";
            case Argument.TensorMap _ -> "a tensor map";
            case Argument.Texture _ -> "a texture";
            case Argument.Surface _ -> "a surface";
        };
    }

    /// The form of this kernel that a launch runs: as it is, or with the checks it asks for.
    ///
    /// @param instrumented programs with what finds reads of registers that nobody wrote
    Kernel formFor(Launch launch, PerProgram<Program> instrumented) {
        if (!launch.checks().contains(RuleGroup.DEFINEDNESS)) {
            return this;
        }
        Program form =
                LoadLimit.within(
                        source.file(), launch.limits().time(), () -> instrumented.of(program));
        return new Kernel(form, form.codes().get(code.index()), source);
    }
}
