package dev.heddle.ptx.check;

import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Function;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.Parsed;
import dev.heddle.ptx.SourceText;
import dev.heddle.ptx.instruction.BoundInstruction;

import java.util.IdentityHashMap;
import java.util.List;

/// A module whose every instruction fits a form of the table: what an executor may start from.
public final class BoundModule {

    private final Module module;
    private final SourceText source;
    private final IdentityHashMap<Function, List<BoundInstruction>> bound;

    private BoundModule(
            Module module,
            SourceText source,
            IdentityHashMap<Function, List<BoundInstruction>> bound) {
        this.module = module;
        this.source = source;
        this.bound = bound;
    }

    /// Binds what was parsed.
    ///
    /// @throws InvalidModule where it did not parse, or an assembler would reject it
    public static BoundModule of(Parsed parsed) {
        Reporter reporter = new Reporter();
        for (Diagnostic diagnostic : parsed.diagnostics()) {
            reporter.add(diagnostic);
        }
        return of(parsed.module(), parsed.source(), reporter);
    }

    /// Binds a module.
    ///
    /// @param source for messages
    /// @throws InvalidModule where an assembler would reject it
    public static BoundModule of(Module module, SourceText source) {
        return of(module, source, new Reporter());
    }

    private static BoundModule of(Module module, SourceText source, Reporter reporter) {
        IdentityHashMap<Function, List<BoundInstruction>> bound =
                new ModuleChecker(module, reporter, false).bind();
        if (reporter.invalid() > 0) {
            throw new InvalidModule(Check.report(source, module, reporter));
        }
        return new BoundModule(module, source, bound);
    }

    /// The module.
    public Module module() {
        return module;
    }

    /// Its text.
    public SourceText source() {
        return source;
    }

    /// The instructions of one of its functions, in order.
    public List<BoundInstruction> instructions(Function function) {
        return bound.getOrDefault(function, List.of());
    }
}
