package dev.heddle.ptx.check;

import dev.heddle.isa.PtxVersion;
import dev.heddle.ptx.Function;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.TargetDirective;
import dev.heddle.ptx.instruction.FormMatcher;

/// Where an instruction is: what decides whether it may be there, and who is told.
///
/// @param function that it is in
/// @param target of the module at this place
/// @param names in sight
/// @param matches the forms that mnemonics fill
record Context(
        Module module,
        Function function,
        TargetDirective target,
        SymbolScope names,
        FormMatcher matches,
        Reporter reporter) {

    PtxVersion version() {
        return module.version();
    }

    /// The same place, where somebody else is told.
    Context telling(Reporter other) {
        return new Context(module, function, target, names, matches, other);
    }
}
